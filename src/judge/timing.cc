#include "judge/timing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/stats.h"
#include "judge/replay.h"
#include "judge/values.h"

namespace hone::judge {

using base::Failure;

namespace {

// Samples after which a tuning point that is far behind is stopped.
constexpr std::size_t stop_early_after = 2;
// Fewer calls on either kind of input tell nothing of memory.
constexpr std::size_t fewest_unseen = 2, fewest_seen = 3;
constexpr std::size_t fewest_batches = 5, most_batches = 100;
constexpr std::size_t entries_for_two_groups = 4;

bool is_enough(const Trial& trial, const SamplingRule& rule, const std::vector<double>& samples, double start) {
  return enough(rule, samples, trial.now() - start, trial.guards().on(Guard::sample_budget));
}

// Applies what a guard says; the finding convicts.
MaybeFinding settle(Timing& timing, GuardResult result) {
  if (!result) return result.error();
  if (*result) apply(timing, **std::move(result));
  return std::nullopt;
}

// What single calls are sorted into.
struct SortedCalls {
  std::vector<double> unseen, seen;
  std::vector<InputGroup> groups;  // by entry
  std::map<const Entry*, std::size_t> group_of;

  void add(const Entry* entry, bool is_unseen, double seconds) {
    (is_unseen ? unseen : seen).push_back(seconds);
    const auto [group, first_time] = group_of.try_emplace(entry, groups.size());
    if (first_time) groups.push_back({{entry}, {}});
    groups[group->second].seconds.push_back(seconds);
  }
};

MaybeFinding check_single_calls(Trial& trial, Timing& timing, const SortedCalls& sorted, const SamplingRule& rule) {
  if (sorted.unseen.size() >= fewest_unseen && sorted.seen.size() >= fewest_seen)
    if (auto problem = settle(timing, check_replay(trial, timing, sorted.unseen, sorted.seen, 1))) return problem;
  // Where only one or two inputs fit, unseen ones cannot be told from known ones.
  if (trial.known().size() <= 2 && trial.guards().on(Guard::fresh_contents) && trial.facts().can_remember)
    if (auto problem = settle(timing, check_replay_on_few(trial, timing))) return problem;
  return settle(timing, check_values(trial, timing, sorted.groups, 1, rule));
}

}  // namespace

Entries any_of(Trial& trial, const Entries& entries, std::size_t count) {
  Entries drawn;
  while (drawn.size() < count) drawn.push_back(entries[trial.random_below(entries.size())]);
  return drawn;
}

void apply(Timing& timing, Correction correction) {
  if (!correction.samples.empty()) {
    // A label about samples that no longer count goes with them.
    std::erase_if(timing.labels, [](const Finding& one) { return one.guard == Guard::replay; });
    timing.samples = std::move(correction.samples);
    timing.walls = std::move(correction.walls);
  }
  timing.labels.push_back(std::move(correction.label));
}

Sampled sample_calls(Trial& trial, const SamplingRule& rule, const StopEarly& stop_early) {
  const Entries known = trial.known();
  Timing timing;
  SortedCalls sorted;
  std::size_t next_unseen = 1;  // the verifying call has shown the first
  const double start = trial.now();
  while (!is_enough(trial, rule, timing.samples, start)) {
    // Unseen contents first, then at random among those that were called.
    const bool is_unseen = next_unseen < known.size();
    const Entry* entry = is_unseen ? known[next_unseen++] : known[trial.random_below(known.size())];
    const auto called = trial.time({entry});
    if (!called) return {std::move(timing), called.error()};
    timing.samples.push_back(called->seconds);
    timing.walls.push_back(called->wall);
    sorted.add(entry, is_unseen, called->seconds);
    if (stop_early && timing.samples.size() == stop_early_after && stop_early(timing.samples))
      return {std::move(timing), stopped_early(trial.facts().case_name)};
  }
  timing.alone = timing.batched = core::median(timing.samples);
  auto problem = check_single_calls(trial, timing, sorted, rule);
  return {std::move(timing), std::move(problem)};
}

// ---- batches

namespace {

// The calls of sample_batches, by kind.
struct BatchedCalls {
  std::vector<TimedCalls> unseen;  // batches of inputs that were not called before
  std::vector<TimedCalls> short_;  // batches as long as those, of inputs that were
  std::vector<TimedCalls> single;  // calls alone
  std::vector<TimedCalls> full;    // what counts
};

MaybeFinding time_into(Trial& trial, const Entries& entries, std::vector<TimedCalls>& to) {
  const auto called = trial.time(entries);
  if (!called) return called.error();
  to.push_back(*called);
  return std::nullopt;
}

// Unseen contents first; the verifying call has shown the first entry. By the host's clock one call each; by a device
// that queues work all in one request, so that a short call stands out. The first batch after a pause is slow whatever
// it is called on: it is made of calls on what was shown.
MaybeFinding call_unseen_first(Trial& trial, std::size_t per_batch, BatchedCalls& calls) {
  const Entries& known = trial.known();
  if (per_batch > 1)
    if (const auto called = trial.time(Entries(per_batch, known.front())); !called) return called.error();
  for (std::size_t at = 1; at + per_batch <= known.size(); at += per_batch) {
    const auto first = known.begin() + static_cast<std::ptrdiff_t>(at);
    if (auto problem = time_into(trial, {first, first + static_cast<std::ptrdiff_t>(per_batch)}, calls.unseen))
      return problem;
  }
  return std::nullopt;
}

// Batches are made of every second entry in turn: a few elements of one half are far larger, and may take longer. With
// fewer than four entries a batch would be one answer many times over.
std::vector<InputGroup> two_groups(const Entries& known) {
  std::vector<InputGroup> groups(known.size() >= entries_for_two_groups ? 2 : 1);
  for (std::size_t i = 0; i < known.size(); ++i) groups[i % groups.size()].entries.push_back(known[i]);
  return groups;
}

// What counts, with single calls and short batches beside it until there are enough of those.
MaybeFinding sample_all(Trial& trial, const SamplingRule& rule, std::size_t count, std::size_t short_count,
                        std::vector<InputGroup>& groups, BatchedCalls& calls, Timing& timing) {
  const Entries known = trial.known();
  const double start = trial.now();
  while (!is_enough(trial, rule, timing.samples, start)) {
    InputGroup& group = groups[calls.full.size() % groups.size()];
    if (auto problem = time_into(trial, any_of(trial, group.entries, count), calls.full)) return problem;
    group.seconds.push_back(calls.full.back().seconds);
    timing.samples.push_back(calls.full.back().seconds);
    timing.walls.push_back(calls.full.back().wall);
    if (calls.single.size() < fewest_batches)
      if (auto problem = time_into(trial, any_of(trial, known, 1), calls.single)) return problem;
    if (short_count > 1 && calls.short_.size() < fewest_batches)
      if (auto problem = time_into(trial, any_of(trial, known, short_count), calls.short_)) return problem;
  }
  if (short_count == 1) calls.short_ = calls.single;
  timing.batched = core::median(timing.samples);
  timing.alone = core::median(seconds_in(calls.single));
  return std::nullopt;
}

MaybeFinding check_batches(Trial& trial, const SamplingRule& rule, std::size_t count, std::size_t short_count,
                           const std::vector<InputGroup>& groups, const BatchedCalls& calls, Timing& timing) {
  // A candidate that is slow only in short batches, which are compared with unseen inputs, does it on purpose.
  const auto& longer = timing.alone >= core::median(seconds_in(calls.short_)) ? calls.single : calls.short_;
  const std::string why = trial.overlap(timing.batched, core::median(seconds_in(longer)));
  if (!why.empty())
    apply(timing, {in_case(trial.facts().case_name, label(Guard::overlap, why)), seconds_in(longer), walls_in(longer)});
  if (auto problem =
          settle(timing, check_replay(trial, timing, seconds_in(calls.unseen), seconds_in(calls.short_), short_count)))
    return problem;
  return settle(timing, check_values(trial, timing, groups, why.empty() ? count : 1, rule));
}

}  // namespace

Sampled sample_batches(Trial& trial, const SamplingRule& rule, std::size_t count) {
  const bool by_host = trial.facts().clock == core::ClockKind::host;
  const std::size_t short_count = by_host ? 1 : std::min(count, trial.known().size() - 1);
  SamplingRule batches = rule;
  batches.fewest = std::min(rule.fewest, fewest_batches);
  batches.most = std::clamp(rule.most, batches.fewest, most_batches);
  auto groups = two_groups(trial.known());
  Timing timing;
  timing.calls_per_batch = count;
  BatchedCalls calls;
  auto problem = call_unseen_first(trial, short_count, calls);
  if (!problem) problem = sample_all(trial, batches, count, short_count, groups, calls, timing);
  if (!problem) problem = check_batches(trial, batches, count, short_count, groups, calls, timing);
  return {std::move(timing), std::move(problem)};
}

}  // namespace hone::judge
