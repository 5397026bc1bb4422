#pragma once
// The system calls that a worker is refused: those that neither a compiler nor a driver needs and an attack might use.
// `native_code`: candidates run as native code on a CPU, and are refused timers as well. Functions without state.
#include "base/fd.h"

namespace hone::runner {

void filter_system_calls(bool native_code);  // of this process, from now on
// The same filter as the kernel takes it, in a memory file, for a process that loads it itself.
base::Fd system_call_filter(bool native_code);

}  // namespace hone::runner
