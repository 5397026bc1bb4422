// Evaluating a candidate: case by case verified, timed, checked and placed; then certified if that
// was asked for.
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "core/precision.h"
#include "core/stats.h"
#include "judge/candidate_trial.h"
#include "judge/certify.h"
#include "judge/clocks.h"
#include "judge/device_state.h"
#include "judge/diagnose.h"
#include "judge/doubt.h"
#include "judge/floors.h"
#include "judge/judge.h"
#include "judge/lease.h"
#include "judge/own_check.h"
#include "judge/precision/arithmetic_used.h"
#include "judge/precision/classes.h"
#include "judge/python/calls.h"
#include "judge/python/record.h"
#include "judge/sanitize.h"
#include "judge/since.h"
#include "judge/stale_scratch.h"
#include "judge/timing.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

std::size_t entries_wanted(const core::Case& which, core::Depth depth) {
  constexpr std::size_t to_check = 2, to_screen = 4, to_certify = 6;
  if (!which.timed) return to_check;
  return depth == core::Depth::certify ? to_certify : to_screen;
}

// Calls the candidate on one input and keeps the worst error.
class Verifier {
 public:
  Verifier(CandidateTrial& trial, CaseResult& result) : trial_(trial), result_(result) {}

  MaybeFinding check(const Entry& entry) {
    const auto& options = trial_.parts().judge.options();
    CallOptions call = usual_call(trial_.parts().judge);
    // Candidates in Python often compile in their first call.
    if (first_ && trial_.facts().hostile) call.seconds = first_call_seconds(options);
    const auto called = trial_.call(entry, call);
    if (!called) return called.error();
    if (std::exchange(first_, false)) result_.first_call = called->timed.judge_seconds;
    trial_.parts().judge.kernel_seconds() += called->timed.report.wall_seconds;
    result_.error_max = std::max(result_.error_max, called->errors.max);
    if (called->errors.rms >= result_.error_rms) {
      result_.error_rms = called->errors.rms;
      result_.honest_rms = called->errors.honest_rms;
    }
    return std::nullopt;
  }

 private:
  CandidateTrial& trial_;
  CaseResult& result_;
  bool first_ = true;
};

MaybeFinding verify(CandidateTrial& trial, core::Depth depth, CaseResult& result) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  Verifier verifier(trial, result);
  for (const Entry* entry : trial.known()) {
    if (auto problem = verifier.check(*entry)) return problem;
    if (which.timed) break;
  }
  if (!checks_variants(judge.task(), which, depth)) return std::nullopt;
  Pool& pool = judge.inputs().pool(which);
  const Entries& mixed_in = trial.mix().variants;  // these come between the timed calls
  if (!mixed_in.empty() && mixed_in.size() == pool.variants().size()) return std::nullopt;
  const std::uint64_t needed =
      Pool::entry_bytes(judge.task(), which) + bytes_beside_entries(judge.task(), which);
  for (const core::Variant variant : pool.variants()) {
    const Entry& entry = pool.variant(variant, judge.tensor_ops().free_bytes() > needed);
    if (auto problem = verifier.check(entry)) return problem;
    caller.forget(entry);
  }
  return std::nullopt;
}

// What the order of calls cannot show on this task, or not at this depth.
void note_mix(const CandidateTrial& trial, Judge& judge, const core::Case& which,
              Evaluation& evaluation) {
  const GuardSet& guards = trial.guards();
  if (judge.inputs().pool(which).variants().empty() && guards.on(Guard::variants))
    add(evaluation,
        in_case(which.name, label(Guard::sequence,
                                  "the task allows no variants of its inputs: whether it computes "
                                  "on all values is shown by a few changed elements only")));
  if (trial.mix().never_used.empty() && guards.on(Guard::never_used))
    add(evaluation,
        in_case(which.name,
                label(Guard::never_used,
                      fmt::format(
                          "it was not verified on inputs of its own, for which the reference takes "
                          "{:.2g} s each: certifying does that, as far as there is memory",
                          judge.inputs().pool(which).seconds_per_entry()))));
}

void set_medians(CaseResult& result) {
  result.median = core::median(result.samples);
  result.interval = core::median_interval(result.samples);
  result.wall_median = core::median(result.wall_samples);
}

