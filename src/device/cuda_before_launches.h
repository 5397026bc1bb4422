#pragma once
// What the runner queues in go() before the launches of a timed call: drive the caches' contents
// out, overwrite what could have survived the last call (registers, shared and local memory), and
// hold the stream until the launches are queued. Owned by the runner's device.
#include <cstdint>
#include <map>
#include <string>

#include "device/cuda_session.h"

namespace hone::device::cuda {

class BeforeLaunches {
 public:
  BeforeLaunches(const Session& session, std::int64_t l2_bytes);  // throws Error
  ~BeforeLaunches();
  BeforeLaunches(const BeforeLaunches&) = delete;
  BeforeLaunches& operator=(const BeforeLaunches&) = delete;

  void reset_persisting(Steps& step);
  // `local_bytes`: the most local memory that a thread of the candidate's has.
  void scrub_and_flush(std::int64_t local_bytes, Steps& step);
  void hold_for(int launches, Steps& step);
  // Queued behind the flushes; to be read when the stream has finished: whether memory of the
  // runner's own, which only flushes read, was written.
  void ask_whether_written(Steps& step);
  bool was_written() const { return *written_ != 0; }

 private:
  void scrub_local(std::int64_t bytes, unsigned value, Steps& step);

  const Session& session_;
  Module module_ = nullptr;
  Function scrub_shared_ = nullptr, scrub_registers_ = nullptr, flush_ = nullptr, runway_ = nullptr;
  std::map<std::int64_t, Function> scrub_local_;  // by bytes; looked up when one is needed
  Address flush_buffer_ = 0, sink_ = 0;           // the sink is the end of the buffer
  std::size_t flush_bytes_ = 0;                   // that are read
  unsigned* written_ = nullptr;                   // pinned memory
  unsigned sm_count_ = 1, shared_bytes_ = 0, local_blocks_ = 1, calls_ = 0;
  bool has_persisting_ = false;
};

}  // namespace hone::device::cuda
