#include "judge/turn.h"

#include <gtest/gtest.h>

#include "judge/trial_pair.h"

namespace hone::judge {
namespace {

// A device that is busy with what the test says.
class ScriptedProbe final : public TurnProbe {
 public:
  bool waiting_side_works = false, other_program_works = false, other_program_is_known = false;
  int noises = 0;  // that have no cause
  bool stopped = false;

  bool is_quiet() override {
    const bool noise = noises-- > 0;
    return !noise && !other_program_works && (!waiting_side_works || stopped);
  }
  void pause() override {}
  void stop_waiting_side() override { stopped = true; }
  bool others_use_device() override { return other_program_works || other_program_is_known; }
};

TEST(Turn, AnIdleDeviceStopsNeitherSide) {
  ScriptedProbe probe;
  EXPECT_EQ(state_of_turn(probe), TurnState::idle);
  probe.noises = 3;
  EXPECT_EQ(state_of_turn(probe), TurnState::idle) << "what is over soon is not a queue";
  EXPECT_FALSE(probe.stopped);
}

TEST(Turn, AWaitingSideThatKeepsTheDeviceBusyIsToldApart) {
  ScriptedProbe probe;
  probe.waiting_side_works = true;
  EXPECT_EQ(state_of_turn(probe), TurnState::waiting_side);
  EXPECT_TRUE(probe.stopped);
}

TEST(Turn, WhatOtherProgramsDoConvictsNeitherSide) {
  ScriptedProbe busy;
  busy.other_program_works = true;
  EXPECT_EQ(state_of_turn(busy), TurnState::others);
  // It may have ended just when the waiting side was stopped.
  ScriptedProbe both;
  both.waiting_side_works = both.other_program_is_known = true;
  EXPECT_EQ(state_of_turn(both), TurnState::others);
}

TEST(TrialPair, NeitherIsBlamedForWhatTheOtherSideMayHaveCaused) {
  const auto found = [](core::Outcome outcome) { return conviction(outcome, Guard::none, "why"); };
  EXPECT_EQ(blamed(side_a, found(core::Outcome::crashed), false).side, side_a);
  EXPECT_EQ(blamed(side_a, found(core::Outcome::crashed), true).side, std::nullopt);
  EXPECT_EQ(blamed(side_b, found(core::Outcome::wrong), true).side, side_b)
      << "its results are its own";
}

TEST(TrialPair, TakesFewerInputsWhereMemoryIsShort) {
  constexpr std::uint64_t buffers = 100, input = 50, reference = 10;
  const auto fit = [&](std::uint64_t free, std::size_t drawn) {
    return inputs_that_fit(buffers, input, reference, free, drawn, 4);
  };
  EXPECT_EQ(*fit(1000, 0), 4u);
  EXPECT_EQ(*fit(260, 0), 2u) << "one more must fit beside them";
  EXPECT_EQ(*fit(160, 0), 1u);
  EXPECT_EQ(*fit(100, 3), 3u) << "what is there already needs no room";
  ASSERT_FALSE(fit(130, 0).ok());
  EXPECT_EQ(fit(130, 0).error(), 30u) << "bytes short";
  EXPECT_FALSE(fit(99, 3).ok());
}

}  // namespace
}  // namespace hone::judge
