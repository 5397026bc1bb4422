#include "app/accepted.h"

#include "judge/doubt.h"
#include "run/record.h"
#include "store/evaluations.h"
#include "store/standing.h"

namespace hone::app {
namespace {

// The refusal that a deeper evaluation by today's rules came to. It stands whatever an evaluation
// of this depth says.
std::optional<core::Evaluation> deeper_refusal(store::Archive& archive,
                                               const core::EvaluationKey& key) {
  const auto refusal = store::refusal_of(archive, key);
  if (!refusal || refusal->depth == key.depth || key.depth == core::Depth::certify)
    return std::nullopt;
  core::Evaluation evaluation = store::get_evaluation(archive, refusal->id).evaluation;
  if (evaluation.key.protocol != key.protocol) return std::nullopt;
  return evaluation;
}

}  // namespace

core::Evaluation Accepted::operator()(const core::Candidate& candidate) {
  made_now = false;
  auto key = judge.key_for(candidate, options);
  if (archive)
    if (auto refused = deeper_refusal(*archive, key)) return *std::move(refused);
  for (const core::Depth depth : {options.depth, core::Depth::certify}) {
    key.depth = depth;
    auto known = archive ? store::find_evaluation(*archive, key) : std::nullopt;
    if (known && known->evaluation.outcome == core::Outcome::accepted)
      return std::move(known->evaluation);
  }
  made_now = true;
  core::Evaluation evaluation = judge::evaluate_twice_if_undecided(judge, candidate, options);
  record([&] { run::record(*archive, judge.task(), candidate, evaluation, judge.info()); });
  return evaluation;
}

}  // namespace hone::app
