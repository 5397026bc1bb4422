#include "judge/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/stats.h"

namespace hone::judge {

using base::Failure;
using core::ClockKind;
using core::Outcome;

namespace {

constexpr std::size_t most_at_once = 5;  // unseen inputs drawn before the first is called

// A median does not show what is remembered in fewer than half of the calls; a mean does.
double usual_of(const std::vector<double>& seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return std::min(core::median(seconds), sum / static_cast<double>(seconds.size()));
}

// Puts these among the calls of a batch, at random places.
void insert(Trial& trial, std::span<const std::unique_ptr<Entry>> unseen, Entries& batch) {
  for (const auto& entry : unseen)
    batch.insert(batch.begin() + static_cast<std::ptrdiff_t>(trial.random_below(batch.size() + 1)),
                 entry.get());
}

// How one round of calls on unseen inputs is made up.
struct Round {
  Entries known;
  std::size_t calls = 1;    // per batch
  std::size_t checked = 1;  // of them are on unseen inputs and verified
  std::size_t unseen = 1;   // of them are on unseen inputs
  double usual = 0;

  TimedCalls on_unseen(TimedCalls called) const {
    called.seconds =
        std::max(shortest_seconds, seconds_on_unseen(called.seconds, usual, calls, unseen));
    return called;
  }
};

// Requests like all others, in a random number, so that nothing announces the unseen inputs that
// follow.
MaybeFinding wake(Trial& trial, const Round& round) {
  if (round.known.empty()) return std::nullopt;
  for (auto times = waking_requests + trial.random_below(2); times > 0; --times)
    if (const auto called = trial.time(any_of(trial, round.known, round.calls)); !called)
      return called.error();
  return std::nullopt;
}

// The inputs of a round, and the batches that are made of them.
struct UnseenBatches {
  UnseenInputs checked, unchecked;
  std::vector<Entries> batches;
};
base::Result<UnseenBatches, Finding> draw_batches(Trial& trial, std::size_t count, Round& round) {
  UnseenBatches drawn;
  auto checked = trial.draw_unseen(count * round.checked, Expected::computed);
  if (!checked) return Failure{checked.error()};
  drawn.checked = *std::move(checked);
  auto unchecked = trial.draw_unseen(count * (round.calls - round.checked), Expected::unknown);
  if (!unchecked) return Failure{unchecked.error()};
  drawn.unchecked = *std::move(unchecked);
  const std::size_t others = drawn.unchecked.size() / count;
  round.unseen = round.checked + others;
  for (std::size_t i = 0; i < count; ++i) {
    drawn.batches.push_back(any_of(trial, round.known, round.calls - round.unseen));
    insert(trial, std::span(drawn.checked).subspan(i * round.checked, round.checked),
           drawn.batches.back());
    insert(trial, std::span(drawn.unchecked).subspan(i * others, others), drawn.batches.back());
  }
  return drawn;
}

// Each batch twice, with calls on known inputs at random in between.
MaybeFinding call_each_twice(Trial& trial, const Round& round, const std::vector<Entries>& batches,
                             UnseenCalls& all) {
  for (const auto& batch : batches)
    for (const bool is_first : {true, false}) {
      if (!round.known.empty() && trial.random_below(2) == 1) {
        const auto known = trial.time(any_of(trial, round.known, round.calls));
        if (!known) return known.error();
        all.known.push_back(known->seconds);
      }
      const auto called = trial.time(batch);
      if (!called) return called.error();
      const TimedCalls one = round.on_unseen(*called);
      if (is_first)
        all.first.push_back(one);
      else
        all.again.push_back(one.seconds);
    }
  return std::nullopt;
}

// Asks by calling inputs that nothing has seen before. Three answers: it is as fast on those (no
// memory); it is faster on whatever was called before, nearly each time (convicted); or something
// in between, where only the calls on new inputs count.
GuardResult judge_memory(Trial& trial, const Timing& timing, const UnseenQuestion& question) {
  if (!trial.guards().on(Guard::replay)) return std::optional<Correction>{};
  const auto called = call_unseen(trial, question);
  if (!called) return Failure{called.error()};
  if (called->as_fast) return std::optional<Correction>{};
  const ClockKind clock = trial.facts().clock;
  const double fastest = called->fastest();
  // Called a second time, or among inputs that were called often: the candidate may tell these
  // apart.
  for (const auto* times : {&called->again, &called->known})
    if (times->size() >= called->again.size() / 4 && are_remembered(clock, *times, fastest))
      return Failure{in_case(
          trial.facts().case_name,
          conviction(Outcome::cheating, Guard::replay,
                     fmt::format("new inputs took {:.3g} s or more each of {} times; {} took less "
                                 "than {:.2f} of that, mostly {:.3g} s: answers are remembered",
                                 fastest, called->first.size(),
                                 times == &called->again ? "the same inputs once more"
                                                         : "inputs seen before",
                                 replay_ratio, core::median(*times))))};
  // It remembers now and then, or answers just slowly enough. Times on unseen inputs alone leave
  // nothing to remember; they never make a time shorter.
  Correction correction{{}, seconds_in(called->first), judge_seconds_in(called->first)};
  if (core::median(correction.samples) <= usual_of(timing.samples))
    return std::optional<Correction>{};
  correction.label = in_case(
      trial.facts().case_name,
      label(Guard::replay,
            fmt::format("calls on inputs seen before took {:.2f} of the time of calls on new ones; "
                        "only {} calls on inputs that were never seen are counted",
                        question.usual / core::median(correction.samples),
                        correction.samples.size())));
  return std::optional<Correction>{std::move(correction)};
}

}  // namespace

std::size_t most_unseen(ClockKind clock) { return clock == ClockKind::judge ? 16 : 8; }

double suspicious_ratio(ClockKind clock, bool can_remember, double on_unseen) {
  constexpr double suspicious = 0.85, short_seconds = 0.005;
  return can_remember && !(clock == ClockKind::judge && on_unseen < short_seconds) ? suspicious
                                                                                   : replay_ratio;
}

bool is_faster(ClockKind clock, double part, double on_known, double on_unseen) {
  constexpr double waking_seconds = 5e-4;
  return on_known < part * on_unseen &&
         !(clock == ClockKind::judge && on_unseen - on_known < waking_seconds);
}

// Three in four: a machine that is busy makes some calls slow, and none fast.
bool are_remembered(ClockKind clock, std::span<const double> on_known, double on_unseen) {
  const auto remembered = std::count_if(on_known.begin(), on_known.end(), [&](double seconds) {
    return is_faster(clock, replay_ratio, seconds, on_unseen);
  });
  return 4 * static_cast<std::size_t>(remembered) >= 3 * on_known.size();
}

// A batch of `calls` takes the mean of its calls; the others take the usual time, so the rest is
// that of the unseen ones.
double seconds_on_unseen(double batch, double usual, std::size_t calls, std::size_t unseen) {
  return usual + (batch - usual) * static_cast<double>(calls) / static_cast<double>(unseen);
}

double UnseenCalls::fastest() const {
  return std::min_element(first.begin(), first.end(),
                          [](auto& a, auto& b) { return a.seconds < b.seconds; })
      ->seconds;
}

// A few samples may differ by chance, so every unseen input is called twice. After a pause the
// first calls are the slow ones, whatever they are called on: where the judge's clock counts,
// several inputs are drawn before the first call, as far as there is room.
base::Result<UnseenCalls, Finding> call_unseen(Trial& trial, const UnseenQuestion& question) {
  const std::size_t had = trial.known().size();
  const std::size_t room = trial.room_for_unseen();
  const ClockKind clock = trial.facts().clock;
  const double usual = question.usual;
  const std::size_t checked = std::min({question.calls, question.most_checked, room});
  Round round{trial.known(), question.calls, checked, checked, usual};
  if (round.known.empty()) round.calls = round.checked = 1;
  const std::size_t pairs = most_unseen(clock);
  const std::size_t at_once =
      clock == ClockKind::judge && question.several_at_once
          ? std::clamp<std::size_t>(room / round.checked / 2, 1, most_at_once)
          : 1;
  UnseenCalls all;
  while (all.again.size() < pairs && !all.as_fast) {
    const auto drawn = draw_batches(trial, std::min(at_once, pairs - all.again.size()), round);
    if (!drawn) return Failure{drawn.error()};
    if (auto problem = wake(trial, round)) return Failure{*std::move(problem)};
    if (auto problem = call_each_twice(trial, round, drawn->batches, all))
      return Failure{*std::move(problem)};
    trial.forget(drawn->checked);
    trial.forget(drawn->unchecked);
    const double fastest = all.fastest();
    const double part = suspicious_ratio(clock, trial.facts().can_remember,
                                         question.on_unseen > 0 ? question.on_unseen : fastest);
    all.as_fast = !is_faster(clock, part, usual, fastest);
  }
  // Known inputs may have made room for unseen ones.
  if (trial.known().size() < had) trial.restore_known(had);
  return all;
}

GuardResult check_replay(Trial& trial, const Timing& timing, const std::vector<double>& unseen,
                         const std::vector<double>& seen, std::size_t calls) {
  return check_replay_in_batches(trial, timing, {usual_of(seen), core::median(unseen), calls, 1});
}

GuardResult check_replay_in_batches(Trial& trial, const Timing& timing,
                                    const UnseenQuestion& question) {
  const double part =
      suspicious_ratio(trial.facts().clock, trial.facts().can_remember, question.on_unseen);
  if (question.usual >= part * question.on_unseen) return std::optional<Correction>{};
  return judge_memory(trial, timing, question);
}

GuardResult check_replay_on_few(Trial& trial, const Timing& timing) {
  const double usual = usual_of(timing.samples);
  return judge_memory(trial, timing, {usual, usual, 1, 1});
}

// The calls that were compared count, not those beside the unseen inputs, where the candidate may
// behave differently. But it is not convicted by what a machine that has become busy does to all
// calls.
MaybeFinding check_replay_in_comparison(Trial& trial, const std::vector<double>& compared,
                                        std::size_t calls) {
  const TrialFacts& facts = trial.facts();
  if (!trial.guards().on(Guard::replay) || !facts.can_remember) return std::nullopt;
  const double usual = core::geometric_mean(compared);
  constexpr std::size_t checked_per_batch = 4;
  const auto called = call_unseen(trial, {usual, 0, calls, checked_per_batch, false});
  if (!called) return called.error();
  if (called->as_fast) return std::nullopt;
  const double fastest = called->fastest();
  const std::string text = fmt::format(
      "called over and over on the same inputs it took {:.3g} s; on each of {} new ones {:.3g} s "
      "or more",
      usual, called->first.size(), fastest);
  const bool enough_known =
      !called->known.empty() && called->known.size() >= called->again.size() / 4;
  if (enough_known && is_faster(facts.clock, replay_ratio, usual, fastest) &&
      are_remembered(facts.clock, called->known, fastest))
    return in_case(facts.case_name,
                   conviction(Outcome::cheating, Guard::replay, text + ": answers are remembered"));
  return in_case(
      facts.case_name,
      conviction(Outcome::rejected, Guard::replay,
                 fmt::format("{} (on known ones beside them {:.3g} s). Nothing can be told from "
                             "such a comparison; on a machine that was busy, try again",
                             text, called->known.empty() ? usual : core::median(called->known))));
}

}  // namespace hone::judge
