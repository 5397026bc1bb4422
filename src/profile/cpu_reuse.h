#pragma once
// What tools for a CPU agree on, so that only one of them speaks of a defect: a bound that two
// tools compare with stands here, once. Pure.
#include "profile/facts.h"

namespace hone::profile {

// Loads for an arithmetic instruction. A tile of eight sums from one vector needs 9 for 8, single
// sums 2 for 1.
inline constexpr double most_loads = 1.2;
bool loads_too_much(const Facts& facts);  // and the task is one of arithmetic

// Of the inner loops' accesses. Where numbers lie rows apart, or come from calls, vectors are not
// what is missing first.
inline constexpr double most_strided = 0.75;
bool goes_by_rows(const Facts& facts);
// Of the inner loops' instructions, in the math library.
inline constexpr double least_math = 0.2;
bool calls_much(const Facts& facts);

}  // namespace hone::profile
