// The times of one case, and what makes them believable: inputs of all kinds, clocks that agree.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "judge/judge_case.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

// The batch that is timed by both clocks lasts at least this long, so that starting and stopping it weigh little.
constexpr double batch_seconds = 0.005;
constexpr double most_batch = 200, batch_growth = 4;
constexpr int most_batches = 6;     // a machine that is busy once is not busy six times by as much; a false clock is
constexpr int growing_batches = 3;  // of them each longer than the one before
constexpr double clock_agreement = 0.2;

// Samples after which a point that is far behind is given up.
constexpr std::size_t hopeless_after = 2;

}  // namespace

bool Judge::sample(CaseRun& run, CaseResult& result, Evaluation& evaluation, const EvaluateOptions& options) {
  const SamplingRule rule =
      options_.sampling ? *options_.sampling : rule_for(info_.is_cpu, options.depth == core::Depth::certify);
  if (run.bound.hostile) {
    const auto count = calls_in_a_row(run);
    if (!count) return convict(evaluation, count.error().outcome, count.error().evidence), false;
    if (*count > 1) return sample_in_a_row(run, *count, rule, result, evaluation);
  }
  const auto start = Clock::now();
  std::vector<double> unseen, seen;
  std::map<const Entry*, std::size_t> group_of;
  std::vector<Group> groups;
  std::size_t next_new = 1;  // the verifying call has shown the first
  while (!enough(rule, result.samples, since(start), options_.guards.on(Guard::sample_budget))) {
    // New contents first, then at random among those met.
    const bool is_new = next_new < run.entries.size();
    const Entry* entry = is_new ? run.entries[next_new++] : run.entries[secrets_.below(run.entries.size())];
    const auto called = time_calls(run, {entry});
    if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
    result.samples.push_back(called->seconds);
    result.wall_samples.push_back(called->wall);
    (is_new ? unseen : seen).push_back(called->seconds);
    const auto [group, first_time] = group_of.try_emplace(entry, groups.size());
    if (first_time) groups.push_back({{entry}, {}});
    groups[group->second].seconds.push_back(called->seconds);
    result.error_max = std::max(result.error_max, called->error_max);
    if (options.hopeless && result.samples.size() == hopeless_after) {
      result.median = core::median(result.samples);
      if (options.hopeless(result)) return give_up(evaluation, run.which.name), false;
    }
  }
  if (const double alone = core::median(result.samples); run.bound.hostile)
    note_python_clock(run, 1, alone, alone, evaluation);
  if (unseen.size() >= 2 && seen.size() >= 3 && !check_replay(run, unseen, seen, 1, result, evaluation)) return false;
  // Where only one or two inputs fit, nothing tells new ones from known ones.
  if (run.entries.size() <= 2 && options_.guards.on(Guard::fresh_contents) && (info_.is_cpu || run.bound.hostile) &&
      !look_for_memory(run, result.samples, 1, 0, result, evaluation))
    return false;
  if (const auto problem = count_slowest(run, groups, 1, rule, result, evaluation))
    return convict(evaluation, problem->outcome, problem->evidence), false;
  result.median = core::median(result.samples);
  result.interval = core::median_interval(result.samples);
  result.wall_median = core::median(result.wall_samples);
  return true;
}

// Where inputs of the same shape take very different times, a median over them is a toss of a coin. So the slowest
// counts; what looked slow by chance is found out by calls on it and on the quickest in turn.
std::optional<CallFailure> Judge::count_slowest(CaseRun& run, const std::vector<Group>& all, std::size_t calls,
                                                const SamplingRule& rule, CaseResult& result, Evaluation& evaluation) {
  if (!options_.guards.on(Guard::values)) return std::nullopt;
  std::vector<Group> groups;  // of those that are still there
  for (Group group : all) {
    std::erase_if(group.entries, [&](const Entry* entry) {
      return std::find(run.entries.begin(), run.entries.end(), entry) == run.entries.end();
    });
    if (!group.entries.empty()) groups.push_back(std::move(group));
  }
  if (groups.size() < 2) return std::nullopt;
  if (std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.seconds.empty(); }))
    return std::nullopt;
  const auto [quickest, slowest] = std::minmax_element(
      groups.begin(), groups.end(),
      [](const Group& a, const Group& b) { return core::median(a.seconds) < core::median(b.seconds); });
  if (!depends_on_values(info_.is_cpu, core::median(quickest->seconds), core::median(slowest->seconds)))
    return std::nullopt;
  const std::size_t fewest = std::min<std::size_t>(2, rule.fewest);  // that are enough to take it back
  std::vector<double> quick, slow, walls;
  while (slow.size() < rule.fewest) {
    for (const bool is_slow : {false, true}) {
      const auto called = time_calls(run, any_of((is_slow ? slowest : quickest)->entries, calls));
      if (!called) return called.error();
      (is_slow ? slow : quick).push_back(called->seconds);
      if (is_slow) walls.push_back(called->wall);
      result.error_max = std::max(result.error_max, called->error_max);
    }
    // By the quickest: one call that was slow by chance, or on purpose, takes nothing back.
    if (slow.size() >= fewest &&
        !depends_on_values(info_.is_cpu, *std::min_element(quick.begin(), quick.end()), core::median(slow)))
      return std::nullopt;
  }
  const double least = core::median(quick), most = core::median(slow);
  if (!depends_on_values(info_.is_cpu, least, most)) return std::nullopt;
  // Calls on inputs that were seen before, and can be recognised, make no time shorter.
  if (most > core::median(result.samples)) {
    std::erase_if(evaluation.evidence, [&](const core::Evidence& one) {  // what stood there counts no more
      return one.guard == "replay" && !one.convicts && one.case_name == run.which.name;
    });
    result.samples = std::move(slow);
    result.wall_samples = std::move(walls);
  }
  label(evaluation, "values", 29, run.which.name,
        fmt::format("its time depends on the values of its inputs: {:.4g} ms on some, {:.4g} ms on others of the same "
                    "shapes; the longer one counts",
                    1e3 * least, 1e3 * most));
  return std::nullopt;
}

