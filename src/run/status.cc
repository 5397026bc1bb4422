#include "run/status.h"

#include "base/json.h"
#include "run/journal.h"
#include "store/journal.h"

namespace hone::run {
namespace {

// The best node: how wide its widest interval is, and the case farthest from the ceiling.
void describe_best(RunStatus& status, const core::Node& best) {
  status.best = best.number;
  status.best_seconds = best.seconds();
  double widest = -1;
  for (const auto& result : best.verdict->cases) {
    if (!result.timed || result.median <= 0) continue;
    const core::Interval relative{result.interval.low / result.median,
                                  result.interval.high / result.median};
    if (relative.high - relative.low > widest) {
      widest = relative.high - relative.low;
      status.best_interval = relative;
    }
    if (result.ceiling_fraction &&
        (!status.ceiling_fraction || *result.ceiling_fraction < *status.ceiling_fraction)) {
      status.ceiling_fraction = result.ceiling_fraction;
      status.ceiling = result.ceiling;
    }
  }
}

// What a run does, beside what its tree says.
template <typename Status>
void describe_activity(base::Fields& f, Status& status) {
  f.optional("phase", status.phase).optional("doing", status.doing);
  f.optional("minutes", status.minutes).optional("device_seconds", status.device_seconds);
}

}  // namespace

RunStatus status_of(const core::Tree& tree, const std::string& run) {
  RunStatus status;
  status.run = run;
  for (const core::Node& node : tree.nodes) {
    status.generation = std::max(status.generation, node.place.generation);
    if (node.candidate.empty()) continue;
    ++status.candidates;
    if (node.accepted())
      ++status.accepted;
    else if (node.verdict)
      ++status.failed;
  }
  for (const core::DecidedAction& act : tree.actions)
    status.generation = std::max(status.generation, act.action.generation);
  if (const core::Node* seed = core::seed_of(tree)) {
    status.seed = seed->number;
    status.seed_seconds = seed->seconds();
  }
  constexpr int any_generation = 1 << 30;
  if (const auto ranked = core::ranking(tree, any_generation); !ranked.empty())
    describe_best(status, *ranked.front());
  return status;
}

std::string activity_text(const RunStatus& status) {
  return base::json_line([&](base::Fields& f) { describe_activity(f, status); });
}

RunStatus read_status(store::Archive& archive, const std::string& run) {
  RunStatus status = status_of(tree_of(archive, run), run);
  status.spending = store::spending_of(archive, run);
  const auto activity = store::activity_of(archive, run);
  if (!activity) return status;
  RunStatus told = status;
  try {
    base::read_json(activity->body, [&](base::Fields& f) { describe_activity(f, told); });
    return told;
  } catch (const base::Error&) {
    return status;  // of another version
  }
}

}  // namespace hone::run
