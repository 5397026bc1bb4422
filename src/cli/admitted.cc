#include "cli/admitted.h"

#include "judge/doubt.h"
#include "run/record.h"
#include "store/evaluations.h"

namespace hone::cli {

core::Evaluation Admitted::operator()(const core::Candidate& candidate) {
  auto key = judge.key_for(candidate, options);
  for (const core::Depth depth : {options.depth, core::Depth::certify}) {
    key.depth = depth;
    auto known = archive ? store::find_evaluation(*archive, key) : std::nullopt;
    if (known && known->evaluation.outcome == core::Outcome::accepted) return std::move(known->evaluation);
  }
  core::Evaluation evaluation = judge::evaluate_in_doubt(judge, candidate, options);
  record([&] { run::record(*archive, judge.task(), candidate, evaluation, judge.info()); });
  return evaluation;
}

}  // namespace hone::cli
