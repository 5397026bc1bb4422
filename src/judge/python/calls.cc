#include "judge/python/calls.h"

#include <algorithm>

namespace hone::judge {

using base::Failure;

namespace {

constexpr int single_calls = 3;     // alone, that tell how many calls a batch should have
constexpr double clearly_long = 5;  // times what a batch lasts: one call is enough to know

// An evaluator that does not read errors, or always works on the same memory, makes one call after
// the other.
bool may_have_batches(const Judge& judge) {
  const GuardSet& guards = judge.options().guards;
  return guards.on(Guard::launch_errors) && guards.on(Guard::fresh_addresses);
}

std::size_t calls_worth(CandidateTrial& trial, const PythonCost& cost, double single) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  return batch_size(batch_limits(trial.facts().clock), single, cost.request,
                    allocated_bytes(*working), working->all().size(),
                    judge.tensor_ops().free_bytes() + judge.inputs().spare_bytes(),
                    trial.known().size());
}

base::Result<std::size_t, Finding> calls_per_batch(CandidateTrial& trial, const PythonCost& cost) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  const auto& options = judge.options();
  if (!may_have_batches(judge)) return std::size_t{1};
  if (options.calls_per_batch > 0) return trial.known().size() < 2 ? 1 : options.calls_per_batch;
  const BatchLimits limits = batch_limits(trial.facts().clock);
  double shortest = 0;
  for (int i = 0; i < single_calls; ++i) {
    const auto called = trial.time({trial.known().front()});
    if (!called) return Failure{called.error()};
    shortest = i == 0 ? called->seconds : std::min(shortest, called->seconds);
    if (called->seconds >= clearly_long * limits.seconds) break;
  }
  return calls_worth(trial, cost, shortest);
}

Sampled sample_in_batches(CandidateTrial& trial, const SamplingRule& rule, std::size_t count) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  auto batch = std::make_shared<Batch>(judge.tensor_ops(), *working);
  batch->grow(count, judge.inputs().take_spare_sets());
  if (auto problem = trial.use_batch(std::move(batch))) return {{}, std::move(problem)};
  auto sampled = sample_batches(trial, rule, count);
  if (sampled.ok()) trial.end_batch();
  return sampled;
}

}  // namespace

Sampled sample_python(CandidateTrial& trial, const SamplingRule& rule,
                      const StopEarly& stop_early) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  JudgedBy judged_by{judge.options().guards.on(Guard::judge_clock), {}};
  // By the judge's clock calls take milliseconds, and what they cost by themselves stays in.
  if (trial.facts().clock == core::ClockKind::device && judged_by.judge_clock)
    judged_by.cost = judge.python_costs().known(judge, which, plan, *working);
  trial.judge_by(judged_by);
  const auto count = calls_per_batch(trial, judged_by.cost);
  if (!count) return {{}, count.error()};
  if (*count > 1) return sample_in_batches(trial, rule, *count);
  auto sampled = sample_calls(trial, rule, stop_early);
  if (!sampled.ok() || !may_have_batches(judge)) return sampled;
  // Its first calls were slow, later ones are not: it is timed in batches after all, like any other
  // that is as fast.
  const std::size_t worth = calls_worth(trial, judged_by.cost, core::median(sampled->samples));
  return worth > 1 ? sample_in_batches(trial, rule, worth) : sampled;
}

void note_python_clock(CandidateTrial& trial, const Timing& timing, core::Evaluation& evaluation) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  const auto note = [&](const char* tag, const char* hint, double value) {
    add_metric(evaluation, std::string("clock.python_") + tag, hint, value, which.name);
  };
  note("calls", "1", static_cast<double>(timing.calls_per_batch));
  note("in_a_row", "s", timing.batched);
  note("alone", "s", timing.alone);
  if (trial.facts().clock == core::ClockKind::judge ||
      !judge.options().guards.on(Guard::judge_clock))
    return;
  const PythonCost& cost = judge.python_costs().known(judge, which, plan, *working);
  note("word", "s", cost.request);
  note("copy", "s", cost.copy);
  note("gap", "s", cost.gap);
  note("settle", "s", cost.settle);
  note("late", "s", trial.most_late());
  note("early", "s", trial.most_early());
}

}  // namespace hone::judge
