// The times of one case, and what makes them believable: answers that are not remembered, clocks that agree.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "judge/judge_case.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

// Inputs seen before must not be answered in less than this fraction of the time that new ones take.
constexpr double replay_ratio = 0.5;
// Under this fraction nobody is convicted yet, but only calls on inputs that were never seen count.
constexpr double suspicious_ratio = 0.85;
constexpr double suspicious_seconds = 0.005;  // shorter calls differ by more than that for other reasons
constexpr double waking_seconds = 5e-4;       // on a CPU threads may take that long to wake up, or not
constexpr int waking_calls = 3;
constexpr std::size_t replay_pairs = 8, replay_pairs_cpu = 16;  // of which a quarter may be slow the second time
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
  while (!enough(rule, result.samples, since(start), options_.guards.on("sample-budget"))) {
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
  if (unseen.size() >= 2 && seen.size() >= 3 && !check_replay(run, unseen, seen, 1, rule, result, evaluation))
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
std::optional<CallFailure> Judge::count_slowest(CaseRun& run, const std::vector<Group>& groups, std::size_t calls,
                                                const SamplingRule& rule, CaseResult& result, Evaluation& evaluation) {
  const auto was_called = [](const Group& group) { return !group.seconds.empty(); };
  if (!options_.guards.on("values") || groups.size() < 2) return std::nullopt;
  if (!std::all_of(groups.begin(), groups.end(), was_called)) return std::nullopt;
  const auto [quickest, slowest] = std::minmax_element(
      groups.begin(), groups.end(),
      [](const Group& a, const Group& b) { return core::median(a.seconds) < core::median(b.seconds); });
  if (!depends_on_values(info_.is_cpu, core::median(quickest->seconds), core::median(slowest->seconds)))
    return std::nullopt;
  std::vector<double> quick, slow, walls;
  while (slow.size() < rule.fewest)
    for (const bool is_slow : {false, true}) {
      const auto called = time_calls(run, any_of((is_slow ? slowest : quickest)->entries, calls));
      if (!called) return called.error();
      (is_slow ? slow : quick).push_back(called->seconds);
      if (is_slow) walls.push_back(called->wall);
      result.error_max = std::max(result.error_max, called->error_max);
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

double Judge::seconds_of(const CaseRun& run, const runner::Timed& timed, std::size_t calls) const {
  constexpr double shortest = 1e-7;  // what a call costs by itself is a median: one call may have cost less
  const auto count = static_cast<double>(calls);
  const bool by_judge = options_.guards.on("judge-clock") && (info_.is_cpu || run.bound.hostile);
  if (!by_judge) return timed.report.device_seconds / count;
  return std::max(shortest, (timed.judge_seconds - run.cost.word) / count - run.cost.copy);
}

base::Result<Judge::TimedCalls, CallFailure> Judge::time_calls(CaseRun& run, const std::vector<const Entry*>& entries) {
  const bool verify = options_.guards.on("verify-timed");
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < entries.size(); ++i)
    jobs.push_back(
        {i == 0 ? &run.working : &run.batch->set(i), i == 0 ? &run.bound.bindings : &run.bindings[i], entries[i]});
  const auto called = run.caller.call(run.bound, jobs, {true, false, -1, options_.call_seconds, verify});
  if (!called) return base::Failure{called.error()};
  const auto& timed = called->timed;
  kernel_seconds_ += timed.report.wall_seconds;
  if (timed.report.ok && timed.report.device_seconds <= 0 && options_.guards.on("activity"))
    return base::Failure{CallFailure{
        Outcome::cheating, {"activity", 13, true, run.which.name, "a timed call left no trace of work on the device"}}};
  return TimedCalls{seconds_of(run, timed, entries.size()), timed.judge_seconds / static_cast<double>(entries.size()),
                    called->error_max};
}

bool Judge::check_replay(CaseRun& run, const std::vector<double>& unseen, const std::vector<double>& seen,
                         std::size_t calls, const SamplingRule& rule, CaseResult& result, Evaluation& evaluation) {
  if (!options_.guards.on("replay")) return true;
  const double ratio = core::median(seen) / core::median(unseen);
  if (ratio < replay_ratio)
    if (const auto problem = remembers_answers(run, calls))
      return convict(evaluation, problem->outcome, problem->evidence), false;
  if (ratio >= suspicious_ratio || !info_.is_cpu || core::median(unseen) < suspicious_seconds) return true;
  if (const auto problem = sample_unseen(run, result, rule.fewest))
    return convict(evaluation, problem->outcome, problem->evidence), false;
  label(evaluation, "replay", 9, run.which.name,
        fmt::format("calls on inputs seen before took {:.2f} of the time of calls on new ones; only {} calls on "
                    "inputs that were never seen are counted",
                    ratio, result.samples.size()));
  return true;
}

// Native code can remember answers and give them just slowly enough. A time that rests on unseen inputs alone leaves
// nothing to remember.
std::optional<CallFailure> Judge::sample_unseen(CaseRun& run, CaseResult& result, std::size_t count) {
  result.samples.clear();
  result.wall_samples.clear();
  while (result.samples.size() < count) {
    const auto entry = pool(run.which).fresh();
    const auto called = time_calls(run, {entry.get()});
    run.caller.forget(*entry);
    if (!called) return called.error();
    result.samples.push_back(called->seconds);
    result.wall_samples.push_back(called->wall);
    result.error_max = std::max(result.error_max, called->error_max);
  }
  return std::nullopt;
}

// A few samples may differ by chance. So: inputs that nobody has seen, each twice. A busy machine makes calls slower
// and none quicker, and not seldom every second one: so whoever computes is quick on a new input now and then, where
// calls in between leave the beat to chance. After a pause the first calls are the slow ones, whatever they are called
// on: on a CPU several inputs are made before the first call, as far as there is room.
std::optional<CallFailure> Judge::remembers_answers(CaseRun& run, std::size_t calls) {
  constexpr std::uint64_t sets = 4;  // of buffers: what an entry takes, expected values included, and as much again
  const std::size_t pairs = info_.is_cpu ? replay_pairs_cpu : replay_pairs, may_be_slow = pairs / 4;
  const std::uint64_t room = bench_->free_bytes() / std::max<std::uint64_t>(1, sets * allocated_bytes(run.working));
  const std::size_t at_once = info_.is_cpu ? std::clamp<std::size_t>(room, 1, may_be_slow + 1) : 1;
  const auto call_known = [&](std::uint64_t times) -> std::optional<CallFailure> {
    for (; times > 0; --times)
      if (const auto known = time_calls(run, {run.entries[secrets_.below(run.entries.size())]}); !known)
        return known.error();
    return std::nullopt;
  };
  std::vector<double> fresh, again;
  while (again.size() < pairs) {
    std::vector<std::unique_ptr<Entry>> entries;
    std::vector<std::vector<const Entry*>> rows(std::min(at_once, pairs - again.size()));
    for (auto& row : rows)
      for (std::size_t i = 0; i < calls; ++i) {
        entries.push_back(pool(run.which).fresh());
        row.push_back(entries.back().get());
        run.caller.look_at(*row.back());
      }
    if (auto problem = call_known(waking_calls)) return problem;
    for (const auto& row : rows)
      for (auto* times : {&fresh, &again}) {
        if (auto problem = call_known(secrets_.below(2))) return problem;
        const auto called = time_calls(run, row);
        if (!called) return called.error();
        times->push_back(called->seconds);
      }
    for (const auto& entry : entries) run.caller.forget(*entry);
    const double quickest = *std::min_element(fresh.begin(), fresh.end());
    const auto slow = std::count_if(again.begin(), again.end(), [&](double seconds) {
      return seconds >= replay_ratio * quickest || (info_.is_cpu && quickest - seconds < waking_seconds);
    });
    if (slow > static_cast<std::ptrdiff_t>(may_be_slow)) return std::nullopt;
  }
  return CallFailure{
      Outcome::cheating,
      {"replay", 9, true, run.which.name,
       fmt::format("new inputs took {:.3g} s or more each of {} times; the same inputs once more took "
                   "less than {:.2f} of that, mostly {:.3g} s: answers are remembered",
                   *std::min_element(fresh.begin(), fresh.end()), pairs, replay_ratio, core::median(again))}};
}

bool Judge::check_wall_clock(CaseRun& run, CaseResult& result, Evaluation& evaluation) {
  if (run.bound.hostile) return true;  // timed by the judge's clock
  if (!options_.guards.on("judge-clock") || !options_.guards.on("launch-errors")) return true;
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
