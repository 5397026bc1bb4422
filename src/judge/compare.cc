#include "judge/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "judge/candidate_trial.h"
#include "judge/compare_case.h"
#include "judge/lease.h"
#include "judge/since.h"

namespace hone::judge {

namespace {

core::Interval interval_of(const RatioEstimate& one) {
  return {std::exp(one.log_ratio - one.half_width), std::exp(one.log_ratio + one.half_width)};
}

// Both loaded; the first refusal is that of the candidate it is about.
using Loaded = Both<std::optional<Ready>>;
Loaded load_both(Judge& judge, const Both<const core::Candidate*>& candidates,
                 const Both<const EvaluateOptions*>& options, ComparisonResult& result) {
  int pythons = 0;
  for (const auto* candidate : candidates) pythons += candidate->language == core::Language::python ? 1 : 0;
  judge.runners().start(2 - pythons);
  if (pythons > 0) judge.runners().start(pythons, true);
  Loaded loaded;
  for (const Side side : both_sides) {
    core::Evaluation& evaluation = side == side_a ? result.a : result.b;
    auto ready = load(judge, *candidates[side], *options[side], evaluation);
    if (ready)
      loaded[side] = std::move(*ready);
    else
      add(evaluation, ready.error());
  }
  return loaded;
}

// Blocks of all cases in turn, until the rule is met.
base::Result<RatioEstimate, SideFinding> sample_blocks(std::vector<std::unique_ptr<CaseContest>>& contests,
                                                       const CompareRule& rule, int& blocks) {
  RatioEstimate now{0, std::numeric_limits<double>::infinity()};
  const auto start = Clock::now();
  while (!comparison_done(rule, now, blocks, since(start))) {
    for (auto& contest : contests)
      if (auto problem = contest->sample_block(blocks)) return base::Failure{*std::move(problem)};
    ++blocks;
    std::vector<std::vector<double>> all;
    for (const auto& contest : contests) all.push_back(contest->log_ratios());
    if (blocks >= 2) now = estimate(all);
  }
  return now;
}

using Contests = std::vector<std::unique_ptr<CaseContest>>;
// Verifies both on all cases; the timed ones go on.
base::Result<Contests, SideFinding> prepare_contests(Judge& judge, const Both<Ready*>& ready,
                                                     const std::vector<const core::Case*>& cases,
                                                     const CompareRule& rule) {
  Contests contests;
  for (const core::Case* which : cases) {
    auto contest = CaseContest::make(judge, ready, *which, rule.calls_per_letter, contests.empty());
    if (!contest) return base::Failure{contest.error()};
    if (auto problem = (*contest)->verify()) return base::Failure{*std::move(problem)};
    if (which->timed) contests.push_back(std::move(*contest));
  }
  for (auto& contest : contests)
    if (auto problem = contest->choose_clock()) return base::Failure{*std::move(problem)};
  if (!judge.options().guards.on(Guard::interleave))
    for (int block = 0; block < rule.most_blocks; ++block)
      for (auto& contest : contests)
        if (auto problem = contest->sample_first_beforehand()) return base::Failure{*std::move(problem)};
  return contests;
}

void conclude(const Contests& contests, const RatioEstimate& ratio, const CompareRule& rule, ComparisonResult& result) {
  std::vector<double> medians;
  for (const auto& contest : contests) {
    const auto one = estimate({contest->log_ratios()});
    medians.push_back(core::median(contest->times(side_a)));
    result.cases.push_back({contest->name(),
                            interval_of(one),
                            std::exp(one.log_ratio),
                            medians.back(),
                            core::median(contest->times(side_b)),
                            result.blocks,
                            {}});
    for (const double log_ratio : contest->log_ratios())
      result.cases.back().block_ratios.push_back(std::exp(log_ratio));
  }
  result.ratio = interval_of(ratio);
  result.ratio_estimate = std::exp(ratio.log_ratio);
  result.margin = margin_for(rule, core::geometric_mean(medians));
  result.word = core::word_for(result.ratio, result.margin);
  result.compared = true;
}

// With the device held. What ends the comparison: one of the two, and what was found.
std::optional<SideFinding> compare_on_device(Judge& judge, const Both<Ready*>& ready,
                                             const std::vector<const core::Case*>& cases, const CompareRule& rule,
                                             ComparisonResult& result) {
  auto contests = prepare_contests(judge, ready, cases, rule);
  if (!contests) return contests.error();
  const auto ratio = sample_blocks(*contests, rule, result.blocks);
  if (!ratio) return ratio.error();
  for (auto& contest : *contests)
    if (auto problem = contest->check_replay()) return problem;
  conclude(*contests, *ratio, rule, result);
  return std::nullopt;
}

}  // namespace

ComparisonResult compare(Judge& judge, const core::Candidate& first, const core::Candidate& second,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b, const CompareRule& rule) {
  const auto start = Clock::now();
  ComparisonResult result;
  const auto cases = judge.cases(options_a.case_name);
  judge.inputs().give_up_spare_sets();
  for (const core::Case* which : cases) judge.make_room(*which);
  auto loaded = load_both(judge, {&first, &second}, {&options_a, &options_b}, result);
  if (!loaded[side_a] || !loaded[side_b]) return result;
  judge.truth().get_ready();
  const Lease lease(judge.info(), judge.options().progress);
  result.a.outcome = result.b.outcome = core::Outcome::accepted;
  if (const auto problem = compare_on_device(judge, {&*loaded[side_a], &*loaded[side_b]}, cases, rule, result))
    add(problem->side == side_a ? result.a : result.b, problem->finding);
  else
    result.seconds = since(start);
  return result;
}

}  // namespace hone::judge
