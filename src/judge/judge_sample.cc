// The times of one case, and what makes them believable: answers that are not remembered, clocks that agree.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "judge/judge_case.h"
#include "judge/room.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

constexpr int waking_calls = 3;  // after a pause, before anything is told by a time
constexpr std::size_t replay_pairs = 8, replay_pairs_cpu = 16, most_at_once = 5;
// The batch that is timed by both clocks lasts at least this long, so that starting and stopping it weigh little.
constexpr double batch_seconds = 0.005;
constexpr double most_batch = 200, batch_growth = 4;
constexpr int most_batches = 6;     // a machine that is busy once is not busy six times by as much; a false clock is
constexpr int growing_batches = 3;  // of them each longer than the one before
constexpr double clock_agreement = 0.2;

constexpr double shortest_seconds = 1e-7;  // what a call costs by itself is a median: one call may have cost less

// Samples after which a point that is far behind is given up.
constexpr std::size_t hopeless_after = 2;

// A median does not see what is remembered of fewer than half of the calls; a mean is what some scores are made of.
double usual_of(const std::vector<double>& seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return std::min(core::median(seconds), sum / static_cast<double>(seconds.size()));
}

double quickest_of(const auto& calls) {
  return std::min_element(calls.begin(), calls.end(), [](auto& a, auto& b) { return a.seconds < b.seconds; })->seconds;
}

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
  // Where only one or two inputs fit, nothing tells new ones from known ones.
  const bool too_few = run.entries.size() <= 2 && options_.guards.on("fresh-contents");
  if (too_few && (info_.is_cpu || run.bound.hostile) && !look_for_memory(run, result.samples, 1, 0, result, evaluation))
    return false;
  if (!too_few && seen.size() >= 3 && !check_replay(run, unseen, seen, 1, result, evaluation)) return false;
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
  if (!options_.guards.on("values")) return std::nullopt;
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
  const auto count = static_cast<double>(calls);
  const bool by_judge = options_.guards.on("judge-clock") && (info_.is_cpu || run.bound.hostile);
  if (!by_judge) return timed.report.device_seconds / count;
  return std::max(shortest_seconds, (timed.judge_seconds - run.cost.word) / count - run.cost.copy);
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
                         std::size_t calls, CaseResult& result, Evaluation& evaluation) {
  const double on_new = core::median(unseen);
  const double part = suspicious_ratio(info_.is_cpu, info_.is_cpu || run.bound.hostile, on_new);
  return usual_of(seen) >= part * on_new || look_for_memory(run, seen, calls, on_new, result, evaluation);
}

bool Judge::look_for_memory(CaseRun& run, const std::vector<double>& seen, std::size_t calls, double on_new,
                            CaseResult& result, Evaluation& evaluation) {
  if (!options_.guards.on("replay")) return true;
  const double usual = usual_of(seen);
  const double part = suspicious_ratio(info_.is_cpu, info_.is_cpu || run.bound.hostile, on_new > 0 ? on_new : usual);
  const auto called = call_unseen(run, calls, usual, part);
  if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
  if (called->as_quick) return true;
  const double quickest = quickest_of(called->first);
  // Asked a second time, or among inputs that it has seen often: it may know the difference.
  for (const auto* times : {&called->again, &called->known}) {
    const auto remembered = std::count_if(times->begin(), times->end(), [&](double seconds) {
      return is_quicker(info_.is_cpu, replay_ratio, seconds, quickest);
    });
    if (times->size() < called->again.size() / 4 || 4 * static_cast<std::size_t>(remembered) < 3 * times->size())
      continue;
    return convict(evaluation, Outcome::cheating,
                   {"replay", 9, true, run.which.name,
                    fmt::format("new inputs took {:.3g} s or more each of {} times; {} took less than {:.2f} of that, "
                                "mostly {:.3g} s: answers are remembered",
                                quickest, called->first.size(),
                                times == &called->again ? "the same inputs once more" : "inputs seen before",
                                replay_ratio, core::median(*times))}),
           false;
  }
  // It remembers now and then, or gives answers just slowly enough. A time that rests on unseen inputs alone leaves
  // nothing to remember; it makes none shorter.
  auto samples = seconds_in(called->first);
  if (core::median(samples) <= usual_of(result.samples)) return true;
  result.samples = std::move(samples);
  result.wall_samples = walls_in(called->first);
  for (const auto& one : called->first) result.error_max = std::max(result.error_max, one.error_max);
  label(evaluation, "replay", 9, run.which.name,
        fmt::format("calls on inputs seen before took {:.2f} of the time of calls on new ones; only {} calls on "
                    "inputs that were never seen are counted",
                    usual / core::median(result.samples), result.samples.size()));
  return true;
}

