#pragma once
// Which values of a CPU's loop wait for those of the turn before: registers are followed through
// some turns of its code with the latencies of a usual core, as if everything else were free.
// Memory is not followed. Pure.
#include <vector>

#include "profile/cpu_listing.h"

namespace hone::profile {

// Registers by number: vectors, masks, then the general ones; -1: none. "ymm3" and "xmm3" are the
// same.
inline constexpr int first_general_register = 40, cpu_registers = 56;
int register_number(std::string_view word);

// Cycles from a turn to the next. `body` are indices into the function's code; a body with branches
// counts as if all of it ran.
double chain_cycles(const CpuFunction& function, const std::vector<std::size_t>& body);

}  // namespace hone::profile
