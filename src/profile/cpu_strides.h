#pragma once
// Accesses of a CPU's loop that take one number out of a line of the caches and then go on by a
// row: their address grows each turn by a value that only the run knows, or by a line and more.
// Registers are followed through one turn. Pure.
#include <vector>

#include "profile/cpu_listing.h"

namespace hone::profile {

struct Strides {
  double accesses =
      0;               // of floating-point numbers and vectors, constants and the stack not counted
  double strided = 0;  // of them
};
// `body` are indices into the function's code.
Strides strides_of(const CpuFunction& function, const std::vector<std::size_t>& body);

}  // namespace hone::profile
