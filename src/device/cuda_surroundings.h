#pragma once
// What the runner does round a timed call: drive the caches' contents out, overwrite what could have survived the last
// call (shared and local memory), and hold the stream until the launches are queued. Owned by the runner's device.
#include <cstdint>

#include "device/cuda_session.h"

namespace hone::device::cuda {

class Surroundings {
 public:
  Surroundings(const Session& session, std::int64_t l2_bytes);  // throws Error
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  void reset_persisting(Steps& step);
  void scrub_and_flush(Steps& step);
  void hold_for(int launches, Steps& step);

 private:
  const Session& session_;
  Module module_ = nullptr;
  Function scrub_shared_ = nullptr, scrub_local_ = nullptr, flush_ = nullptr, runway_ = nullptr;
  Address flush_buffer_ = 0;
  std::size_t flush_bytes_ = 0;
  unsigned sm_count_ = 1, shared_bytes_ = 0, local_blocks_ = 1, calls_ = 0;
  bool has_persisting_ = false;
};

}  // namespace hone::device::cuda
