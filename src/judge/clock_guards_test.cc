// The guards that go by the clock, over trials whose candidate, machine and clock the test scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/stats.h"
#include "judge/clocks.h"
#include "judge/replay.h"
#include "judge/scripted_trial.h"
#include "judge/timing.h"
#include "judge/values.h"

namespace hone::judge {
namespace {

using core::ClockKind;
using core::Outcome;
using testing::HasSubstr;

constexpr double work = 0.02;  // seconds that a call takes when it is computed
const SamplingRule ten_samples{10, 10, 0, 1};

TrialFacts native() { return {"case", ClockKind::judge, false, true}; }
TrialFacts python_on_gpu() { return {"case", ClockKind::device, true, true}; }
TrialFacts kernel_on_gpu() { return {"case", ClockKind::device, false, false}; }

ScriptedTrial::Candidate honest(double seconds = work) {
  return [seconds](const Entry&, int) { return seconds; };
}
ScriptedTrial::Candidate remembers_after(int calls, double remembered = work / 100) {
  return [=](const Entry&, int times_called) { return times_called < calls ? work : remembered; };
}
GuardSet without(Guard guard) {
  GuardSet guards;
  guards.switch_off(guard);
  return guards;
}
std::string labels_of(const Timing& timing) {
  std::string labels;
  for (const auto& one : timing.labels)
    labels += std::string(name_of(one.guard)) + ": " + one.text + "\n";
  return labels;
}
bool has_label(const Timing& timing, Guard guard) {
  return std::any_of(timing.labels.begin(), timing.labels.end(),
                     [&](const auto& one) { return one.guard == guard; });
}

// Machines. A busy one makes calls slower, never faster.
double every_second(int request) { return request % 2 == 0 ? 0.03 : 0; }
double three_of_four(int request) { return request % 4 != 0 ? 0.05 : 0; }
ScriptedTrial::Machine busy_at_first(int requests) {
  return [requests](int request) { return request < requests ? 0.05 : 0.0; };
}

// ---- replay

TEST(Replay, AcceptsACandidateThatComputesWhateverTheMachineDoes) {
  for (const auto& facts : {native(), python_on_gpu(), kernel_on_gpu()})
    for (const auto& machine :
         {ScriptedTrial::Machine([](int) { return 0.0; }), ScriptedTrial::Machine(every_second),
          ScriptedTrial::Machine(three_of_four), busy_at_first(3), busy_at_first(8)})
      for (const std::size_t samples : {9, 10, 15, 16}) {
        ScriptedTrial trial(facts, {}, 4, honest());
        trial.machine = machine;
        const auto timing = sample_calls(trial, {samples, samples, 0, 1});
        ASSERT_TRUE(timing.ok()) << timing.error().text;
        EXPECT_FALSE(has_label(*timing, Guard::replay)) << labels_of(*timing);
      }
}

TEST(Replay, ConvictsACandidateThatRemembersAnswers) {
  for (const auto& facts : {native(), python_on_gpu()}) {
    ScriptedTrial trial(facts, {}, 4, remembers_after(1));
    const auto timing = sample_calls(trial, ten_samples);
    ASSERT_FALSE(timing.ok());
    EXPECT_EQ(timing.error().outcome, Outcome::cheating);
    EXPECT_EQ(timing.error().guard, Guard::replay);
    EXPECT_EQ(timing.error().case_name, "case");
    EXPECT_THAT(timing.error().text, HasSubstr("answers are remembered"));
  }
}

TEST(Replay, ConvictsItOnAMachineThatWasBusyAtFirst) {
  ScriptedTrial trial(native(), {}, 4, remembers_after(1));
  trial.machine = busy_at_first(5);
  const auto sampled = sample_calls(trial, {30, 30, 0, 1});
  ASSERT_FALSE(sampled.ok()) << labels_of(*sampled);
  EXPECT_EQ(sampled.error().guard, Guard::replay);
}

TEST(Replay, CountsNoRememberedTimeWhereABusyMachineHidesHalfOfThem) {
  ScriptedTrial trial(native(), {}, 4, remembers_after(1));
  trial.machine = every_second;
  const auto sampled = sample_calls(trial, {30, 30, 0, 1});
  ASSERT_TRUE(sampled.ok()) << sampled.error().text;
  EXPECT_TRUE(has_label(*sampled, Guard::replay)) << labels_of(*sampled);
  EXPECT_GE(core::median(sampled->samples), work);
}

TEST(Replay, WithoutTheGuardTheRememberedTimeCounts) {
  ScriptedTrial trial(native(), without(Guard::replay), 4, remembers_after(1));
  const auto timing = sample_calls(trial, ten_samples);
  ASSERT_TRUE(timing.ok());
  EXPECT_LT(core::median(timing->samples), work / 10);
}

TEST(Replay, IsFoundWhereTheSecondCallOnAnInputIsHonest) {
  // It hides from a second call that follows at once, and answers from memory later.
  const Entry* last = nullptr;
  ScriptedTrial trial(native(), {}, 4, [&](const Entry& entry, int times_called) {
    const bool at_once = std::exchange(last, &entry) == &entry;
    return times_called == 0 || at_once ? work : work / 100;
  });
  const auto timing = sample_calls(trial, ten_samples);
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(timing.error().guard, Guard::replay);
}

TEST(Replay, CountsUnseenInputsOnlyWhereSomeAnswersAreRemembered) {
  int call = 0;
  ScriptedTrial trial(native(), {}, 4, [&](const Entry&, int times_called) {
    return times_called > 0 && ++call % 5 < 3 ? work / 100 : work;
  });
  const auto timing = sample_calls(trial, {20, 20, 0, 1});
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_TRUE(has_label(*timing, Guard::replay)) << labels_of(*timing);
  EXPECT_NEAR(core::median(timing->samples), work, 1e-9);
}

TEST(Replay, AsksForUnseenInputsWhereOnlyOneOrTwoFit) {
  for (const std::size_t inputs : {1, 2}) {
    ScriptedTrial remembers(native(), {}, inputs, remembers_after(1));
    const auto caught = sample_calls(remembers, ten_samples);
    ASSERT_FALSE(caught.ok()) << inputs;
    EXPECT_EQ(caught.error().guard, Guard::replay);
    ScriptedTrial computes(native(), {}, inputs, honest());
    EXPECT_TRUE(sample_calls(computes, ten_samples).ok());
  }
}

TEST(Replay, MakesRoomForAnUnseenInputAndDrawsTheKnownOneAgain) {
  ScriptedTrial trial(native(), {}, 4, remembers_after(1));
  trial.room = 0;
  EXPECT_FALSE(sample_calls(trial, ten_samples).ok());
  EXPECT_EQ(trial.known().size(), 4u);
}

TEST(Replay, AKernelThatKeepsNothingIsConvictedOnlyByAFactorOfTwo) {
  // A device whose kernels cannot remember: the first calls may be slower for other reasons.
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, [](const Entry&, int times_called) {
    return times_called == 0 ? work : 0.6 * work;
  });
  EXPECT_TRUE(sample_calls(trial, ten_samples).ok());
}

TEST(Replay, IsFoundInBatchesOfCalls) {
  for (const auto& facts : {native(), python_on_gpu()}) {
    ScriptedTrial trial(facts, {}, 4, remembers_after(1));
    const auto timing = sample_batches(trial, ten_samples, 4);
    ASSERT_FALSE(timing.ok());
    EXPECT_EQ(timing.error().guard, Guard::replay) << timing.error().text;
    ScriptedTrial computes(facts, {}, 4, honest());
    const auto accepted = sample_batches(computes, ten_samples, 4);
    ASSERT_TRUE(accepted.ok()) << accepted.error().text;
    EXPECT_TRUE(accepted->labels.empty()) << labels_of(*accepted);
  }
}

TEST(Replay, WhatWasMeasuredBeforeAConvictionIsKept) {
  ScriptedTrial trial(native(), {}, 4, remembers_after(1));
  const auto sampled = sample_calls(trial, ten_samples);
  ASSERT_FALSE(sampled.ok());
  EXPECT_EQ(sampled->samples.size(), 10u);
}

// A comparison calls four inputs over and over, far more often than an evaluation: this one
// remembers what it has seen twice, which no input of the evaluation is.
TEST(Replay, InAComparisonIsFoundByUnseenInputs) {
  for (const std::size_t calls : {1, 4}) {
    ScriptedTrial trial(native(), {}, 4, remembers_after(2));
    std::vector<double> compared;
    for (int i = 0; i < 24; ++i)
      compared.push_back(trial.time(any_of(trial, trial.known(), calls))->seconds);
    const auto finding = check_replay_in_comparison(trial, compared, calls);
    ASSERT_TRUE(finding) << calls;
    EXPECT_EQ(finding->outcome, Outcome::cheating) << finding->text;
    EXPECT_THAT(finding->text, HasSubstr("answers are remembered"));
    ScriptedTrial trusting(native(), without(Guard::replay), 4, remembers_after(2));
    EXPECT_FALSE(check_replay_in_comparison(trusting, compared, calls));
  }
}

TEST(Replay, InAComparisonABusyMachineConvictsNothing) {
  for (const auto& machine :
       {ScriptedTrial::Machine(every_second), ScriptedTrial::Machine(three_of_four)})
    for (const std::size_t calls : {1, 4}) {
      ScriptedTrial trial(native(), {}, 4, honest());
      trial.machine = machine;
      std::vector<double> compared;
      for (int i = 0; i < 24; ++i)
        compared.push_back(trial.time(any_of(trial, trial.known(), calls))->seconds);
      const auto finding = check_replay_in_comparison(trial, compared, calls);
      EXPECT_FALSE(finding) << finding->text;
    }
}

TEST(Replay, AMachineThatBecomesBusyAfterTheComparisonEndsItWithoutAConviction) {
  ScriptedTrial trial(native(), {}, 4, honest());
  const std::vector<double> compared(24, work);
  trial.machine = [](int) { return 0.05; };
  const auto finding = check_replay_in_comparison(trial, compared, 1);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->outcome, Outcome::rejected);
  EXPECT_THAT(finding->text, HasSubstr("on a machine that was busy, try again"));
}

