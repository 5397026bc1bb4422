#pragma once
// SHA-256, by libcrypto: names for contents, hard to forge because candidates are hostile.
// Functions without state; a Hasher belongs to one thread.
#include <string>
#include <string_view>

namespace hone::base {

std::string sha256_hex(std::string_view bytes);

// Hashes a sequence of fields unambiguously: each is preceded by its length.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  Hasher& add(std::string_view field);
  std::string hex();

 private:
  void* context_;
};

}  // namespace hone::base