StopEarly stop_early_on(const EvaluateOptions& options, const CaseResult& result) {
  if (!options.stop_early) return {};
  return [&](const std::vector<double>& samples) {
    CaseResult so_far = result;
    so_far.samples = samples;
    so_far.median = core::median(samples);
    return options.stop_early(so_far);
  };
}

Sampled sample(CandidateTrial& trial, const EvaluateOptions& options, CaseResult& result) {
  const auto& judging = trial.parts().judge.options();
  const SamplingRule rule =
      judging.sampling ? *judging.sampling
                       : rule_for(trial.facts().clock, options.depth == core::Depth::certify);
  return trial.facts().hostile ? sample_python(trial, rule, stop_early_on(options, result))
                               : sample_calls(trial, rule, stop_early_on(options, result));
}

// Where the judge's clock counts, what other programs did to the times is known. Reading that takes
// 0.2 ms a call or more, which calls that a device times need not pay for.
Sampled sample_in_doubt(CandidateTrial& trial, const EvaluateOptions& options, CaseResult& result,
                        Evaluation& evaluation) {
  if (!trial.facts().can_remember) return sample(trial, options, result);
  const runner::ContentionMeter meter;
  Sampled sampled = sample(trial, options, result);
  // Tests on machines that are never idle would rather have a label than no verdict.
  if (sampled.finding || !quick_in_all()) doubt(sampled, meter.so_far());
  if (meter.so_far().calls > 0)
    add_metric(evaluation, "clock.outside_delay", "1", runner::outside_share(meter.so_far()),
               result.name);
  return sampled;
}

MaybeFinding time_case(CandidateTrial& trial, const EvaluateOptions& options, CaseResult& result,
                       Evaluation& evaluation) {
  const auto& judging = trial.parts().judge.options();
  const std::string& name = result.name;
  auto [timing, problem] = sample_in_doubt(trial, options, result, evaluation);
  for (const Finding& one : timing.labels) add(evaluation, one);
  if (trial.facts().hostile && timing.alone > 0) note_python_clock(trial, timing, evaluation);
  result.error_max = std::max(result.error_max, trial.parts().caller.results().worst_error());
  if (timing.variants > 0) add_metric(evaluation, "time.variants", "s", timing.variants, name);
  result.samples = std::move(timing.samples);
  result.wall_samples = std::move(timing.walls);
  // A tuner learns from the time of a point that it stopped.
  if (!problem || is_stopped_early(*problem)) set_medians(result);
  if (problem) return problem;
  const bool has_events =
      !trial.facts().hostile && core::capabilities(trial.parts().judge.info()).device_clock;
  if (!has_events || !judging.guards.on(Guard::judge_clock) ||
      !judging.guards.on(Guard::launch_errors))
    return std::nullopt;
  const runner::ContentionMeter meter;
  const auto clocks = check_clocks(trial, result.median, judging.call_seconds);
  if (!clocks) return unless_busy(clocks.error(), meter.so_far());
  add_metric(evaluation, "clock.batch_device", "s", clocks->device, name);
  add_metric(evaluation, "clock.batch_judge", "s", clocks->judge, name);
  return std::nullopt;
}

// Where any precision is taken that the tolerance takes, a narrow one is labelled, once.
void label_narrow_precision(CandidateTrial& trial, Evaluation& evaluation) {
  const std::string& text = trial.parts().caller.results().narrow_precision();
  const bool labelled =
      std::any_of(evaluation.evidence.begin(), evaluation.evidence.end(), [](const auto& one) {
        return one.guard == name_of(Guard::precision) && one.row == row_of(Guard::precision);
      });
  if (text.empty() || labelled) return;
  add(evaluation,
      in_case(trial.facts().case_name,
              label(Guard::precision,
                    text + ". The tolerance found for the problem's own check takes it")));
}

