#include "judge/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/stats.h"
#include "judge/replay.h"
#include "judge/sequence.h"
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
constexpr std::size_t batches_of_variants = 2;

bool is_enough(const Trial& trial, const SamplingRule& rule, const std::vector<double>& samples,
               double start) {
  return enough(rule, samples, trial.now() - start, trial.guards().on(Guard::sample_budget));
}

// Applies what a guard says; the finding decides.
MaybeFinding settle(Timing& timing, GuardResult result) {
  if (!result) return result.error();
  if (*result) apply(timing, **std::move(result));
  return std::nullopt;
}

// What single calls are sorted into.
struct SortedCalls {
  std::vector<double>
      unseen;  // the first calls on known inputs, and on those that are like a known one
  std::vector<double>
      drawn_whole;  // the first calls on inputs that were drawn as a whole, most for it alone
  std::vector<double> seen;  // all later ones
  std::vector<double> variants;
  std::vector<InputGroup> groups;  // by known input
  std::map<const Entry*, std::size_t> group_of;

  void add(const Trial& trial, const Entry* entry, bool is_first, double seconds) {
    if (is_variant(*entry)) return variants.push_back(seconds);
    const Entries& unchecked = trial.mix().unchecked;
    if (std::find(unchecked.begin(), unchecked.end(), entry) != unchecked.end())
      return drawn_whole.push_back(seconds);
    const auto& of_its_own = trial.mix().of_its_own;
    const auto at = std::find(of_its_own.begin(), of_its_own.end(), entry);
    const bool is_known = at == of_its_own.end();
    const bool is_whole =
        !is_known && is_drawn_whole(static_cast<std::size_t>(at - of_its_own.begin()));
    (!is_first ? seen : is_whole ? drawn_whole : unseen).push_back(seconds);
    if (!is_known) return;
    const auto [group, is_new] = group_of.try_emplace(entry, groups.size());
    if (is_new) groups.push_back({{entry}, {}});
    groups[group->second].seconds.push_back(seconds);
  }
};

// Whether calls are missing without which nothing could be told of memory.
bool needs_more(const Trial& trial, const SortedCalls& sorted) {
  return trial.facts().can_remember && trial.guards().on(Guard::replay) &&
         trial.known().size() > 2 && sorted.seen.size() < fewest_seen;
}

// Whether first calls on inputs made for the candidate say anything. One call by the judge's clock
// may be slow by chance: then only twice the time counts, since asking further is expensive.
bool are_enough(const Trial& trial, const std::vector<double>& drawn_whole,
                const std::vector<double>& seen) {
  if (drawn_whole.size() >= fewest_unseen) return true;
  const core::ClockKind clock = trial.facts().clock;
  return !drawn_whole.empty() &&
         (clock == core::ClockKind::device ||
          is_faster(clock, replay_ratio, core::median(seen), drawn_whole.front()));
}

MaybeFinding check_single_calls(Trial& trial, Timing& timing, const SortedCalls& sorted,
                                const SamplingRule& rule) {
  if (sorted.seen.size() >= fewest_seen) {
    if (sorted.unseen.size() >= fewest_unseen)
      if (auto problem = settle(timing, check_replay(trial, timing, sorted.unseen, sorted.seen, 1)))
        return problem;
    if (are_enough(trial, sorted.drawn_whole, sorted.seen))
      if (auto problem =
              settle(timing, check_replay(trial, timing, sorted.drawn_whole, sorted.seen, 1)))
        return problem;
  }
  // Where only one or two inputs fit, unseen ones cannot be told from known ones.
  if (trial.known().size() <= 2 && trial.guards().on(Guard::fresh_contents) &&
      trial.facts().can_remember)
    if (auto problem = settle(timing, check_replay_on_few(trial, timing))) return problem;
  return settle(timing, check_values(trial, timing, sorted.groups, 1, rule));
}

// Where variants take much longer, both times are said; that on plain inputs stays the candidate's.
void note_variants(const Trial& trial, Timing& timing, double on_variants) {
  timing.variants = on_variants;
  const double on_plain = core::median(timing.samples);
  if (!depends_on_values(trial.facts().clock, on_plain, on_variants)) return;
  apply(
      timing,
      {in_case(trial.facts().case_name,
               label(Guard::variants,
                     fmt::format(
                         "on variants of its inputs (shifted, flipped, heavy or large values) it "
                         "takes {:.4g} ms, on plain ones {:.4g} ms; the time is that on plain ones",
                         1e3 * on_variants, 1e3 * on_plain))),
       {},
       {}});
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
    timing.judge_seconds = std::move(correction.judge_seconds);
  }
  timing.labels.push_back(std::move(correction.label));
}

