#pragma once
// What a vendor's library has to offer to take part: one row of functions, whatever the library is.
// device.cc holds the table of all backends; the rows are constants.
#include "device/device.h"
#include "device/tensor_ops.h"

namespace hone::device {

struct Backend {
  core::Language language;
  BackendReport (*discover)();
  std::unique_ptr<Device> (*open)(const core::DeviceInfo& info);
  BuildResult (*compile)(const BuildRequest& request);
  std::string (*compiler_version)(const std::string& device_id);
  std::unique_ptr<TensorOps> (*tensor_ops)(const core::DeviceInfo& info);
  DeviceState (*state)(const core::DeviceInfo& info, const std::vector<int>& own_pids);
};

extern const Backend cuda_backend, opencl_backend, fake_backend;

}  // namespace hone::device
