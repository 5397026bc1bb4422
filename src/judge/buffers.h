#pragma once
// One buffer as the judge holds it: the data in the middle of a block, known bytes before and behind it.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "device/workbench.h"

namespace hone::judge {

struct Guarded {
  core::ResolvedBuffer shape;
  device::Block block;
  device::Span data, front, back;
  std::uint64_t front_seed = 0, back_seed = 0;
};

// Blocks for a plan's buffers. Released with the object.
class BufferSet {
 public:
  BufferSet(device::Workbench& bench, const std::vector<core::ResolvedBuffer>& buffers);
  ~BufferSet();
  BufferSet(const BufferSet&) = delete;
  BufferSet& operator=(const BufferSet&) = delete;

  std::vector<Guarded>& all() { return buffers_; }
  const std::vector<Guarded>& all() const { return buffers_; }
  void set_canaries(Guarded& buffer, std::uint64_t seed);
  void add_canaries(std::vector<device::Garbage>& to) const;  // two of each buffer
  // Which canary was hit and where, in words; "" if none.
  std::string broken_canary() const;
  // The same of those that were added, by the first changes in them.
  std::string broken_canary(std::span<const std::int64_t> changes) const;

  static std::uint64_t footprint(const std::vector<core::ResolvedBuffer>& buffers);

 private:
  device::Workbench& bench_;
  std::vector<Guarded> buffers_;
};

// Drives a device's caches out by reading twice as much as they hold. The memory for that is taken at the first use.
class CacheFlush {
 public:
  CacheFlush(device::Workbench& bench, std::int64_t cache_bytes) : bench_(bench), cache_bytes_(cache_bytes) {}
  void run();

 private:
  device::Workbench& bench_;
  std::int64_t cache_bytes_;
  std::unique_ptr<BufferSet> read_;
};

}  // namespace hone::judge
