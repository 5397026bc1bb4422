#include "device/host_flush.h"

#include <vector>

#include "device/host_threads.h"

namespace hone::device {

void flush_host_caches(std::int64_t cache_bytes) {
  constexpr std::uint64_t line = 64, share = 1 << 20;  // each core drives out its own caches too
  static std::vector<unsigned char>
      memory;  // one judge, one thread; allocated once because fresh pages cost more than the flush
  memory.resize(static_cast<std::size_t>(2 * cache_bytes));
  over_threads(memory.size(), share, [&](std::uint64_t begin, std::uint64_t end) {
    volatile unsigned char* bytes = memory.data();
    for (std::uint64_t at = begin; at < end; at += line)
      bytes[at] = static_cast<unsigned char>(bytes[at] + 1);
  });
}

}  // namespace hone::device
