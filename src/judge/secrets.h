#pragma once
// Seeds nobody else knows. They come from the operating system for every call anew; they are in no file, argument or
// environment.
#include <cstdint>

namespace hone::judge {

class Secrets {
 public:
  // `secret` false: a public sequence, 1, 2, 3, ... (the self-test's way of switching the guard off).
  explicit Secrets(bool secret) : secret_(secret) {}
  std::uint64_t seed();
  std::uint64_t below(std::uint64_t bound);  // uniform; secret in both modes: it only orders calls

 private:
  bool secret_;
  std::uint64_t next_ = 1;
};

}  // namespace hone::judge