double Judge::seconds_of(const CaseRun& run, const CallResult& called, std::size_t calls) const {
  const bool by_judge = options_.guards.on(Guard::judge_clock) && (info_.is_cpu || run.bound.hostile);
  return by_judge ? judged_seconds(run.cost, called, calls)
                  : called.timed.report.device_seconds / static_cast<double>(calls);
}

base::Result<Judge::TimedCalls, CallFailure> Judge::time_calls(CaseRun& run, const std::vector<const Entry*>& entries) {
  const bool verify = options_.guards.on(Guard::verify_timed);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < entries.size(); ++i)
    jobs.push_back(
        {i == 0 ? &run.working : &run.batch->set(i), i == 0 ? &run.bound.bindings : &run.bindings[i], entries[i]});
  const auto called = run.caller.call(run.bound, jobs, {true, false, -1, options_.call_seconds, verify});
  if (!called) return base::Failure{called.error()};
  const auto& timed = called->timed;
  kernel_seconds_ += timed.report.wall_seconds;
  if (timed.report.ok && timed.report.device_seconds <= 0 && options_.guards.on(Guard::activity))
    return base::Failure{CallFailure{
        Outcome::cheating, {"activity", 13, true, run.which.name, "a timed call left no trace of work on the device"}}};
  return TimedCalls{seconds_of(run, *called, entries.size()), timed.judge_seconds / static_cast<double>(entries.size()),
                    called->error_max};
}

bool Judge::check_wall_clock(CaseRun& run, CaseResult& result, Evaluation& evaluation) {
  if (run.bound.hostile) return true;  // timed by the judge's clock
  if (!options_.guards.on(Guard::judge_clock) || !options_.guards.on(Guard::launch_errors)) return true;
  // The judge's clock also holds the message and the launches: an allowance of half a millisecond. On a busy machine it
  // holds more, but not more for a longer batch; so where the two disagree the batch is made longer, twice, and tried
  // again before anybody is convicted.
  constexpr double allowance = 5e-4;
  double by_events = 0, by_judge = 0;
  double longer = 1;
  for (int attempt = 0; attempt < most_batches; longer *= ++attempt < growing_batches ? batch_growth : 1) {
    const int count = static_cast<int>(
        std::clamp(longer * batch_seconds / std::max(result.median, 1e-9), 1.0, longer * longer * most_batch));
    const runner::PrepareRequest request{
        run.bound.plan, std::vector<device::BindingSet>(static_cast<std::size_t>(count), run.bound.bindings),
        true,           false,
        false,          -1};
    const auto prepared = run.bound.runner->prepare(request, options_.call_seconds);
    if (!prepared)
      return convict(evaluation, prepared.error().outcome, {"limits", 40, true, run.which.name, prepared.error().text}),
             false;
    const auto timed = run.bound.runner->go(options_.call_seconds + longer * batch_seconds * 100);
    if (!timed)
      return convict(evaluation, timed.error().outcome, {"limits", 40, true, run.which.name, timed.error().text}),
             false;
    kernel_seconds_ += timed->report.wall_seconds;
    by_events = timed->report.device_seconds;
    by_judge = timed->judge_seconds;
    if (by_events >= (1 - clock_agreement) * (by_judge - allowance)) break;
    if (attempt + 1 == most_batches)
      return convict(evaluation, Outcome::cheating,
                     {"judge-clock", 25, true, run.which.name,
                      fmt::format("{} calls took {:.4g} s by the device's events but {:.4g} s by the judge's clock: "
                                  "more than {:.0f} % apart, {} times in a row",
                                  count, by_events, by_judge, 100 * clock_agreement, most_batches)}),
             false;
  }
  evaluation.metrics.push_back({"clock.batch_device", "s", by_events, "", run.which.name, {}, {}});
  evaluation.metrics.push_back({"clock.batch_judge", "s", by_judge, "", run.which.name, {}, {}});
  return true;
}

}  // namespace hone::judge