TEST(Replay, CodeThatCannotRememberIsNotAskedInAComparison) {
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, remembers_after(1));
  EXPECT_FALSE(check_replay_in_comparison(trial, std::vector<double>(8, work / 100), 1));
  EXPECT_EQ(trial.calls, 0);
}

// ---- values

// Slow on the inputs of these numbers, in the order in which they are first called (the first has
// been called).
ScriptedTrial::Candidate slow_on(std::set<int> numbers, double factor) {
  auto order = std::make_shared<std::vector<const Entry*>>();
  return [=](const Entry& entry, int) {
    auto at = std::find(order->begin(), order->end(), &entry);
    if (at == order->end()) at = order->insert(order->end(), &entry);
    return numbers.contains(static_cast<int>(at - order->begin())) ? factor * work : work;
  };
}

TEST(Values, TheTimeOnTheSlowestInputsCountsAndIsLabelled) {
  ScriptedTrial trial(native(), {}, 4, slow_on({1}, 5));
  const auto timing = sample_calls(trial, ten_samples);
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_NEAR(core::median(timing->samples), 5 * work, 1e-9);
  EXPECT_TRUE(has_label(*timing, Guard::values)) << labels_of(*timing);
  ScriptedTrial trusting(native(), without(Guard::values), 4, slow_on({1}, 5));
  const auto median = sample_calls(trusting, ten_samples);
  ASSERT_TRUE(median.ok());
  EXPECT_LT(core::median(median->samples), 4 * work)
      << "that the slow inputs hardly count is what the guard is for";
}

