#pragma once
// The parts of the CUDA backend that its table puts together; each is implemented in the file named
// after it.
#include <memory>
#include <string>
#include <vector>

#include "device/cuda_api.h"
#include "device/device.h"
#include "device/tensor_ops.h"

namespace hone::device::cuda {

std::string uuid_of(
    DeviceHandle device);  // "GPU-01234567-89ab-...", as NVML and nvidia-smi write it
std::string arch_of(int major, int minor);  // "sm_90a"

std::unique_ptr<Device> open_cuda_device(const core::DeviceInfo& info);  // cuda_device.cc
std::unique_ptr<TensorOps> open_cuda_tensor_ops(
    const core::DeviceInfo& info);  // cuda_tensor_ops.cc
DeviceState read_cuda_state(const core::DeviceInfo& info,
                            const std::vector<int>& own_pids);  // cuda_state.cc

// "the power limit, heat (software)"; "" for none.
std::string throttle_words(unsigned long long reasons);

}  // namespace hone::device::cuda
