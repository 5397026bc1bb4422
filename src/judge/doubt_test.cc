// What a busy machine takes back, over trials whose candidate and machine the test scripts, and
// contention that it states.
#include "judge/doubt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/stats.h"
#include "judge/scripted_trial.h"

namespace hone::judge::doubted {  // other tests have names of the same kind
namespace {

using core::ClockKind;
using core::Outcome;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double work = 0.02;  // seconds of a call that computes
const SamplingRule ten_samples{10, 10, 0, 1};
// One second of calls, 64 hundredths of it spent waiting for other programs; none of it; and
// nothing known.
const runner::Contention busy{10, 1, 0.8, 0.4, 1.6, 2}, idle{10, 1, 0.01, 0.9, 0.02, 2}, unknown;

TrialFacts native() { return {"case", ClockKind::judge, false, true}; }

// It answers from memory what it has seen.
ScriptedTrial remembering() {
  return {native(), {}, 4, [](const Entry&, int times_called) {
            return times_called < 1 ? work : work / 100;
          }};
}

// It takes five times as long on one of its inputs.
ScriptedTrial slow_on_one() {
  auto slow = std::make_shared<const Entry*>(nullptr);
  return {native(), {}, 4, [slow](const Entry& entry, int) {
            if (*slow == nullptr) *slow = &entry;
            return *slow == &entry ? 5 * work : work;
          }};
}

TEST(Doubt, AConvictionByTheClockIsTakenBackOnABusyMachine) {
  auto trial = remembering();
  auto sampled = sample_calls(trial, ten_samples);
  ASSERT_TRUE(sampled.finding);
  doubt(sampled, busy);
  EXPECT_EQ(sampled.finding->outcome, Outcome::undecided);
  EXPECT_EQ(sampled.finding->guard, Guard::replay);
  EXPECT_EQ(sampled.finding->case_name, "case");
  EXPECT_THAT(sampled.finding->text,
              HasSubstr("other programs used this machine (64 % of the calls' time"));
  EXPECT_THAT(sampled.finding->text, HasSubstr("Try again when the machine is idle"));
}

TEST(Doubt, ALabelByTheClockMakesACandidateUndecidedInsteadOfSlower) {
  auto trial = slow_on_one();
  auto sampled = sample_calls(trial, ten_samples);
  ASSERT_FALSE(sampled.finding);
  ASSERT_THAT(sampled->labels, Not(IsEmpty()));
  doubt(sampled, busy);
  ASSERT_TRUE(sampled.finding);
  EXPECT_EQ(sampled.finding->outcome, Outcome::undecided);
  EXPECT_THAT(sampled->labels, IsEmpty());
}

TEST(Doubt, NothingIsTakenBackOnAnIdleMachineOrWhereNothingIsKnown) {
  for (const auto& contention : {idle, unknown}) {
    auto cheat = remembering();
    auto convicted = sample_calls(cheat, ten_samples);
    doubt(convicted, contention);
    ASSERT_TRUE(convicted.finding);
    EXPECT_EQ(convicted.finding->outcome, Outcome::cheating);
    auto slow = slow_on_one();
    auto labelled = sample_calls(slow, ten_samples);
    doubt(labelled, contention);
    EXPECT_FALSE(labelled.finding);
    EXPECT_THAT(labelled->labels, Not(IsEmpty()));
    EXPECT_NEAR(core::median(labelled->samples), 5 * work, 1e-9);
  }
}

TEST(Doubt, AnHonestCandidateIsAcceptedOnABusyMachine) {
  ScriptedTrial trial(native(), {}, 4, [](const Entry&, int) { return work; });
  auto sampled = sample_calls(trial, ten_samples);
  doubt(sampled, busy);
  EXPECT_FALSE(sampled.finding);
}

TEST(Doubt, WhatDoesNotGoByTheClockConvictsOnABusyMachine) {
  for (const Guard guard :
       {Guard::none, Guard::tolerance, Guard::canary, Guard::strangers, Guard::limits})
    EXPECT_EQ(unless_busy(conviction(Outcome::wrong, guard, "It is wrong."), busy).outcome,
              Outcome::wrong);
  for (const Guard guard : {Guard::replay, Guard::values, Guard::overlap, Guard::judge_clock})
    EXPECT_EQ(unless_busy(conviction(Outcome::cheating, guard, "It is too fast."), busy).outcome,
              Outcome::undecided);
  EXPECT_EQ(unless_busy(stopped_early("case"), busy).outcome, Outcome::rejected);
}

// A candidate with a hundred threads waits for itself: that is no doubt.
TEST(Doubt, ACandidateCannotCauseItItself) {
  const runner::Contention of_its_own{10, 1, 98, 1.98, 0.02, 2};
  EXPECT_EQ(
      unless_busy(conviction(Outcome::cheating, Guard::replay, "Too fast."), of_its_own).outcome,
      Outcome::cheating);
}

TEST(Doubt, UndecidedIsNotAcceptedAndHasNoTime) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::accepted;
  add(evaluation, unless_busy(conviction(Outcome::cheating, Guard::replay, "Too fast."), busy));
  EXPECT_EQ(evaluation.outcome, Outcome::undecided);
  EXPECT_EQ(core::name_of(evaluation.outcome), "undecided");
  EXPECT_EQ(core::outcome_from("undecided"), Outcome::undecided);
}

}  // namespace
}  // namespace hone::judge::doubted
