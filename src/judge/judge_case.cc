// One case of one candidate: what fits, verification, samples, floors.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "judge/floors.h"
#include "judge/judge_case.h"
#include "judge/own_inputs.h"
#include "judge/room.h"

namespace hone::judge {

using base::Failure;
using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

constexpr std::size_t check_entries = 2, screen_entries = 4, certify_entries = 6;

// What comes after the inputs that are kept: an entry that passes (a variant, a fresh draw), torch's own memory for its
// truth, and what the classes compare with.
std::uint64_t later_bytes(const core::Task& task, const core::Case& which) {
  return Pool::entry_bytes(task, which) + torch_bytes(task, which) +
         (has_classes(task) ? own_inputs_bytes(task, which) : 0);
}

}  // namespace

// How many inputs of the pool can be had beside the plan's own buffers, up to as many as the depth wants; or why none.
base::Result<std::size_t> Judge::entries_that_fit(const core::ResolvedPlan& plan, const core::Case& which,
                                                  bool certifying) {
  std::size_t wanted = !which.timed ? check_entries : certifying ? certify_entries : screen_entries;
  if (!options_.guards.on(Guard::fresh_contents)) wanted = 1;
  const std::uint64_t entry = Pool::entry_bytes(task_, which), needed = BufferSet::footprint(plan.buffers);
  // What the pool holds already is not needed again.
  const auto drawn = [&] { return pools_.contains(which.name) ? pools_[which.name]->drawn() : 0; };
  const std::uint64_t torch = torch_bytes(task_, which);
  const auto wanting = [&] { return needed + (drawn() == 0 ? entry + torch : 0) > bench_->free_bytes(); };
  if (wanting()) give_up_spares();
  if (wanting()) own_inputs_.clear();
  if (wanting()) pools_.clear();
  if (wanting())
    return Failure{
        fmt::format("the plan needs {} MiB for its buffers in this case, scratch included, beside {} MiB for inputs "
                    "and expected values; {} MiB are free on {}: use less scratch",
                    needed >> 20, entry >> 20, bench_->free_bytes() >> 20, info_.id)};
  const std::uint64_t later = needed + later_bytes(task_, which);
  const std::uint64_t free = bench_->free_bytes();
  return std::clamp<std::size_t>(drawn() + (free > later ? free - later : 0) / entry, 1, wanted);
}

bool Judge::check_case(Ready& ready, const core::Case& which, const EvaluateOptions& options, Evaluation& evaluation) {
  options_.progress(fmt::format("case {}", which.name));
  const auto reject = [&](const std::string& text) {
    return convict(evaluation, Outcome::rejected, {"", 0, true, which.name, text}), false;
  };
  const auto plan = fitted_plan(ready, which);
  if (!plan) return reject(plan.error());
  const bool certifying = options.depth == core::Depth::certify;
  if (spare_case_ != which.name) give_up_spares();
  const auto entries = entries_that_fit(*plan, which, certifying);
  if (!entries) return reject(entries.error());

  CaseResult result;
  result.name = which.name;
  result.timed = which.timed;
  CaseRun run{which,
              *plan,
              BufferSet(*bench_, plan->buffers),
              {},
              Caller(task_, which, *bench_, run.working, secrets_, options_.guards, info_),
              pool(which).plain(*entries)};
  auto bound = bind(ready, run.plan, run.working);
  if (!bound) {
    auto problem = bound.error();
    problem.evidence.case_name = which.name;
    return convict(evaluation, problem.outcome, problem.evidence), false;
  }
  run.bound = *bound;

  if (!verify(run, certifying, result, evaluation)) return evaluation.cases.push_back(result), false;
  bool good = true;
  const auto sampling = Clock::now();
  if (which.timed)
    good = sample(run, result, evaluation, options) && (info_.is_cpu || check_wall_clock(run, result, evaluation));
  if (which.timed) evaluation.metrics.push_back({"seconds.sample", "s", since(sampling), "", which.name, {}, {}});
  good = good && check_stale_scratch(run, evaluation);
  if (which.timed && run.bound.hostile && !info_.is_cpu) good = good && note_own_kernels(run, result, evaluation);
  if (good) note_narrow_precision(run, evaluation);
  if (good) finish_case(which, result, evaluation);
  if (good && which.timed && core::has_operations(ready.candidate.plan)) note_own_share(run, evaluation);
  const bool hopeless = good && which.timed && options.hopeless && options.hopeless(result);
  const bool placed = !options.hopeless || (!hopeless && !task_.wanted_class.empty());
  if (good && which.timed && has_classes(task_) && evaluation.outcome == Outcome::accepted && placed)
    good = place_in_classes(run, result, evaluation);
  if (good && which.timed && task_.reference_py) note_means(ready, evaluation);
  evaluation.cases.push_back(result);
  if (good && hopeless) return give_up(evaluation, which.name), false;
  return good && evaluation.outcome == Outcome::accepted;
}

