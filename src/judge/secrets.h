#pragma once
// Random seeds for inputs, canaries and poison that no candidate can know. Each one is read from
// the operating system when it is needed; none is stored in a file, an argument or the environment.
// Owned by the judge, used on its thread.
#include <cstdint>

namespace hone::judge {

class Secrets {
 public:
  // `secret` false: seed() counts 1, 2, 3, ..., which is how the self-test switches the guard
  // secret-seeds off.
  explicit Secrets(bool secret) : secret_(secret) {}
  std::uint64_t seed();
  // A random number less than `bound`, 0 for a bound of 0. Random in both modes: it only decides
  // the order of calls.
  std::uint64_t below(std::uint64_t bound);

 private:
  bool secret_;
  std::uint64_t next_ = 1;
};

}  // namespace hone::judge
