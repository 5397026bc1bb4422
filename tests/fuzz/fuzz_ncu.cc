// Nsight Compute's output, whatever stands in it: reading ends, offsets are never before a kernel's
// first instruction, and every number is finite.
#include <cmath>
#include <cstdlib>
#include <string>

#include "profile/ncu_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace hone::profile;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const auto& launch : parse_ncu_raw(text))
    for (const auto& [name, value] : launch.values)
      if (!std::isfinite(value)) std::abort();
  for (const auto& listing : parse_ncu_source(text))
    for (const auto& instruction : listing.code)
      if (!std::isfinite(instruction.samples)) std::abort();
  (void)ncu_problem(text);
  return 0;
}
