#pragma once
// Drives the contents of a CPU's caches out, every core its own. Where device code is native code
// the judge does this in its own process, while the runner stands still: inside the runner it would
// lie within the time that the judge's clock takes.
#include <cstdint>

namespace hone::device {

void flush_host_caches(std::int64_t cache_bytes);  // touches twice as much

}  // namespace hone::device
