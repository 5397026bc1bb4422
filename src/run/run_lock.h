#pragma once
// One process at a time works on a run. The lock goes with the process, however that ends.
#include <string>

#include "base/fd.h"

namespace hone::run {

// Throws Error where another process has it.
base::Fd lock_run(const std::string& kind, const std::string& id);

}  // namespace hone::run
