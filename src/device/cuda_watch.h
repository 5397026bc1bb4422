#pragma once
// A kernel of one thread that reads the device's clock over and over and keeps the longest time
// between two readings. A device works for one process at a time, so a kernel or copy of another
// process leaves a gap: on an H200 0.3 ms or more, where an undisturbed one has gaps of 10 µs at
// most. The judge's other work runs beside it. Owned by the tensor_ops, on its thread.
#include "device/cuda_session.h"

namespace hone::device::cuda {

class WatchKernel {
 public:
  WatchKernel(const Session& session, Module module);  // throws Error
  ~WatchKernel();
  WatchKernel(const WatchKernel&) = delete;
  WatchKernel& operator=(const WatchKernel&) = delete;

  void begin();  // returns when it runs
  double end();  // the longest gap, in seconds; 0 where it does not run

 private:
  struct Words;  // what host and kernel tell each other, in pinned memory

  const Session& session_;
  Function kernel_;
  Stream stream_ = nullptr;
  Words* words_ = nullptr;
  bool runs_ = false;
};

}  // namespace hone::device::cuda
