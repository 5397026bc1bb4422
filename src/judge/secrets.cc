#include "judge/secrets.h"

#include <sys/random.h>

#include "base/error.h"

namespace hone::judge {
namespace {

std::uint64_t system_random() {
  std::uint64_t value = 0;
  if (::getrandom(&value, sizeof value, 0) != sizeof value)
    base::fail(base::ExitCode::environment, "the system gives no random numbers: {}",
               base::errno_text());
  return value;
}

}  // namespace

// From the system each time: no state lies in this process that a leak of memory would show.
std::uint64_t Secrets::seed() { return secret_ ? system_random() : next_++; }

std::uint64_t Secrets::below(std::uint64_t bound) {
  // The bias of the remainder is bound / 2^64, which is nothing.
  return bound == 0 ? 0 : system_random() % bound;
}

}  // namespace hone::judge
