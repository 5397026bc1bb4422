#pragma once
// The system calls that a worker is refused: those that neither a compiler nor a driver needs and
// an attack might use. Functions without state.
#include "base/fd.h"

namespace hone::runner {

struct FilterRules {
  bool native_code =
      true;  // candidates run as native code on a CPU: no timers, no signals from descriptors
  bool network = false;  // sockets of all kinds; otherwise those between processes only
};

void filter_system_calls(const FilterRules& rules);  // of this process, from now on
// The same filter as the kernel takes it, in a memory file, for a process that loads it itself.
base::Fd system_call_filter(const FilterRules& rules);

}  // namespace hone::runner
