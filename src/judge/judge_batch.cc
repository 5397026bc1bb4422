// The times of a candidate in Python: calls in a row at one word, by the judge's clock, and calls alone beside them.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "judge/judge_case.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;

namespace {

constexpr int single_calls = 3;     // alone, that tell how many in a row are worth it
constexpr double clearly_long = 5;  // times what a batch is worth: one is enough to know
constexpr std::size_t fewest_rows = 5, most_rows = 100;

}  // namespace

base::Result<std::size_t, CallFailure> Judge::calls_in_a_row(CaseRun& run) {
  // On a CPU calls take milliseconds, and what they cost by themselves stays in.
  if (!info_.is_cpu && options_.guards.on(Guard::judge_clock))
    run.cost = known_python_cost(run.which, run.plan, run.working);
  // An evaluator that does not look at errors, or works on the same memory for ever, makes one call after the other.
  if (!options_.guards.on(Guard::launch_errors) || !options_.guards.on(Guard::fresh_addresses)) return std::size_t{1};
  if (options_.calls_in_a_row > 0) return run.entries.size() < 2 ? 1 : options_.calls_in_a_row;
  const BatchLimits limits = batch_limits(info_.is_cpu);
  std::vector<double> single;
  for (int i = 0; i < single_calls && (single.empty() || single.back() < clearly_long * limits.seconds); ++i) {
    const auto called = time_calls(run, {run.entries.front()});
    if (!called) return base::Failure{called.error()};
    single.push_back(called->seconds);
  }
  return batch_size(limits, *std::min_element(single.begin(), single.end()), run.cost.word,
                    allocated_bytes(run.working), run.working.all().size(), bench_->free_bytes() + spare_bytes(),
                    run.entries.size());
}

std::optional<CallFailure> Judge::bind_batch(CaseRun& run, std::size_t count) {
  run.batch = std::make_unique<Batch>(*bench_, run.working);
  // What the candidate before left there, in and around its tensors, is none of this one's business.
  for (const auto& set : spare_sets_)
    for (auto& buffer : set->all()) {
      bench_->poison(buffer.data, buffer.shape.dtype, secrets_.seed());
      set->set_canaries(buffer, secrets_.seed());
    }
  bench_->finish();
  run.batch->grow(count, std::exchange(spare_sets_, {}));
  run.bindings = {run.bound.bindings};
  for (std::size_t i = 1; i < count; ++i) {
    const auto bindings = share(*run.bound.runner, *bench_, run.batch->set(i));
    if (!bindings)
      return CallFailure{bindings.error().outcome, {"limits", 40, true, run.which.name, bindings.error().text}};
    run.bindings.push_back(*bindings);
  }
  return std::nullopt;
}

// Gives the memory back, or keeps it for the next candidate where there is plenty: taking it takes longer than a row of
// calls. A runner that fails here fails in the next call, too.
void Judge::end_batch(CaseRun& run) {
  constexpr std::uint64_t plenty = 4;  // times what is kept
  spare_sets_ = run.batch->give_up();
  spare_case_ = run.which.name;
  if (bench_->free_bytes() < plenty * spare_bytes()) spare_sets_.clear();
  run.batch.reset();
  run.bindings.clear();
  if (!run.bound.runner->drop()) return;
  if (const auto bindings = share(*run.bound.runner, *bench_, run.working)) run.bound.bindings = *bindings;
}

std::uint64_t Judge::spare_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& set : spare_sets_) bytes += allocated_bytes(*set);
  return bytes;
}

// At random, so that nothing tells which of them an answer would do for.
std::vector<const Entry*> Judge::any_of(const std::vector<const Entry*>& entries, std::size_t count) {
  std::vector<const Entry*> drawn;
  while (drawn.size() < count) drawn.push_back(entries[secrets_.below(entries.size())]);
  return drawn;
}

std::string Judge::overlap_of(const core::ResolvedPlan& plan, const BufferSet& working, const PythonCost& cost,
                              double many, double few) {
  const BatchLimits limits = batch_limits(info_.is_cpu);
  if (!options_.guards.on(Guard::overlap)) return "";
  std::string why = overlap(limits, many, few, cost.gap);
  if (why.empty() || !info_.is_cpu) return why;
  // A busy machine takes its time to wake a process up. How long, is asked only now.
  constexpr double part = 0.75;  // of which twice is allowed
  return overlap(limits, many, few, part * python_cost(plan, working).word);
}

