#include "judge/buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace hone::judge {
namespace {

// Wide enough to see a write that is one row of a matrix too far, and a multiple of every alignment
// that a kernel or a copy engine may rely on.
constexpr std::uint64_t canary_bytes = 64 << 10;

}  // namespace

std::uint64_t BufferSet::footprint(const std::vector<core::ResolvedBuffer>& buffers) {
  std::uint64_t total = 0;
  for (const auto& buffer : buffers) total += buffer.bytes + 2 * canary_bytes;
  return total;
}

BufferSet::BufferSet(device::TensorOps& ops, const std::vector<core::ResolvedBuffer>& buffers)
    : ops_(ops) {
  for (const auto& shape : buffers) {
    Guarded buffer;
    buffer.shape = shape;
    buffer.block = ops.allocate(shape.bytes + 2 * canary_bytes);
    const int id = buffer.block.id;
    buffer.data = {id, canary_bytes, shape.bytes};
    buffer.front = {id, 0, canary_bytes};
    buffer.back = {id, canary_bytes + shape.bytes, buffer.block.bytes - canary_bytes - shape.bytes};
    buffers_.push_back(std::move(buffer));
  }
}

BufferSet::~BufferSet() {
  for (const auto& buffer : buffers_) ops_.release(buffer.block.id);
}

// Random bytes under a seed of the judge's: a candidate cannot write them back, and none of them is
// stored for a comparison.
void BufferSet::set_canaries(Guarded& buffer, std::uint64_t seed) {
  buffer.front_seed = seed;
  buffer.back_seed = seed + 1;
  ops_.garbage(buffer.front, buffer.front_seed);
  ops_.garbage(buffer.back, buffer.back_seed);
}

// Behind, then before each buffer: broken_canary() reads the answers in this order.
void BufferSet::add_canaries(std::vector<device::Garbage>& to) const {
  for (const Guarded& buffer : buffers_)
    to.insert(to.end(), {{buffer.back, buffer.back_seed}, {buffer.front, buffer.front_seed}});
}

std::string BufferSet::broken_canary() const {
  std::vector<device::Garbage> canaries;
  add_canaries(canaries);
  return broken_canary(ops_.find_changes(canaries));
}

std::string BufferSet::broken_canary(std::span<const std::int64_t> changes) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    // The first byte that changed, or -1. Behind the buffer that is the nearest one to it; before
    // the buffer it is the farthest.
    const std::int64_t back = changes[2 * i], front = changes[2 * i + 1];
    const Guarded& buffer = buffers_[i];
    if (back >= 0)
      return fmt::format("{} was written {} past its end", buffer.shape.name,
                         base::counted(back + 1, "byte"));
    if (front >= 0)
      return fmt::format(
          "{} was written {} before its start", buffer.shape.name,
          base::counted(static_cast<std::int64_t>(buffer.front.bytes) - front, "byte"));
  }
  return "";
}

void CacheFlush::allocate() {
  if (read_) return;
  constexpr std::int64_t smallest_cache = 1 << 20;  // where the device does not report its cache
  // Twice the cache, because it need not forget the oldest lines first.
  const std::int64_t bytes = 2 * std::max(cache_bytes_, smallest_cache);
  read_ = std::make_unique<BufferSet>(
      ops_, std::vector<core::ResolvedBuffer>{{"",
                                               core::ResolvedBuffer::Role::scratch,
                                               core::DType::u8,
                                               {bytes},
                                               static_cast<std::uint64_t>(bytes)}});
}

void CacheFlush::run() {
  allocate();
  ops_.fingerprint(read_->all().front().data, 1);  // reads every byte
}

}  // namespace hone::judge
