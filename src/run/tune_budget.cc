#include "run/tune_budget.h"

#include <algorithm>

#include "run/tune_job.h"

namespace hone::run {

bool tunes(const RunContext& context) {
  if (context.settings.tune_evals == 0 || context.task.external || context.writes_python())
    return false;
  return std::none_of(context.models.begin(), context.models.end(),
                      [](const auto& model) { return !model.second.client->recorded().empty(); });
}

int points_taken(const core::Tree& tree) {
  int taken = 0;
  for (const core::Node& node : tree.nodes) {
    if (node.state == core::Node::State::written) taken += node.tune_points;
    if (node.tuning) taken += node.tuning->points;
  }
  return taken;
}

int points_for(const RunContext& context, const core::Tree& tree,
               const core::Candidate& candidate) {
  if (!tunes(context) || candidate.plan.tunables.empty()) return 0;
  return std::clamp(context.settings.tune_evals - points_taken(tree), 0, more_points);
}

std::optional<TuneJob> tune_job_for(const core::Node& node, const core::Node* rival) {
  if (node.tune_points == 0) return std::nullopt;
  TuneJob tune{.most = node.tune_points};
  if (rival != nullptr) {
    tune.under = rival->seconds() * worth_tuning;
    tune.beats = rival->seconds();
  }
  return tune;
}

}  // namespace hone::run
