#include "judge/python/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hone::judge {
BatchLimits batch_limits(core::ClockKind clock) {
  // By the judge's clock a call wakes threads that were stopped, and other programs take their
  // share; verifying costs as much as computing, so there are few calls. Waking a process takes at
  // most 2 ms unless something else runs in its place, a time slice of 3 ms or more, and then the
  // machine is busy; and it never explains more than half of a call.
  if (clock == core::ClockKind::judge)
    return {0.02, 0, 8, 256, 256ull << 20, 5e-4, 0, 0, 0.25, 2e-3, 0.5};
  // On a device of its own a call alone begins in a process that has just been woken up; nothing
  // hides its host code. In a batch the host makes one call after the other, so a call's host code
  // takes no longer than one of many does. The measured gap is below 0.1 ms on an H200, and honest
  // calls alone took up to 0.15 ms beyond twice the time of one of many.
  return {0.01, 20, 32, 192, 8ull << 30, 3e-4, 1, 1.5e-3, 0.1, 1e-3, 1};
}

std::size_t batch_size(const BatchLimits& limits, double single, double request,
                       std::uint64_t set_bytes, std::size_t buffers, std::uint64_t free_bytes,
                       std::size_t contents) {
  constexpr double shortest = 1e-6;       // seconds that can be told from nothing
  constexpr std::uint64_t free_part = 4;  // of what is free, since candidates need memory too
  if (contents < 2) return 1;
  const double wanted =
      std::ceil(std::max(limits.seconds, limits.requests * request) / std::max(single, shortest));
  // Two calls halve what the request adds to each, which is worth memory beyond the limit.
  const std::uint64_t bytes =
      std::min(std::max(limits.bytes, 2 * set_bytes), free_bytes / free_part);
  const std::uint64_t room = bytes / std::max<std::uint64_t>(set_bytes, 1);
  const std::size_t most =
      std::min({limits.calls, limits.buffers / std::max<std::size_t>(buffers, 1), room});
  return std::max<std::size_t>(1, std::min(most, static_cast<std::size_t>(std::min(wanted, 1e6))));
}

double overlap_allowance(const BatchLimits& limits, double batch, double single, double gap) {
  const double always = limits.allowance + std::min(limits.host_part * batch, limits.most_host);
  const double measured = std::min(2 * gap, limits.most_measured);
  return std::max(always, std::min(always + measured, limits.most_part * single));
}

std::string overlap(const BatchLimits& limits, double batch, double single, double gap) {
  const double allowance = overlap_allowance(limits, batch, single, gap);
  if (single <= batch * (1 + limits.noise) + allowance) return "";
  return fmt::format(
      "a call alone takes {:.4g} s, one of a batch {:.4g} s: more than {:.0f} % and the {:.3g} s "
      "apart that the host's time can explain. Calls overlap, or one does the work of others; the "
      "time of a call alone counts",
      single, batch, 100 * limits.noise, allowance);
}

std::string overlap_in_record(double seconds, double busy) {
  constexpr double noise = 0.1, resolution = 5e-6;
  if (busy <= seconds * (1 + noise) + resolution) return "";
  return fmt::format(
      "in a recorded call the device is busy for {:.4g} s, which is more than the {:.4g} s of a "
      "call by {:.0f} % and {:.0f} µs: calls overlap, or one does the work of others. The recorded "
      "time counts",
      busy, seconds, 100 * noise, 1e6 * resolution);
}

void Batch::grow(std::size_t count, std::vector<std::unique_ptr<BufferSet>> spare) {
  for (auto& set : spare) {
    if (sets_.size() >= count) break;
    own_.push_back(std::move(set));
    sets_.push_back(own_.back().get());
  }
  std::vector<core::ResolvedBuffer> shapes;
  for (const auto& buffer : sets_.front()->all()) shapes.push_back(buffer.shape);
  while (sets_.size() < count) {
    own_.push_back(std::make_unique<BufferSet>(ops_, shapes));
    sets_.push_back(own_.back().get());
  }
}

std::vector<std::unique_ptr<BufferSet>> Batch::release() {
  sets_.resize(1);
  return std::exchange(own_, {});
}

std::uint64_t allocated_bytes(const BufferSet& set) {
  std::uint64_t bytes = 0;
  for (const auto& buffer : set.all()) bytes += buffer.block.bytes;
  return bytes;
}

}  // namespace hone::judge
