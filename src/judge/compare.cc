#include "judge/compare.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "judge/build.h"
#include "judge/candidate_trial.h"
#include "judge/compare_case.h"
#include "judge/doubt.h"
#include "judge/lease.h"
#include "judge/since.h"
#include "runner/contention.h"

namespace hone::judge {

namespace {

void start_runners(Judge& judge, const Both<const core::Candidate*>& candidates) {
  int pythons = 0;
  for (const auto* candidate : candidates)
    pythons += candidate->language == core::Language::python ? 1 : 0;
  judge.runners().start(2 - pythons);
  if (pythons > 0) judge.runners().start(pythons, true);
}

// So that nothing is built while the device is held. What came of it is in the cache, or is told
// when it is loaded.
void build_ahead(const Judge& judge, const Both<const core::Candidate*>& candidates,
                 const Both<const EvaluateOptions*>& options) {
  core::Evaluation unused;
  for (const Side side : both_sides) {
    const core::Candidate& candidate = *candidates[side];
    if (core::kernel_names(candidate.plan).empty() ||
        !core::can_run(candidate.language, judge.info()))
      continue;
    (void)build_image(candidate, judge.key_for(candidate, *options[side]).point, judge.info(),
                      judge.options().guards, judge.options().build_seconds, unused);
  }
}

// While the runners start, where there is plenty of memory: inputs of a timed case take as long as
// they do.
void draw_ahead(Judge& judge, const std::vector<const core::Case*>& cases, bool hold_state) {
  constexpr std::uint64_t plenty = 4;  // times what is needed
  for (const core::Case* which : cases) {
    const std::size_t count = inputs_wanted(*which, hold_state);
    const std::uint64_t needed = count * Pool::entry_bytes(judge.task(), *which) +
                                 bytes_beside_entries(judge.task(), *which);
    if (judge.tensor_ops().free_bytes() > plenty * needed) judge.inputs().pool(*which).plain(count);
  }
}

// Both loaded; the first refusal is that of the candidate it is about.
using Loaded = Both<std::optional<Ready>>;
Loaded load_both(Judge& judge, const Both<const core::Candidate*>& candidates,
                 const Both<const EvaluateOptions*>& options, ComparisonResult& result) {
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

// The procedure on the device: all cases, round by round.
class RoundSampler {
 public:
  RoundSampler(Judge& judge, const Both<Ready*>& ready, const CompareRule& rule)
      : judge_(judge), ready_(ready), rule_(rule), turns_(judge, ready_) {}

  // Verifies both on all cases; the timed ones go on.
  MaybeSideFinding prepare(const std::vector<const core::Case*>& cases);
  // Until the rule is met.
  MaybeSideFinding sample();
  void conclude(ComparisonResult& result) const;

 private:
  MaybeSideFinding sample_round();
  MaybeSideFinding sample_half();
  MaybeSideFinding exchange();
  MaybeSideFinding renew();
  Rounds rounds() const;

  Judge& judge_;
  Both<Ready*> ready_;
  CompareRule rule_;
  Turns turns_;
  std::vector<std::unique_ptr<CaseContest>> contests_;
  int rounds_ = 0, blocks_ = 0;
  int renewed_at_ = 0;  // rounds, when buffers were made anew
  Stop stopped_by_ = Stop::not_yet;
  double elapsed_ = 0;
  double outside_share_ = 0;  // of the calls' time, that other programs cost
};

MaybeSideFinding RoundSampler::prepare(const std::vector<const core::Case*>& cases) {
  for (const core::Case* which : cases) {
    auto contest = CaseContest::make(judge_, ready_, *which, rule_, turns_, contests_.empty());
    if (!contest) return contest.error();
    if (auto problem = (*contest)->verify()) return problem;
    if (which->timed) contests_.push_back(std::move(*contest));
  }
  for (auto& contest : contests_)
    if (auto problem = contest->choose_clock(judge_)) return problem;
  if (!judge_.options().guards.on(Guard::interleave))
    for (int round = 0; round < rule_.most_rounds; ++round)
      for (auto& contest : contests_)
        if (auto problem = contest->sample_first_beforehand()) return problem;
  return std::nullopt;
}

MaybeSideFinding RoundSampler::sample() {
  const auto start = Clock::now();
  // By the judge's clock other programs lengthen calls, and not those of both sides alike.
  std::optional<runner::ContentionMeter> meter;
  if (core::clock_of(judge_.info()) == core::ClockKind::judge) meter.emplace();
  do {
    if (auto problem = sample_round()) return problem;
    ++rounds_;
    elapsed_ = since(start);
    stopped_by_ = stop_after(rule_, rounds(), elapsed_);
  } while (stopped_by_ == Stop::not_yet);
  if (meter && runner::is_busy(meter->so_far()))
    outside_share_ = runner::outside_delay(meter->so_far()) / meter->so_far().window;
  meter.reset();
  // Measured anew: the rounds are over, and what made them slow may be over too.
  const runner::ContentionMeter in_the_end;
  for (auto& contest : contests_)
    if (auto problem = contest->check_replay()) {
      problem->finding = unless_busy(std::move(problem->finding), in_the_end.so_far());
      return problem;
    }
  return std::nullopt;
}

// Every half-round but the first begins with an exchange, so that no two of them rest on the same
// loads.
MaybeSideFinding RoundSampler::sample_round() {
  if (rule_.exchange) {
    if (rounds_ > 0)
      if (auto problem = exchange()) return problem;
    if (auto problem = sample_half()) return problem;
    if (auto problem = exchange()) return problem;
  } else if (auto problem = renew()) {
    return problem;
  }
  if (auto problem = sample_half()) return problem;
  for (auto& contest : contests_) contest->end_round();
  return std::nullopt;
}

MaybeSideFinding RoundSampler::sample_half() {
  for (auto& contest : contests_)
    if (auto problem = contest->sample_block()) return problem;
  ++blocks_;
  return std::nullopt;
}

// Each runner unloads the one candidate and loads the other.
MaybeSideFinding RoundSampler::exchange() {
  for (auto& contest : contests_) contest->pair().exchange();
  for (const Side side : both_sides) {
    const Ready& ready = *ready_[side];
    const auto loaded = contests_.front()->pair().runner(side).load(
        ready.image, core::kernel_names(ready.candidate.plan), judge_.options().build_seconds);
    if (!loaded) return SideFinding{side, runner_failure(loaded.error())};
  }
  for (auto& contest : contests_) contest->let_warm_up();
  return std::nullopt;
}

// Where memory lies can make a difference for as long as it lies there. So it is made anew after
// half of the fewest rounds, and whenever there have been twice as many since: no place carries
// much more than half of the rounds.
MaybeSideFinding RoundSampler::renew() {
  const int next = renewed_at_ == 0 ? (rule_.fewest_rounds + 1) / 2 : 2 * renewed_at_;
  if (rounds_ < next || !judge_.options().guards.on(Guard::interleave)) return std::nullopt;
  renewed_at_ = rounds_;
  bool first = true;
  for (auto& contest : contests_)
    if (auto problem = contest->renew(std::exchange(first, false))) return problem;
  for (auto& contest : contests_) contest->let_warm_up();
  return std::nullopt;
}

Rounds RoundSampler::rounds() const {
  Rounds all;
  for (const auto& contest : contests_) all.push_back(contest->rounds());
  return all;
}

void RoundSampler::conclude(ComparisonResult& result) const {
  const Rounds all = rounds();
  for (std::size_t i = 0; i < contests_.size(); ++i) {
    const RatioEstimate one = estimate(all[i].log_ratios);
    result.cases.push_back({contests_[i]->name(),
                            interval_of(one, Look::last),
                            std::exp(one.log_ratio),
                            all[i].seconds,
                            core::median(contests_[i]->times(side_b)),
                            {}});
    for (const double log_ratio : all[i].log_ratios)
      result.cases.back().round_ratios.push_back(std::exp(log_ratio));
  }
  const RatioEstimate ratio = estimate_of_all(all);
  result.ratio = interval_of(ratio, Look::last);
  result.ratio_estimate = std::exp(ratio.log_ratio);
  result.margin = margin_of_all(rule_, all);
  result.word = word_when_busy(rule_, all, outside_share_);
  result.busy = result.word != word_of(rule_, all, Look::last);
  result.outside_share = outside_share_;
  if (result.word == core::Comparison::cannot_tell && !result.busy)
    result.seconds_needed = seconds_needed(rule_, all, elapsed_);
  result.stopped_by = stopped_by_;
  result.rounds = rounds_;
  result.blocks = blocks_;
  result.compared = true;
}

// With the device held. What ends the comparison: what was found, about one of the two or about
// neither.
MaybeSideFinding compare_on_device(Judge& judge, const Both<Ready*>& ready,
                                   const std::vector<const core::Case*>& cases,
                                   const CompareRule& rule, ComparisonResult& result) {
  // Without the guard, all of a's calls come first.
  const bool exchange =
      rule.exchange && can_exchange(judge, ready) && judge.options().guards.on(Guard::interleave);
  result.rule = exchange ? rule : without_exchange(rule);
  if (!have_like_scratch(judge, ready, cases)) result.rule = with_memory_apart(result.rule);
  RoundSampler sampler(judge, ready, result.rule);
  if (auto problem = sampler.prepare(cases)) return problem;
  if (auto problem = sampler.sample()) return problem;
  sampler.conclude(result);
  return std::nullopt;
}

}  // namespace

bool was_judged(const core::Evaluation& side) {
  return side.outcome != core::Outcome::rejected || !side.evidence.empty();
}

ComparisonResult compare(Judge& judge, const core::Candidate& first, const core::Candidate& second,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b,
                         const CompareRule& rule) {
  const auto start = Clock::now();
  ComparisonResult result;
  const auto cases = judge.cases(options_a.case_name);
  if (std::none_of(cases.begin(), cases.end(),
                   [](const core::Case* which) { return which->timed; }))
    base::fail(base::ExitCode::bad_input, "case {} is not timed: there is nothing to compare",
               options_a.case_name);
  // Everything that can be done before the device is held: room, runners, builds, the reference.
  judge.inputs().release_spare_sets();
  for (const core::Case* which : cases) judge.make_room(*which);
  const Both<const core::Candidate*> candidates = {&first, &second};
  const Both<const EvaluateOptions*> options = {&options_a, &options_b};
  start_runners(judge, candidates);
  build_ahead(judge, candidates, options);
  judge.truth().get_ready();
  const Lease lease(judge.info(), judge.options().progress);
  if (rule.seconds > 10)
    judge.options().progress(fmt::format("comparing side by side: at most {:.0f} s", rule.seconds));
  draw_ahead(judge, cases, hold_state(judge, first, second));
  auto loaded = load_both(judge, candidates, options, result);
  if (!loaded[side_a] || !loaded[side_b]) return result;
  judge.runners().wait_until_open();
  result.a.outcome = result.b.outcome = core::Outcome::accepted;
  const auto problem =
      compare_on_device(judge, {&*loaded[side_a], &*loaded[side_b]}, cases, rule, result);
  if (problem && !problem->side)
    result.refusal = problem->finding.text;
  else if (problem)
    add(*problem->side == side_a ? result.a : result.b, problem->finding);
  for (auto& ready : loaded) judge.runners().end_in_background(std::move(ready->runner));
  result.seconds = since(start);
  return result;
}

}  // namespace hone::judge
