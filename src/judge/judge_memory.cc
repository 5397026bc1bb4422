// Whether a candidate answers from memory: calls on inputs that were seen before, held against calls on new ones.
#include <algorithm>
#include <numeric>

#include "judge/judge_case.h"
#include "judge/unseen.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

constexpr std::size_t most_at_once = 5;

// A median does not see what is remembered of fewer than half of the calls; a mean is what some scores are made of.
double usual_of(const std::vector<double>& seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return std::min(core::median(seconds), sum / static_cast<double>(seconds.size()));
}

double quickest_of(const auto& calls) {
  return std::min_element(calls.begin(), calls.end(), [](auto& a, auto& b) { return a.seconds < b.seconds; })->seconds;
}

}  // namespace

bool Judge::check_replay(CaseRun& run, const std::vector<double>& unseen, const std::vector<double>& seen,
                         std::size_t calls, CaseResult& result, Evaluation& evaluation) {
  const double on_new = core::median(unseen);
  const double part = suspicious_ratio(info_.is_cpu, info_.is_cpu || run.bound.hostile, on_new);
  return usual_of(seen) >= part * on_new || look_for_memory(run, seen, calls, on_new, result, evaluation);
}

bool Judge::look_for_memory(CaseRun& run, const std::vector<double>& seen, std::size_t calls, double on_new,
                            CaseResult& result, Evaluation& evaluation) {
  if (!options_.guards.on(Guard::replay)) return true;
  const double usual = usual_of(seen);
  const double part = suspicious_ratio(info_.is_cpu, info_.is_cpu || run.bound.hostile, on_new > 0 ? on_new : usual);
  const auto called = call_unseen(run, calls, usual, part);
  if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
  if (called->as_quick) return true;
  const double quickest = quickest_of(called->first);
  // Asked a second time, or among inputs that it has seen often: it may know the difference.
  for (const auto* times : {&called->again, &called->known})
    if (times->size() >= called->again.size() / 4 && are_remembered(info_.is_cpu, *times, quickest))
      return convict(
                 evaluation, Outcome::cheating,
                 {"replay", 9, true, run.which.name,
                  fmt::format("new inputs took {:.3g} s or more each of {} times; {} took less than {:.2f} of that, "
                              "mostly {:.3g} s: answers are remembered",
                              quickest, called->first.size(),
                              times == &called->again ? "the same inputs once more" : "inputs seen before",
                              replay_ratio, core::median(*times))}),
             false;
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

// A few samples may differ by chance. So: inputs that nobody has seen, each twice, and calls on known ones at random in
// between. A busy machine makes calls slower and none quicker, and not seldom every second one: so whoever computes is
// quick on a new input now and then. After a pause the first calls are the slow ones, whatever they are called on: on a
// CPU several inputs are made before the first call, as far as there is room.
base::Result<Judge::UnseenCalls, CallFailure> Judge::call_unseen(CaseRun& run, std::size_t calls, double usual,
                                                                 double part) {
  const std::size_t had = run.entries.size();
  const std::uint64_t room =
      room_for_unseen(bench_->free_bytes(), task_, run.which, pool(run.which), run.caller, run.entries);
  const std::vector<const Entry*> met(run.entries.begin(), run.entries.end());
  const std::size_t pairs = most_unseen(info_.is_cpu);
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
    const auto entries =
        draw_unseen(pool(run.which), run.caller, run.which, rows.size() * of_them_new, run.bound.hostile);
    if (!entries) return base::Failure{entries.error()};
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = with_unseen(any_of(met, calls - of_them_new), std::span(*entries).subspan(i * of_them_new, of_them_new),
                            secrets_);
    for (std::uint64_t i = 0; i < waking_calls && !met.empty(); ++i)
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

}  // namespace hone::judge