// Variants where they are cheap; on the large cases only when certifying, or where no small case has them.
bool Judge::verify(CaseRun& run, bool certifying, CaseResult& result, Evaluation& evaluation) {
  const bool no_small_case =
      std::all_of(task_.cases.begin(), task_.cases.end(), [](const core::Case& one) { return one.timed; });
  bool first = true;
  const auto start = Clock::now();
  const auto right_on = [&](const Entry& entry) {
    // Candidates in Python often compile in their first call.
    const double limit =
        first && run.bound.hostile ? std::max(options_.call_seconds, options_.build_seconds) : options_.call_seconds;
    const auto called = run.caller.call(run.bound, entry, {true, false, -1, limit});
    if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
    if (std::exchange(first, false)) result.first_call = called->timed.judge_seconds;
    kernel_seconds_ += called->timed.report.wall_seconds;
    result.error_max = std::max(result.error_max, called->error_max);
    if (called->error_rms >= result.error_rms) {
      result.error_rms = called->error_rms;
      result.honest_rms = called->honest_rms;
    }
    return true;
  };
  for (const Entry* entry : run.entries) {
    if (!right_on(*entry)) return false;
    if (run.which.timed) break;
  }
  if (!run.which.timed || certifying || no_small_case) {
    Pool& inputs = pool(run.which);
    const std::uint64_t kept = Pool::entry_bytes(task_, run.which) + later_bytes(task_, run.which);
    for (const core::Variant variant : inputs.variants()) {
      const Entry& entry = inputs.variant(variant, bench_->free_bytes() > kept);
      if (!right_on(entry)) return false;
      run.caller.forget(entry);
    }
  }
  evaluation.metrics.push_back({"seconds.verify", "s", since(start), "", run.which.name, {}, {}});
  return true;
}

// Where the kernel is used, nobody fills its scratch with anything new: on other inputs than the call before, it is
// once left as that one left it. After sampling, for which some inputs must be new.
bool Judge::check_stale_scratch(CaseRun& run, Evaluation& evaluation) {
  const bool has_scratch = std::any_of(run.plan.buffers.begin(), run.plan.buffers.end(), [](const auto& buffer) {
    return buffer.role == core::ResolvedBuffer::Role::scratch;
  });
  if (!has_scratch || run.entries.size() < 2 || !options_.guards.on(Guard::stale_scratch)) return true;
  CallOptions usual{true, false, -1, options_.call_seconds}, kept = usual;
  kept.keep_scratch = true;
  if (const auto before = run.caller.call(run.bound, *run.entries[0], usual); !before)
    return convict(evaluation, before.error().outcome, before.error().evidence), false;
  const auto called = run.caller.call(run.bound, *run.entries[1], kept);
  if (called) return true;
  CallFailure failure = called.error();
  const std::string how = "its scratch was as the call before left it, which is how it is used";
  if (failure.outcome != Outcome::wrong) {
    failure.evidence.text += fmt::format(" ({})", how);
  } else if (const auto again = run.caller.call(run.bound, *run.entries[1], usual); !again) {
    failure = again.error();  // it was not the scratch
  } else {
    failure.evidence = {"stale-scratch", 32, true, run.which.name, fmt::format("{}: {}", how, failure.evidence.text)};
  }
  return convict(evaluation, failure.outcome, failure.evidence), false;
}

// Where any precision is taken that the tolerance takes, a narrow one is said, once.
void Judge::note_narrow_precision(const CaseRun& run, Evaluation& evaluation) const {
  const std::string& text = run.caller.narrow_precision();
  const bool said = std::any_of(evaluation.evidence.begin(), evaluation.evidence.end(),
                                [](const core::Evidence& one) { return one.guard == "precision" && one.row == 26; });
  if (!text.empty() && !said)
    label(evaluation, "precision", 26, run.which.name,
          text + ". The tolerance found for the problem's own check takes it");
}

void Judge::finish_case(const core::Case& which, CaseResult& result, Evaluation& evaluation) {
  if (!which.timed) return;
  apply_work(task_, which, info_, options_.ceilings, result);
  const auto floor = floor_for(result, info_, options_.ceilings);
  if (options_.guards.on(Guard::floor) && result.median < floor.seconds) {
    convict(evaluation, Outcome::below_floor,
            {"floor", 22, true, which.name,
             fmt::format("{:.4g} s is less than the {:.4g} s that {} needs; no kernel can do that", result.median,
                         floor.seconds, floor.what)});
    return;
  }
  if (const auto text = arithmetic_note(result, options_.ceilings); !text.empty())
    label(evaluation, "floor", 22, which.name, text);
}

}  // namespace hone::judge