MaybeFinding check_floor(const Judge& judge, const core::Case& which, CaseResult& result,
                         Evaluation& evaluation) {
  const core::Ceilings& ceilings = judge.options().ceilings;
  apply_work(judge.task(), which, judge.info(), ceilings, result);
  const auto floor = floor_for(result, judge.info(), ceilings);
  if (judge.options().guards.on(Guard::floor) && result.median < floor.seconds)
    return in_case(
        which.name,
        conviction(
            Outcome::below_floor, Guard::floor,
            fmt::format("{:.4g} s is less than the {:.4g} s that {} needs; no kernel can do that",
                        result.median, floor.seconds, floor.what)));
  if (const auto text = arithmetic_note(result, ceilings); !text.empty())
    add(evaluation, in_case(which.name, label(Guard::floor, text)));
  constexpr double noise = 1.05;
  if (result.ceiling_fraction.value_or(0) > noise && !has_faster_units(result.ceiling, ceilings))
    add(evaluation,
        in_case(
            which.name,
            label(Guard::none,
                  fmt::format(
                      "it reaches {:.2f} times the measured ceiling of {}: that was measured too "
                      "low, on a busy machine perhaps. `hone doctor --measure` measures it again",
                      *result.ceiling_fraction, result.ceiling))));
  return std::nullopt;
}

// What is asked of a timed case after its times are known.
MaybeFinding judge_times(CandidateTrial& trial, const Ready& ready, const EvaluateOptions& options,
                         CaseResult& result, Evaluation& evaluation) {
  Judge& judge = trial.parts().judge;
  const auto below_floor = check_floor(judge, trial.parts().which, result, evaluation);
  if (core::has_operations(ready.candidate.plan)) note_own_share(trial, evaluation);
  const bool stop = options.stop_early && options.stop_early(result);
  // A tuning point is placed in a class only where it could win and a class is asked for.
  const bool place = !options.stop_early || (!stop && !judge.task().wanted_class.empty());
  if (core::has_classes(judge.task()) && place && !below_floor)
    if (auto problem = place_in_classes(trial, result, evaluation)) return problem;
  if (judge.task().reference_py) note_arithmetic_used(judge, ready, evaluation);
  if (!below_floor && stop) return stopped_early(result.name);
  return below_floor;
}

MaybeFinding judge_case(CandidateTrial& trial, const Ready& ready, const EvaluateOptions& options,
                        CaseResult& result, Evaluation& evaluation) {
  const core::DeviceInfo& info = trial.parts().judge.info();
  const auto verifying = Clock::now();
  if (auto problem = verify(trial, options.depth, result)) return problem;
  add_metric(evaluation, "seconds.verify", "s", since(verifying), result.name);
  if (result.timed) {
    const auto sampling = Clock::now();
    const auto problem = time_case(trial, options, result, evaluation);
    add_metric(evaluation, "seconds.sample", "s", since(sampling), result.name);
    if (problem) return problem;
  }
  if (auto problem = check_stale_scratch(trial)) return problem;
  if (result.timed && trial.facts().hostile && core::capabilities(info).records_kernels)
    if (auto problem = note_own_kernels(trial, result, evaluation)) return problem;
  label_narrow_precision(trial, evaluation);
  return result.timed ? judge_times(trial, ready, options, result, evaluation) : std::nullopt;
}

MaybeFinding evaluate_case(Judge& judge, Ready& ready, const core::Case& which,
                           const EvaluateOptions& options, Evaluation& evaluation, Failed& failed) {
  judge.options().progress(fmt::format("case {}", which.name));
  auto plan = fitted_plan(judge, ready, which);
  if (!plan) return in_case(which.name, rejection(plan.error()));
  judge.inputs().release_spare_sets_of_other_cases(which);
  const auto entries =
      judge.inputs().entries_that_fit(*plan, which, entries_wanted(which, options.depth));
  if (!entries) return in_case(which.name, rejection(entries.error()));
  auto trial = make_trial(judge, ready, which, *std::move(plan), *entries);
  if (!trial) return trial.error();
  if (is_mixed(**trial, which)) {
    const bool is_tuned = static_cast<bool>(options.stop_early);
    if (auto problem = (*trial)->mix_in(options.depth, !is_tuned)) return problem;
    if (!is_tuned) note_mix(**trial, judge, which, evaluation);
  }
  CaseResult result;
  result.name = which.name;
  result.timed = which.timed;
  auto problem = judge_case(**trial, ready, options, result, evaluation);
  failed = {&which, problem ? (*trial)->calls_made() : Failed::not_known};
  evaluation.cases.push_back(std::move(result));
  return problem;
}