Sampled sample_calls(Trial& trial, const SamplingRule& rule, const StopEarly& stop_early) {
  Timing timing;
  SortedCalls sorted;
  Sequence sequence(trial);
  // Asking also marks it as called.
  sequence.is_first_call(trial.known().front());  // the verifying call was on it
  const auto call = [&](const Entry* entry) -> MaybeFinding {
    const auto called = trial.time({entry});
    if (!called) return called.error();
    sorted.add(trial, entry, sequence.is_first_call(entry), called->seconds);
    if (is_variant(*entry)) return std::nullopt;
    timing.samples.push_back(called->seconds);
    timing.judge_seconds.push_back(called->judge_seconds);
    return std::nullopt;
  };
  const double start = trial.now();
  bool asked = false;  // whether to stop early
  while (!is_enough(trial, rule, timing.samples, start) || needs_more(trial, sorted)) {
    if (auto problem = call(sequence.next())) return {std::move(timing), std::move(problem)};
    if (stop_early && timing.samples.size() == stop_early_after && !std::exchange(asked, true) &&
        stop_early(timing.samples))
      return {std::move(timing), stopped_early(trial.facts().case_name)};
  }
  for (const Entry* entry : sequence.left_over())
    if (auto problem = call(entry)) return {std::move(timing), std::move(problem)};
  timing.alone = timing.batched = core::median(timing.samples);
  if (!sorted.variants.empty()) note_variants(trial, timing, core::median(sorted.variants));
  auto problem = check_single_calls(trial, timing, sorted, rule);
  return {std::move(timing), std::move(problem)};
}

// ---- batches