TEST(Values, WhatIsSlowByChanceIsTakenBack) {
  for (const int slow : {0, 1, 2}) {
    ScriptedTrial trial(native(), {}, 4, honest());
    trial.machine = [slow](int request) { return request == slow ? 0.2 : 0.0; };
    const auto timing = sample_calls(trial, {4, 4, 0, 1});
    ASSERT_TRUE(timing.ok());
    EXPECT_FALSE(has_label(*timing, Guard::values)) << labels_of(*timing);
  }
}

TEST(Values, DevicesWithAClockOfTheirOwnAreHeldToThirtyPercent) {
  EXPECT_FALSE(depends_on_values(ClockKind::device, 1, 1.25));
  EXPECT_TRUE(depends_on_values(ClockKind::device, 1, 1.35));
  EXPECT_FALSE(depends_on_values(ClockKind::judge, 1, 1.9));
  EXPECT_TRUE(depends_on_values(ClockKind::judge, 1, 2.1));
}

TEST(Values, TheSlowestInputsOfSeveralAreThoseWithTheLongestMedian) {
  const Entry one, other;
  const std::vector<InputGroup> differ = {{{&one}, {1, 1, 9}}, {{&other}, {3, 3, 3}}},
                                same = {{{&one}, {1, 1, 9}}, {{&other}, {1, 1, 1}}};
  ASSERT_NE(slowest_of(ClockKind::judge, differ), nullptr);
  EXPECT_EQ(slowest_of(ClockKind::judge, differ)->entries, Entries{&other});
  EXPECT_EQ(slowest_of(ClockKind::judge, same), nullptr);
  EXPECT_EQ(slowest_of(ClockKind::judge, {{{&one}, {1}}, {{&other}, {}}}), nullptr)
      << "one was never called";
}

TEST(Values, AreFoundInBatchesOfCalls) {
  int next = 0;
  std::map<const Entry*, int> number;
  ScriptedTrial trial(python_on_gpu(), {}, 4, [&](const Entry& entry, int) {
    const auto [at, is_new] = number.try_emplace(&entry, next);
    if (is_new) ++next;
    return at->second % 2 == 1 ? 3 * work : work;
  });
  const auto timing = sample_batches(trial, ten_samples, 4);
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_TRUE(has_label(*timing, Guard::values)) << labels_of(*timing);
  EXPECT_NEAR(core::median(timing->samples), 3 * work, 1e-9);
}

