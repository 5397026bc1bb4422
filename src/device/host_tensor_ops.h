#pragma once
// The tensor_ops for devices whose memory is the host's: blocks are sealed memory files, the
// arithmetic is done on this machine's cores. Used for OpenCL and the fake. Owned by the judge,
// used from one thread (which borrows others for the length of a call).
#include <memory>

#include "device/tensor_ops.h"

namespace hone::device {

std::unique_ptr<TensorOps> open_host_tensor_ops();

// Bytes that can be allocated on this machine now, by the kernel's estimate and this process's
// memory limits.
std::uint64_t available_host_bytes();

}  // namespace hone::device
