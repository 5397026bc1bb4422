#pragma once
// The mix of instructions in a kernel's innermost loops, or in all of it where it has none.
// Instructions are counted in the code, and not as often as they are executed. Pure.
#include "profile/facts.h"

namespace hone::profile {

struct InstructionMix {
  double total = 0;
  double overhead = 0;  // addresses, integers, moves, conversions, predicates, branches
  double integer = 0;   // of them: integers and addresses
  double convert = 0;   // of the overhead: conversions
  double special = 0, f32 = 0, f64 = 0, tensor = 0;
  double load_global = 0, store_global = 0, load_shared = 0, store_shared = 0;
  double barrier = 0;
  bool in_loops = false;
};
InstructionMix loop_mix(const Facts& facts);
InstructionMix code_mix(const Facts& facts);  // of all of it, loops or not

}  // namespace hone::profile