namespace {

// A batch in which every input is called for the first time, as far as there was memory for them.
struct NewBatch {
  Entries of_its_own;  // of the inputs that were made for the candidate alone, which are verified
  UnseenInputs unchecked;  // the others
  std::size_t after = 0;   // so many batches
  double seconds = 0;      // per call
  std::size_t unseen = 0;  // of its calls
};

// The calls of sample_batches, by kind.
struct BatchedCalls {
  std::vector<TimedCalls> unseen;     // batches of inputs that were not called before
  std::vector<TimedCalls> short_;     // batches as long as those, of inputs that were
  std::vector<TimedCalls> single;     // calls alone
  std::vector<TimedCalls> full;       // what counts
  std::vector<std::size_t> variants;  // how many calls of each of them are on variants
  std::vector<double> on_variants;    // batches of variants only
  std::vector<NewBatch> new_batches;
};

MaybeFinding time_into(Trial& trial, const Entries& entries, std::vector<TimedCalls>& to) {
  const auto called = trial.time(entries);
  if (!called) return called.error();
  to.push_back(*called);
  return std::nullopt;
}

// Unseen contents first; the verifying call has shown the first entry. By the judge's clock one
// call each; by a device that queues work all in one request, so that a short call stands out. The
// first batch after a pause is slow whatever it is called on: it is made of calls on what was
// shown.
MaybeFinding call_unseen_first(Trial& trial, std::size_t per_batch, BatchedCalls& calls) {
  const Entries& known = trial.known();
  if (per_batch > 1)
    if (const auto called = trial.time(Entries(per_batch, known.front())); !called)
      return called.error();
  for (std::size_t at = 1; at + per_batch <= known.size(); at += per_batch) {
    const auto first = known.begin() + static_cast<std::ptrdiff_t>(at);
    if (auto problem =
            time_into(trial, {first, first + static_cast<std::ptrdiff_t>(per_batch)}, calls.unseen))
      return problem;
  }
  return std::nullopt;
}

// Batches are made of every second entry in turn: a few elements of one half are far larger, and
// may take longer. With fewer than four entries a batch would be one answer many times over.
std::vector<InputGroup> two_groups(const Entries& known) {
  std::vector<InputGroup> groups(known.size() >= entries_for_two_groups ? 2 : 1);
  for (std::size_t i = 0; i < known.size(); ++i)
    groups[i % groups.size()].entries.push_back(known[i]);
  return groups;
}

Entries entries_of(const UnseenInputs& inputs) {
  Entries entries;
  for (const auto& entry : inputs) entries.push_back(entry.get());
  return entries;
}

// Batches of new inputs come at moments that cannot be foreseen, and not at first: the first batch
// is slow whatever it is called on.
base::Result<std::vector<NewBatch>, Finding> draw_new_batches(Trial& trial, std::size_t count,
                                                              std::size_t batches) {
  const Entries& of_its_own = trial.mix().of_its_own;
  std::vector<NewBatch> all(trial.mix().new_batches);
  for (std::size_t i = 0; i < of_its_own.size() && !all.empty();
       ++i)  // each has both kinds of them, if there are
    all[i / 2 % all.size()].of_its_own.push_back(of_its_own[i]);
  for (NewBatch& one : all) {
    one.after = 1 + trial.random_below(batches);
    const std::size_t verified = std::min(count, one.of_its_own.size());
    auto unchecked = trial.draw_unseen(count - verified, Expected::unknown);
    if (!unchecked) return Failure{unchecked.error()};
    one.unchecked = *std::move(unchecked);
    one.unseen = verified + one.unchecked.size();
  }
  std::erase_if(all, [](const NewBatch& one) { return one.unseen == 0; });
  return all;
}

MaybeFinding call_new_batch(Trial& trial, Sequence& sequence, const Entries& plain,
                            std::size_t count, NewBatch& one) {
  const auto called =
      trial.time(sequence.batch_of_new(one.of_its_own, entries_of(one.unchecked), plain, count));
  if (!called) return called.error();
  one.seconds = called->seconds;
  trial.forget(one.unchecked);
  one.unchecked.clear();
  return std::nullopt;
}

// What counts, with single calls, short batches and batches of variants beside it until there are
// enough of those.
MaybeFinding sample_all(Trial& trial, const SamplingRule& rule, std::size_t count,
                        std::size_t short_count, std::vector<InputGroup>& groups,
                        BatchedCalls& calls, Timing& timing) {
  const Entries known = trial.known();
  Sequence sequence(trial);
  std::size_t introduced = 0;
  const double start = trial.now();
  while (!is_enough(trial, rule, timing.samples, start) || introduced < calls.new_batches.size()) {
    InputGroup& group = groups[calls.full.size() % groups.size()];
    const Entries batch = sequence.next_batch(group.entries, count);
    if (auto problem = time_into(trial, batch, calls.full)) return problem;
    calls.variants.push_back(variants_in(batch));
    group.seconds.push_back(calls.full.back().seconds);
    timing.samples.push_back(calls.full.back().seconds);
    timing.judge_seconds.push_back(calls.full.back().judge_seconds);
    for (NewBatch& one : calls.new_batches)
      if (calls.full.size() == one.after) {
        if (auto problem = call_new_batch(trial, sequence, group.entries, count, one))
          return problem;
        ++introduced;
      }
    if (calls.single.size() < fewest_batches)
      if (auto problem = time_into(trial, any_of(trial, known, 1), calls.single)) return problem;
    if (short_count > 1 && calls.short_.size() < fewest_batches)
      if (auto problem = time_into(trial, any_of(trial, known, short_count), calls.short_))
        return problem;
    if (!trial.mix().variants.empty() && calls.on_variants.size() < batches_of_variants) {
      const auto called = trial.time(sequence.batch_of_variants(count));
      if (!called) return called.error();
      calls.on_variants.push_back(called->seconds);
    }
  }
  // A batch of one is a call alone.
  if (short_count == 1) calls.short_ = calls.single;
  return std::nullopt;
}

// The time of a call on a plain input, from a batch in which `variants` of `count` calls were on
// variants.
// batch = ((n - k) plain + k on_variants) / n, solved for plain.
double without_variants(double batch, double on_variants, std::size_t variants, std::size_t count) {
  const auto n = static_cast<double>(count), k = static_cast<double>(variants);
  return (n * batch - k * on_variants) / (n - k);
}

// Only batches without variants count then, and there must be enough of them.
MaybeFinding count_plain_batches(Trial& trial, std::size_t count, const BatchedCalls& calls,
                                 Timing& timing) {
  std::vector<TimedCalls> plain;
  for (std::size_t i = 0; i < calls.full.size(); ++i)
    if (calls.variants[i] == 0) plain.push_back(calls.full[i]);
  while (plain.size() < fewest_batches)
    if (auto problem = time_into(trial, any_of(trial, trial.known(), count), plain)) return problem;
  timing.samples = seconds_in(plain);
  timing.judge_seconds = judge_seconds_in(plain);
  return std::nullopt;
}

// The time of calls on plain inputs. What variants take is measured in batches of variants only,
// which a candidate can recognise: where they take much longer, only batches without any count, and
// elsewhere the correction is small.
MaybeFinding take_variants_out(Trial& trial, std::size_t count, BatchedCalls& calls,
                               std::vector<InputGroup>& groups, Timing& timing) {
  if (!calls.on_variants.empty()) {
    const double on_variants = core::median(calls.on_variants),
                 mixed = core::median(timing.samples);
    for (auto& group : groups) group.seconds.clear();
    for (std::size_t i = 0; i < calls.full.size(); ++i) {
      timing.samples[i] =
          without_variants(timing.samples[i], on_variants, calls.variants[i], count);
      groups[i % groups.size()].seconds.push_back(timing.samples[i]);
    }
    const core::ClockKind clock = trial.facts().clock;
    if (depends_on_values(clock, mixed, on_variants) ||
        depends_on_values(clock, on_variants, mixed))
      if (auto problem = count_plain_batches(trial, count, calls, timing)) return problem;
    note_variants(trial, timing, on_variants);
  }
  timing.batched = core::median(timing.samples);
  timing.alone = core::median(seconds_in(calls.single));
  return std::nullopt;
}

// The guard `replay` in batches that are as long as those that are timed. One of new inputs may be
// slow by chance, and asking further is expensive: the fastest counts.
MaybeFinding check_new_batches(Trial& trial, Timing& timing, std::size_t count,
                               const BatchedCalls& calls) {
  if (calls.new_batches.empty()) return std::nullopt;
  std::vector<double> on_new;
  for (const NewBatch& one : calls.new_batches)
    on_new.push_back(seconds_on_unseen(one.seconds, timing.batched, count, one.unseen));
  const std::size_t verified =
      std::clamp<std::size_t>(calls.new_batches.front().of_its_own.size(), 1, count);
  return settle(timing, check_replay_in_batches(
                            trial, timing,
                            {timing.batched, *std::min_element(on_new.begin(), on_new.end()), count,
                             verified}));
}

// The second fastest of the calls alone, for the question whether calls in batches overlap. Not the
// median: of a few calls more than half may be slow because they came after a pause (a cold host
// launches several times as slowly). A candidate whose calls do each other's work in a batch is not
// helped by it: none of its calls alone is quick.
double quick_one(std::vector<double> seconds) {
  const std::size_t second = std::min<std::size_t>(1, seconds.size() - 1);
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(second),
                   seconds.end());
  return seconds[second];
}