bool Judge::sample_in_a_row(CaseRun& run, std::size_t count, const SamplingRule& rule, CaseResult& result,
                            Evaluation& evaluation) {
  const auto fail = [&](const CallFailure& failure) {
    return convict(evaluation, failure.outcome, failure.evidence), false;
  };
  if (const auto problem = bind_batch(run, count)) return fail(*problem);
  std::vector<TimedCalls> unseen, few, single, many;
  const std::vector<const Entry*> all(run.entries.begin(), run.entries.end());
  // Rows are made of every second entry in turn: a few elements of one half are far larger, and may take longer. With
  // fewer entries than four a row would be one answer many times over.
  std::vector<Group> groups(all.size() >= 4 ? 2 : 1);
  for (std::size_t i = 0; i < all.size(); ++i) groups[i % groups.size()].entries.push_back(all[i]);
  const auto timed = [&](const std::vector<const Entry*>& entries,
                         std::vector<TimedCalls>& to) -> std::optional<CallFailure> {
    const auto called = time_calls(run, entries);
    if (!called) return called.error();
    to.push_back(*called);
    result.samples = seconds_in(many);
    result.error_max = std::max(result.error_max, called->error_max);
    return std::nullopt;
  };
  // New contents first; the verifying call has shown the first. On a CPU one by one, on a GPU all at one word, which is
  // what makes a short call's time stand out.
  const std::size_t fresh = info_.is_cpu ? 1 : std::min(count, run.entries.size() - 1);
  // The first row after a pause is a slow one, whatever it is called on: it is made of calls on what was shown.
  if (fresh > 1)
    if (const auto called = time_calls(run, std::vector<const Entry*>(fresh, run.entries.front())); !called)
      return fail(called.error());
  for (std::size_t at = 1; at + fresh <= run.entries.size(); at += fresh) {
    const auto first = run.entries.begin() + static_cast<std::ptrdiff_t>(at);
    if (const auto problem = timed({first, first + static_cast<std::ptrdiff_t>(fresh)}, unseen)) return fail(*problem);
  }
  SamplingRule batches = rule;
  batches.fewest = std::min(rule.fewest, fewest_rows);
  batches.most = std::clamp(rule.most, batches.fewest, most_rows);
  const auto start = Clock::now();
  while (!enough(batches, result.samples, since(start), options_.guards.on(Guard::sample_budget))) {
    Group& group = groups[many.size() % groups.size()];
    if (const auto problem = timed(any_of(group.entries, count), many)) return fail(*problem);
    group.seconds.push_back(many.back().seconds);
    if (single.size() < fewest_rows)
      if (const auto problem = timed(any_of(all, 1), single)) return fail(*problem);
    if (fresh > 1 && few.size() < fewest_rows)
      if (const auto problem = timed(any_of(all, fresh), few)) return fail(*problem);
  }
  if (fresh == 1) few = single;
  const double in_a_row = core::median(seconds_in(many)), alone = core::median(seconds_in(single));
  note_python_clock(run, count, alone, in_a_row, evaluation);
  result.wall_samples = walls_in(many);
  // Whoever is slow in short rows, where answers are held against remembered ones, is so by its own will.
  const auto& longer = alone >= core::median(seconds_in(few)) ? single : few;
  const double held_against = core::median(seconds_in(longer));
  const auto why = overlap_of(run.plan, run.working, run.cost, in_a_row, held_against);
  if (!why.empty()) {
    label(evaluation, "overlap", 11, run.which.name, why);
    result.samples = seconds_in(longer);
    result.wall_samples = walls_in(longer);
  }
  if (!check_replay(run, seconds_in(unseen), seconds_in(few), fresh, result, evaluation)) return false;
  if (const auto problem = count_slowest(run, groups, why.empty() ? count : 1, batches, result, evaluation))
    return fail(*problem);
  end_batch(run);
  result.median = core::median(result.samples);
  result.interval = core::median_interval(result.samples);
  result.wall_median = core::median(result.wall_samples);
  return true;
}

void Judge::note_python_clock(const CaseRun& run, std::size_t count, double alone, double in_a_row,
                              Evaluation& evaluation) {
  const auto add = [&](const char* tag, const char* hint, double value) {
    evaluation.metrics.push_back({std::string("clock.python_") + tag, hint, value, "", run.which.name, {}, {}});
  };
  add("calls", "1", static_cast<double>(count));
  add("in_a_row", "s", in_a_row);
  add("alone", "s", alone);
  if (info_.is_cpu) return;
  add("word", "s", run.cost.word);
  add("copy", "s", run.cost.copy);
  add("gap", "s", run.cost.gap);
  add("settle", "s", run.cost.settle);
}

}  // namespace hone::judge