// Inputs that nobody has seen. There is room for them, unless somebody has taken it since it was counted on.
base::Result<std::vector<std::unique_ptr<Entry>>, CallFailure> Judge::draw_unseen(CaseRun& run, std::size_t count) {
  std::vector<std::unique_ptr<Entry>> entries;
  try {
    while (entries.size() < count) {
      entries.push_back(pool(run.which).fresh());
      run.caller.look_at(*entries.back());
    }
  } catch (const base::Error& error) {
    if (!run.bound.hostile) throw;
    return base::Failure{
        CallFailure{Outcome::rejected,
                    {"replay", 9, true, run.which.name,
                     fmt::format("new inputs cannot be made beside the memory that it has taken: {}", error.what())}}};
  }
  return entries;
}

// A few samples may differ by chance. So: inputs that nobody has seen, each twice, and calls on known ones at random in
// between. A busy machine makes calls slower and none quicker, and not seldom every second one: so whoever computes is
// quick on a new input now and then. After a pause the first calls are the slow ones, whatever they are called on: on a
// CPU several inputs are made before the first call, as far as there is room.
base::Result<Judge::UnseenCalls, CallFailure> Judge::call_unseen(CaseRun& run, std::size_t calls, double usual,
                                                                 double part) {
  const std::size_t had = run.entries.size();
  std::uint64_t room = entries_in(bench_->free_bytes(), task_, run.which);
  if (room == 0) {  // then one that is known makes room
    run.caller.forget(*run.entries.back());
    run.entries.pop_back();
    pool(run.which).drop_last();
    room = 1;
  }
  const std::vector<const Entry*> met(run.entries.begin(), run.entries.end());
  const std::size_t pairs = info_.is_cpu ? replay_pairs_cpu : replay_pairs;
  const std::size_t of_them_new = met.empty() ? 1 : std::min<std::size_t>(calls, room);
  const std::size_t at_once = info_.is_cpu ? std::clamp<std::size_t>(room / of_them_new / 2, 1, most_at_once) : 1;
  if (met.empty()) calls = 1;
  const auto alone = [&](TimedCalls called) {
    called.seconds = std::max(shortest_seconds, seconds_on_new(called.seconds, usual, calls, of_them_new));
    return called;
  };
  UnseenCalls all;
  while (all.again.size() < pairs) {
    std::vector<std::vector<const Entry*>> rows(std::min(at_once, pairs - all.again.size()));
    const auto entries = draw_unseen(run, rows.size() * of_them_new);
    if (!entries) return base::Failure{entries.error()};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (calls > of_them_new) rows[i] = any_of(met, calls - of_them_new);
      for (std::size_t j = 0; j < of_them_new; ++j)
        rows[i].insert(rows[i].begin() + static_cast<std::ptrdiff_t>(secrets_.below(rows[i].size() + 1)),
                       (*entries)[i * of_them_new + j].get());
    }
    for (int i = 0; i < waking_calls && !met.empty(); ++i)
      if (const auto woken = time_calls(run, any_of(met, 1)); !woken) return base::Failure{woken.error()};
    for (const auto& row : rows)
      for (const bool is_first : {true, false}) {
        if (!met.empty() && secrets_.below(2) == 1) {
          const auto known = time_calls(run, any_of(met, calls));
          if (!known) return base::Failure{known.error()};
          all.known.push_back(known->seconds);
        }
        const auto called = time_calls(run, row);
        if (!called) return base::Failure{called.error()};
        if (is_first) all.first.push_back(alone(*called));
        if (!is_first) all.again.push_back(alone(*called).seconds);
      }
    for (const auto& entry : *entries) run.caller.forget(*entry);
    all.as_quick = !is_quicker(info_.is_cpu, part, usual, quickest_of(all.first));
    if (all.as_quick) break;
  }
  if (run.entries.size() < had) run.entries = pool(run.which).plain(had);
  return all;
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