MaybeFinding check_batches(Trial& trial, const SamplingRule& rule, std::size_t count,
                           std::size_t short_count, const std::vector<InputGroup>& groups,
                           const BatchedCalls& calls, Timing& timing) {
  if (auto problem = check_new_batches(trial, timing, count, calls)) return problem;
  // A candidate that is slow only in short batches, which are compared with unseen inputs, does it
  // on purpose.
  const auto& longer =
      timing.alone >= core::median(seconds_in(calls.short_)) ? calls.single : calls.short_;
  const std::string why = trial.overlap(timing.batched, quick_one(seconds_in(longer)));
  if (!why.empty())
    apply(timing, {in_case(trial.facts().case_name, label(Guard::overlap, why)), seconds_in(longer),
                   judge_seconds_in(longer)});
  if (auto problem = settle(timing, check_replay(trial, timing, seconds_in(calls.unseen),
                                                 seconds_in(calls.short_), short_count)))
    return problem;
  return settle(timing, check_values(trial, timing, groups, why.empty() ? count : 1, rule));
}

}  // namespace

Sampled sample_batches(Trial& trial, const SamplingRule& rule, std::size_t count) {
  const bool by_judge = trial.facts().clock == core::ClockKind::judge;
  const std::size_t short_count = by_judge ? 1 : std::min(count, trial.known().size() - 1);
  SamplingRule batches = rule;
  batches.fewest = std::min(rule.fewest, fewest_batches);
  batches.most = std::clamp(rule.most, batches.fewest, most_batches);
  auto groups = two_groups(trial.known());
  Timing timing;
  timing.calls_per_batch = count;
  BatchedCalls calls;
  // Drawn before the first call: a pause between batches would announce them.
  auto new_batches = draw_new_batches(trial, count, batches.fewest);
  if (!new_batches) return {std::move(timing), new_batches.error()};
  calls.new_batches = *std::move(new_batches);
  auto problem = call_unseen_first(trial, short_count, calls);
  if (!problem) problem = sample_all(trial, batches, count, short_count, groups, calls, timing);
  if (!problem) problem = take_variants_out(trial, count, calls, groups, timing);
  if (!problem) problem = check_batches(trial, batches, count, short_count, groups, calls, timing);
  return {std::move(timing), std::move(problem)};
}

}  // namespace hone::judge
