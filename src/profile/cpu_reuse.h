#pragma once
// What the tools for registers and for chains agree on, so that only one of them speaks. Pure.
#include "profile/facts.h"

namespace hone::profile {

// Loads for an arithmetic instruction. A tile of eight sums from one vector needs 9 for 8, single sums 2 for 1.
inline constexpr double most_loads = 1.2;
bool loads_too_much(const Facts& facts);  // and the task is one of arithmetic

}  // namespace hone::profile
