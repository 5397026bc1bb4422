#include "base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cstdint>

namespace hone::base {
namespace {
EVP_MD_CTX* context_of(void* context) { return static_cast<EVP_MD_CTX*>(context); }

std::string to_hex(const unsigned char* bytes, unsigned int size) {
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", bytes[i]);
  return out;
}
}  // namespace

Hasher::Hasher() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_of(context_), EVP_sha256(), nullptr);
}
Hasher::~Hasher() { EVP_MD_CTX_free(context_of(context_)); }

Hasher& Hasher::add(std::string_view field) {
  const std::uint64_t size = field.size();
  EVP_DigestUpdate(context_of(context_), &size, sizeof size);
  EVP_DigestUpdate(context_of(context_), field.data(), field.size());
  return *this;
}

std::string Hasher::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context_of(context_), digest, &size);
  return to_hex(digest, size);
}

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  return to_hex(digest, size);
}

}  // namespace hone::base
