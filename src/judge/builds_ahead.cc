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

// On a CPU candidates in Python compile nothing, and loading them would disturb what is timed.
bool compiles_nothing(const core::Task& task, const core::Candidate& candidate,
                      const core::DeviceInfo& info) {
  return candidate.language == core::Language::python &&
         (core::capabilities(info).native_code || !task.interface);
}

}  // namespace

std::optional<base::Fd> build_now(const core::Task& task, const core::Candidate& candidate,
                                  const core::Point& point, const core::DeviceInfo& info,
                                  double build_seconds) {
  if (compiles_nothing(task, candidate, info)) return std::nullopt;
  try {
    if (candidate.language == core::Language::python)
      return runner::compile_ahead(runner::find_python(), info, python_image(task, candidate),
                                   build_seconds);
    const auto at = point.empty() ? core::default_point(candidate.plan) : point;
    const auto built = runner::build(
        runner::build_request(info, candidate.source, candidate.name, at), info, build_seconds);
    if (built && built->result.ok && task.reference_py &&
        candidate.language == core::Language::cuda)
      (void)tensor_counts(built->result.image);
  } catch (const std::exception&) {  // the judge meets it again, and says so
  }
  return std::nullopt;
}

BuiltAhead build_ahead(const core::Task& task, const core::Candidate& candidate,
                       const core::Point& point, const core::DeviceInfo& info,
                       double build_seconds) {
  if (compiles_nothing(task, candidate, info)) return {};
  return std::async(std::launch::async,
                    [=] { return build_now(task, candidate, point, info, build_seconds); });
}

std::size_t builds_at_once() { return std::max(1u, std::thread::hardware_concurrency() / 2); }

}  // namespace hone::judge
