#include "judge/builds_ahead.h"

#include <algorithm>
#include <thread>

#include "judge/precision/tensor_instructions.h"
#include "judge/python/candidate.h"
#include "runner/ahead.h"
#include "runner/build_request.h"
#include "runner/runner.h"

namespace hone::judge {
namespace {

template <typename Work>
BuiltAhead beside(Work work) {
  return std::async(std::launch::async, [work = std::move(work)]() -> std::optional<base::Fd> {
    try {
      return work();
    } catch (const std::exception&) {
      return std::nullopt;
    }
  });
}

// On a CPU there is nothing to compile, and it would disturb what is timed.
BuiltAhead build_python(const core::Task& task, const core::Candidate& candidate, const core::DeviceInfo& info,
                        double seconds) {
  if (core::capabilities(info).native_code || !task.interface) return {};
  return beside([task, candidate, info, seconds] {
    return runner::compile_ahead(runner::find_python(), info, python_image(task, candidate), seconds);
  });
}

}  // namespace

BuiltAhead build_ahead(const core::Task& task, const core::Candidate& candidate, const core::Point& point,
                       const core::DeviceInfo& info, double build_seconds) {
  if (candidate.language == core::Language::python) return build_python(task, candidate, info, build_seconds);
  const auto at = point.empty() ? core::default_point(candidate.plan) : point;
  const bool counted = task.reference_py && candidate.language == core::Language::cuda;
  return beside([request = runner::build_request(info, candidate.source, candidate.name, at), info, build_seconds,
                 counted]() -> std::optional<base::Fd> {
    const auto built = runner::build(request, info, build_seconds);
    if (built && built->result.ok && counted) (void)tensor_counts(built->result.image);
    return std::nullopt;
  });
}

std::size_t builds_at_once() { return std::max(1u, std::thread::hardware_concurrency() / 2); }

}  // namespace hone::judge
