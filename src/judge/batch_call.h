#pragma once
// What a call of a candidate works on: a loaded candidate that is bound to buffers, and the inputs
// of each call of a batch.
#include "device/device.h"
#include "judge/buffers.h"
#include "judge/pool.h"
#include "runner/runner.h"

namespace hone::judge {

// A candidate loaded in a runner, with its plan for one case, bound to working buffers.
struct BoundCandidate {
  runner::Runner* runner = nullptr;
  int plan = 0, last_launch = -1;
  bool has_host_code = false;  // of its own: it is Python
  device::BindingSet bindings;
};

// One call of a batch: which buffers it works on, and which inputs it is given.
struct BatchCall {
  BufferSet* working = nullptr;
  const device::BindingSet* bindings = nullptr;
  const Entry* entry = nullptr;
  // Other inputs, which are written before its own where work on the device could wait for inputs;
  // null: random bytes.
  const Entry* written_first = nullptr;
};

}  // namespace hone::judge
