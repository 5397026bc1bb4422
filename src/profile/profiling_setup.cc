#include "profile/profiling_setup.h"
#include "runner/build_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hone::profile {

ProfilingSetup::ProfilingSetup(judge::Judge& judge_, const core::Candidate& candidate_,
                               const core::Point& point_, const core::Case& which_,
                               const core::ResolvedPlan& plan_)
    : judge(judge_),
      candidate(candidate_),
      point(point_),
      which(which_),
      plan(plan_),
      working(judge.tensor_ops(), plan.buffers),
      caller(judge.task(), which, judge.tensor_ops(), working, judge.secrets(),
             judge.options().guards, judge.info()),
      inputs(*judge.inputs().pool(which).plain(1).front()) {}

base::Result<runner::Built> build_for(const judge::Judge& judge, const core::Candidate& candidate,
                                      const core::Point& point, bool line_info) {
  const auto& info = judge.info();
  auto request = runner::build_request(info, candidate.source, candidate.name, point);
  request.line_info = line_info;
  auto built = runner::build(request, info, judge.options().build_seconds);
  if (!built) return base::Failure{built.error().text};
  if (!built->result.ok) return base::Failure{"the build failed: " + built->result.log};
  if (!built->result.forbidden.empty() && judge.options().guards.on(judge::Guard::globals))
    return base::Failure{
        fmt::format("a candidate may not have: {}", fmt::join(built->result.forbidden, "; "))};
  return *std::move(built);
}

base::Result<Loaded> load_into(ProfilingSetup& setup, std::unique_ptr<runner::Runner> runner,
                               const std::string& image) {
  std::vector<std::string> names;
  for (const auto& launch : setup.candidate.plan.launches)
    if (std::find(names.begin(), names.end(), launch.kernel) == names.end())
      names.push_back(launch.kernel);
  Loaded loaded{{setup.candidate, setup.point, std::move(runner), {}}, {}};
  auto kernels = loaded.ready.runner->load(image, names, setup.judge.options().build_seconds);
  if (!kernels) return base::Failure{kernels.error().text};
  loaded.ready.kernels = *std::move(kernels);
  auto bound = judge::bind(setup.judge, loaded.ready, setup.plan, setup.working);
  if (!bound) return base::Failure{bound.error().text};
  loaded.bound = *std::move(bound);
  return loaded;
}

}  // namespace hone::profile
