#pragma once
// The innermost loops with arithmetic in a CPU kernel's functions, and straight code around them
// that is a tile of its own (unrolled, beside loops for the edges). A function that is called from
// a loop is part of it. Code of hostile size has none. Pure.
#include <vector>

#include "profile/cpu_listing.h"

namespace hone::profile {

struct WorkingLoop {
  std::size_t function = 0;
  std::vector<std::size_t> body;  // indices into its code, ascending
  int depth = 0;                  // over calls; 0: straight code, called once
  std::uint64_t start = 0,
                around = 0;  // first addresses: its own, and of the loop around it in the function
};
std::vector<WorkingLoop> working_loops(const std::vector<CpuFunction>& functions);

}  // namespace hone::profile
