#pragma once
// A CUDA context and stream of our own, and the judge's own kernels compiled for it. The runner's
// device and the judge's tensor_ops each own one; both may live in one process (tests do that), so
// every entry point makes its context current first. Used from one thread.
#include <string>

#include "core/device_info.h"
#include "device/cuda_api.h"

namespace hone::device::cuda {

class Session {
 public:
  explicit Session(const core::DeviceInfo& info);  // throws Error
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Driver& api() const { return api_; }
  DeviceHandle device() const { return device_; }
  Stream stream() const { return stream_; }
  void make_current() const;  // throws Error
  bool try_make_current() const { return api_.context_set_current(context_) == success; }
  int attribute(DeviceAttribute which) const;

  // Kernels of ours from resources/cuda/NAME, loaded into the context.
  Module load_own(const std::string& name) const;
  Function own_kernel(Module module, const char* name) const;

 private:
  const Driver& api_;
  DeviceHandle device_ = 0;
  std::string arch_;
  Context context_ = nullptr;
  Stream stream_ = nullptr;
};

// The cubin of resources/cuda/NAME, from the cache under the home folder or compiled now (and
// cached, if the folder can be written).
std::string own_cubin(const std::string& name, const std::string& arch);

}  // namespace hone::device::cuda
