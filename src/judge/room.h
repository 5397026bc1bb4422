#pragma once
// Whether a case fits in memory, asked before anything is built or allocated. A case that does not
// fit is an Error: the machine is too small. A candidate whose scratch does not fit beside a case
// that does is rejected.
#include "core/device_info.h"
#include "core/task.h"
#include "device/tensor_ops.h"

namespace hone::judge {

struct Need {
  std::uint64_t device = 0;  // the case's tensors, and one set of inputs with their expected values
  std::uint64_t host = 0;    // what the reference needs beside that, where it is C++
};
// What a torch module may need beside the judge's tensors, in the same memory: everything in double
// precision, and a few intermediate results as large as the outputs. An estimate.
std::uint64_t torch_bytes(const core::Task& task, const core::Case& which);
Need need_of(const core::Task& task, const core::Case& which);
bool fits(const Need& need, const core::DeviceInfo& info, device::TensorOps& ops);
[[noreturn]] void fail_for_room(const Need& need, const core::Case& which,
                                const core::DeviceInfo& info, device::TensorOps& ops);

}  // namespace hone::judge