void note_state(const core::DeviceInfo& info, const char* when, Evaluation& evaluation) {
  const auto state = device_state(info);
  const auto add_state = [&](const char* tag, const char* hint,
                             const std::optional<double>& value) {
    add_metric(evaluation, fmt::format("{}.{}", tag, when), hint, value, "",
               value ? "" : state.missing);
  };
  add_state("clock.sm", "MHz", state.sm_clock_mhz);
  add_state("clock.memory", "MHz", state.memory_clock_mhz);
  add_state("temperature", "C", state.temperature_c);
  add_state("power", "W", state.power_w);
  const auto note = [&](std::string text) { add(evaluation, label(Guard::none, std::move(text))); };
  if (!state.throttle.empty())
    note(fmt::format("{} the measurement the device was throttled: {}", when, state.throttle));
  if (!state.other_users.empty())
    note(fmt::format("{} the measurement other programs were using the device: {}", when,
                     fmt::join(state.other_users, ", ")));
}

// With the device held: everything that is timed.
void evaluate_on_device(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases,
                        const EvaluateOptions& options, Evaluation& evaluation, Failed& failed) {
  judge.truth().get_ready();
  const auto asked = Clock::now();
  const Lease lease(judge.info(), judge.options().progress, judge.options().deadline);
  add_metric(evaluation, "seconds.waited", "s", since(asked));
  note_state(judge.info(), "before", evaluation);
  evaluation.outcome = Outcome::accepted;
  for (const core::Case* which : cases)
    if (const auto problem = evaluate_case(judge, ready, *which, options, evaluation, failed)) {
      add(evaluation, *problem);
      break;
    }
  if (evaluation.outcome == Outcome::accepted && options.depth == core::Depth::certify)
    if (const auto problem = certify(judge, ready, cases, evaluation)) add(evaluation, *problem);
  note_state(judge.info(), "after", evaluation);
}

// Certifying calls candidates on cases again, in other trials: which call convicted is not known
// then.
Failed failed_case(const std::vector<const core::Case*>& cases, const Failed& last,
                   const Evaluation& evaluation) {
  for (const auto& evidence : evaluation.evidence)
    for (const core::Case* which : cases)
      if (evidence.convicts && which->name == evidence.case_name && which != last.which)
        return {which, Failed::not_known};
  return last;
}

void set_geomean(Evaluation& evaluation) {
  std::vector<double> medians;
  for (const auto& result : evaluation.cases)
    if (result.timed) medians.push_back(result.median);
  if (evaluation.outcome == Outcome::accepted && !medians.empty())
    evaluation.geomean = core::geometric_mean(medians);
}

}  // namespace

Evaluation Judge::evaluate(const core::Candidate& candidate, const EvaluateOptions& options) {
  const auto start = Clock::now();
  const double reference_before = truth_.seconds(), kernels_before = kernel_seconds_;
  inputs_.count_evaluation();
  Evaluation evaluation;
  const auto mine = cases(options.case_name);
  if (candidate.language != core::Language::python) inputs_.release_spare_sets();
  for (const core::Case* which : mine) make_room(*which);
  Failed failed;
  auto ready = load(*this, candidate, options, evaluation);
  add_metric(evaluation, "seconds.ready", "s", since(start));
  std::future<void> ahead;
  if (ready && options.depth == core::Depth::certify)
    ahead = build_ahead(*this, candidate, ready->point);
  runners_.wait_for_ending();
  // A process that opens the device works on it, and calls by the judge's clock would take longer
  // beside it.
  if (ready && ready->candidate.language == core::Language::python) runners_.wait_until_open();
  if (!ready)
    add(evaluation, ready.error());
  else
    evaluate_on_device(*this, *ready, mine, options, evaluation, failed);
  if (evaluation.outcome == Outcome::accepted && options.depth == core::Depth::certify &&
      options_.guards.on(Guard::sanitizer))
    sanitize(*this, *ready, mine, evaluation,
             options.races_checked ? std::vector<std::string>{"memcheck"} : verdict_checkers);
  else if (ready && options_.diagnose && !options.stop_early)  // a search has many points that fail
    diagnose(*this, *ready, failed_case(mine, failed, evaluation), evaluation);
  set_geomean(evaluation);
  note_own_check(task_, evaluation);
  evaluation.seconds_reference = truth_.seconds() - reference_before;
  evaluation.seconds_kernels = kernel_seconds_ - kernels_before;
  evaluation.seconds_total = since(start);
  inputs_.save_honest_errors();
  if (ready && options_.one_by_one) runners_.end_in_background(std::move(ready->runner));
  runners_.refill(candidate.language == core::Language::python);
  return evaluation;
}

}  // namespace hone::judge
