#include "judge/judge.h"

#include <algorithm>

#include "base/error.h"
#include "core/roofline.h"
#include "judge/room.h"

namespace hone::judge {

namespace {

JudgeOptions with_limits(JudgeOptions options) {
  constexpr double without_limit = 3600;  // seconds
  if (!options.guards.on(Guard::limits)) options.call_seconds = without_limit;
  return options;
}

}  // namespace

core::EvaluationKey evaluation_key(const std::string& candidate, const core::Point& point,
                                   const core::Task& task, const core::DeviceInfo& info,
                                   core::Depth depth, const std::string& case_name) {
  core::EvaluationKey key{candidate,        point, task.hash, info.uuid, info.driver, info.compiler,
                          protocol_version, depth, {}};
  if (!case_name.empty()) key.cases = {case_name};
  return key;
}

Judge::Judge(const core::Task& task, const core::DeviceInfo& info, JudgeOptions options)
    : task_(task),
      info_(info),
      options_(with_limits(std::move(options))),
      runners_(info_, options_.guards, options_.unsafe, options_.spare_runners,
               options_.first_runners),
      ops_(device::open_tensor_ops(info_)),
      secrets_(options_.guards.on(Guard::secret_seeds)),
      truth_(task_, info_, *ops_, options_.unsafe),
      inputs_(task_, info_, *ops_, truth_, secrets_, options_.guards) {
  truth_.limit().deadline = options_.deadline;
  truth_.limit().say = options_.progress;
}

Judge::~Judge() = default;

core::EvaluationKey Judge::key_for(const core::Candidate& candidate,
                                   const EvaluateOptions& options) const {
  auto key = evaluation_key(
      candidate.hash, options.point.empty() ? core::default_point(candidate.plan) : options.point,
      task_, info_, options.depth, options.case_name);
  if (candidate.language == core::Language::python && task_.interface)
    key.compiler = runners_.python().version;
  return key;
}

std::vector<const core::Case*> Judge::cases(const std::string& only) const {
  std::vector<const core::Case*> mine;
  bool named = false;
  for (const auto& which : task_.cases) {
    if (!only.empty() && which.name != only) continue;
    named = true;
    if (!core::is_for(which, info_)) continue;
    if (which.timed || options_.guards.on(Guard::odd_sizes)) mine.push_back(&which);
  }
  // Small checks first: what is wrong is found before anything is timed.
  std::stable_sort(mine.begin(), mine.end(),
                   [](const core::Case* a, const core::Case* b) { return !a->timed && b->timed; });
  if (!only.empty() && !named)
    base::fail(base::ExitCode::bad_input, "task {} has no case '{}'", task_.name, only);
  if (mine.empty())
    base::fail(base::ExitCode::bad_input, "task {} has no case for {} ({})", task_.name, info_.id,
               core::capabilities(info_).native_code ? "a CPU" : "a GPU");
  return mine;
}

void Judge::make_room(const core::Case& which) {
  if (inputs_.fit(which)) return;
  runners_.wait_for_ending();
  if (inputs_.fit(which)) return;
  inputs_.release_all();
  if (!inputs_.fit(which)) fail_for_room(need_of(task_, which), which, info_, *ops_);
}

}  // namespace hone::judge
