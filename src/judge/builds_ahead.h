#pragma once
// Compiling needs no device, so candidates that wait for their turn are compiled on other cores
// while others are judged: device code into the build cache, and of a candidate in Python what
// loading it compiles, which its own worker gets. A failure here says nothing about the candidate:
// it is met again in its turn, and told then. Any thread.
#include <future>
#include <optional>

#include "base/fd.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/task.h"

namespace hone::judge {

// Ready once the build has ended. For EvaluateOptions::ahead, where there is a file; not valid:
// there was nothing to do.
using BuiltAhead = std::shared_future<std::optional<base::Fd>>;

BuiltAhead build_ahead(const core::Task& task, const core::Candidate& candidate,
                       const core::Point& point, const core::DeviceInfo& info,
                       double build_seconds);
// The same on the calling thread.
std::optional<base::Fd> build_now(const core::Task& task, const core::Candidate& candidate,
                                  const core::Point& point, const core::DeviceInfo& info,
                                  double build_seconds);

// Half of the cores: the others are for what is being judged.
std::size_t builds_at_once();

}  // namespace hone::judge
