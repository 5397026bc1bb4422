#include "store/standing.h"

#include "store/encoding.h"
#include "store/evaluations.h"

namespace hone::store {

std::vector<Standing> standing_evaluations(Archive& archive, const std::string& candidate,
                                           const StandingFilter& filter) {
  std::vector<Standing> all;
  std::string point, depth, outcome;
  for (Query query = archive.database().query("standing_evaluations", candidate,
                                              encode(filter.cases), filter.metric);
       query.step();) {
    Standing& one = all.emplace_back();
    query.read(one.id, one.task, one.device, point, depth, outcome);
    decode(point, one.point);
    one.depth = known_depth(depth);
    one.outcome = known_outcome(outcome);
  }
  return all;
}

std::optional<Standing> refusal_of(Archive& archive, const core::EvaluationKey& key) {
  for (auto& one : standing_evaluations(archive, key.candidate, {.cases = key.cases}))
    if (one.task == key.task && one.device == key.device && one.point == key.point) {
      if (one.outcome == core::Outcome::accepted) return std::nullopt;
      return std::move(one);
    }
  return std::nullopt;
}

}  // namespace hone::store
