#pragma once
// The judge's buffers: each has its data in the middle of a block, with canaries (known random
// bytes) before and behind it that show writes out of bounds. A BufferSet owns the blocks of one
// plan. Used on the judge's thread.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "device/tensor_ops.h"

namespace hone::judge {

struct Entry;

// One buffer: its block, and where data and canaries are in it.
struct Guarded {
  core::ResolvedBuffer shape;
  device::Block block;
  device::Span data, front, back;
  std::uint64_t front_seed = 0, back_seed = 0;  // of the canaries
};

class BufferSet {
 public:
  BufferSet(device::TensorOps& ops, const std::vector<core::ResolvedBuffer>& buffers);
  ~BufferSet();
  BufferSet(const BufferSet&) = delete;
  BufferSet& operator=(const BufferSet&) = delete;

  std::vector<Guarded>& all() { return buffers_; }
  const std::vector<Guarded>& all() const { return buffers_; }
  void set_canaries(Guarded& buffer, std::uint64_t seed);
  // Appends the canaries of all buffers, two of each, so that those of several sets can be checked
  // together.
  void add_canaries(std::vector<device::Garbage>& to) const;
  // The first canary that was overwritten, as a sentence; "" if none was.
  std::string broken_canary() const;
  // The same from the result of TensorOps::find_changes for the canaries that add_canaries
  // appended.
  std::string broken_canary(std::span<const std::int64_t> changes) const;

  // Which entry's inputs were written there last; see CallOptions::in_place.
  const Entry* inputs_of() const { return inputs_of_; }
  void set_inputs_of(const Entry* entry) { inputs_of_ = entry; }

  // The bytes of such a set with its canaries.
  static std::uint64_t footprint(const std::vector<core::ResolvedBuffer>& buffers);

 private:
  device::TensorOps& ops_;
  std::vector<Guarded> buffers_;
  const Entry* inputs_of_ = nullptr;
};

// Evicts a GPU's caches by reading twice as many bytes as they hold, for candidates in Python. (On
// a CPU device/host_flush.h does it, which writes; for device code on CUDA the runner, which
// reads.) Allocates that memory at the first use, or before.
class CacheFlush {
 public:
  CacheFlush(device::TensorOps& ops, std::int64_t cache_bytes)
      : ops_(ops), cache_bytes_(cache_bytes) {}
  void run();
  void allocate();

 private:
  device::TensorOps& ops_;
  std::int64_t cache_bytes_;
  std::unique_ptr<BufferSet> read_;
};

}  // namespace hone::judge
