#pragma once
// The loops of a kernel's machine code: natural loops of its flow graph. Loops that only wait (for a barrier's phase, a
// lock) or that a warp runs once for each of its values are not among them: their instructions belong to whatever
// surrounds them.
#include <cstddef>
#include <vector>

#include "profile/sass_code.h"

namespace hone::profile {

struct CodeLoop {
  std::vector<std::size_t> body;  // indices into SassKernel::code, ascending
  int depth = 1;                  // 1: not inside another
  bool innermost = true;
};

// Outer before inner.
std::vector<CodeLoop> loops_of(const SassKernel& kernel);

}  // namespace hone::profile
