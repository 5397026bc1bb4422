#include "run/record_tuning.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tree.h"
#include "run/names.h"
#include "run/tune_job.h"
#include "store/evaluations.h"

namespace hone::run {

core::Tuning record_tuning(store::Archive& archive, const core::Node& node,
                           const core::Candidate& written, const JobResult& result,
                           const std::string& run) {
  core::Tuning tuning = *result.tuning;
  // It may come from elsewhere, and the budget is counted by it.
  tuning.points = std::clamp(tuning.points, 0, node.tune_points);
  tuning.failed = std::clamp(tuning.failed, 0, tuning.points);
  tuning.candidate = tuning.comparison = "";
  if (result.as_written) store::record_evaluation(archive, *result.as_written, result.device.name);
  if (result.beside_default)
    tuning.comparison = store::record_comparison(archive, *result.beside_default);
  if (!tuning.changed()) return tuning;
  core::Candidate tuned = with_defaults(written, tuning.point);
  tuned.name = node.name;
  tuning.candidate = tuned.hash;
  record_candidate(archive, tuned,
                   {{node.candidate},
                    node.author,
                    fmt::format("run {}, {}, tuned", run, name_of_place(node.place))});
  return tuning;
}

}  // namespace hone::run