// A candidate that works honestly, slower on one input, until it sees two inputs in turn: that is
// how the slowest inputs are confirmed, and from then on it answers from memory.
TEST(Values, ConfirmingWhichInputsAreSlowestMakesNoTimeShorter) {
  std::vector<const Entry*> trail;
  const Entry* slow = nullptr;
  bool sure = false;
  ScriptedTrial trial(native(), {}, 4, [&](const Entry& entry, int) {
    if (trail.size() == 1 && slow == nullptr) slow = &entry;
    trail.push_back(&entry);
    const auto n = trail.size();
    if (n >= 6 && trail[n - 1] == trail[n - 3] && trail[n - 2] == trail[n - 4] &&
        trail[n - 1] != trail[n - 2])
      sure = true;
    const bool is_slow = &entry == slow;
    return sure ? (is_slow ? work / 2 : work / 100) : is_slow ? 5 * work : work;
  });
  const auto timing = sample_calls(trial, {12, 12, 0, 1});
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_GE(core::median(timing->samples), 0.9 * work) << labels_of(*timing);
}

// ---- batches that overlap

TEST(Overlap, CallsThatAreFasterTogetherAreTimedAlone) {
  // Four calls in one request take as long as one.
  double busy_until = -1;
  ScriptedTrial* clock = nullptr;
  ScriptedTrial trial(python_on_gpu(), {}, 4, [&](const Entry&, int) {
    if (clock->now() == busy_until) return 0.0;
    busy_until = clock->now();
    return work;
  });
  clock = &trial;
  const auto timing = sample_batches(trial, ten_samples, 4);
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_TRUE(has_label(*timing, Guard::overlap)) << labels_of(*timing);
  EXPECT_NEAR(core::median(timing->samples), work, 1e-9);
}

TEST(Overlap, WhatARequestCostsIsNotTakenForOverlap) {
  ScriptedTrial trial(python_on_gpu(), {}, 4, honest());
  trial.batch_overhead = 1e-3;
  const auto timing = sample_batches(trial, ten_samples, 4);
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_FALSE(has_label(*timing, Guard::overlap)) << labels_of(*timing);
}

// ---- clocks that disagree

TEST(Clocks, AFalseClockIsFoundWhateverTheMachineDoes) {
  for (const auto& machine :
       {ScriptedTrial::Machine([](int) { return 0.0; }), ScriptedTrial::Machine(every_second)}) {
    ScriptedTrial trial(kernel_on_gpu(), {}, 4, honest(1e-4));
    trial.machine = machine;
    trial.clock_factor = 0.1;
    const auto clocks = check_clocks(trial, 1e-5, 20);
    ASSERT_FALSE(clocks.ok());
    EXPECT_EQ(clocks.error().outcome, Outcome::cheating);
    EXPECT_EQ(clocks.error().guard, Guard::judge_clock);
  }
}

TEST(Clocks, ABusyMachineIsNotAFalseClock) {
  // Five batches of six are delayed by thirty milliseconds.
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, honest(1e-4));
  trial.machine = [](int request) { return request < 5 ? 0.03 : 0.0; };
  const auto clocks = check_clocks(trial, 1e-4, 20);
  ASSERT_TRUE(clocks.ok()) << clocks.error().text;
  EXPECT_LE(trial.requests, 6);
}

TEST(Clocks, TheFirstBatchIsEnoughWhereTheyAgree) {
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, honest(1e-4));
  EXPECT_TRUE(check_clocks(trial, 1e-4, 20).ok());
  EXPECT_EQ(trial.requests, 1);
}

// ---- how many samples

TEST(SampleBudget, ASlowStartDoesNotShortenTheMeasurement) {
  const SamplingRule rule{7, 9, 0.05, 0.2};
  const auto slow_start = [] {
    return [call = 0](const Entry&, int) mutable { return ++call <= 2 ? 0.5 : work; };
  };
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, slow_start());
  const auto timing = sample_calls(trial, rule);
  ASSERT_TRUE(timing.ok()) << timing.error().text;
  EXPECT_GE(timing->samples.size(), rule.fewest);
  ScriptedTrial trusting(kernel_on_gpu(), without(Guard::sample_budget), 4, slow_start());
  const auto shortened = sample_calls(trusting, rule);
  ASSERT_TRUE(shortened.ok());
  EXPECT_LT(shortened->samples.size(), rule.fewest);
}

TEST(SampleBudget, ATuningPointThatIsFarBehindIsStoppedAfterTwoSamples) {
  ScriptedTrial trial(kernel_on_gpu(), {}, 4, honest());
  const auto timing =
      sample_calls(trial, ten_samples, [](const std::vector<double>&) { return true; });
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(timing.error().outcome, Outcome::rejected);
  EXPECT_EQ(trial.calls, 2);
  EXPECT_EQ(timing->samples.size(), 2u)
      << "a tuner learns from the time of a point that it stopped";
}

}  // namespace
}  // namespace hone::judge
