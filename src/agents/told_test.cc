// What designers and writers are told of what was measured, and what the ledger is told of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/answers.h"
#include "agents/node_text.h"
#include "agents/profile_text.h"

namespace hone::agents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Told, ErrorsStandBesideEagers) {
  ShownNode shown;
  shown.evaluation.emplace();
  shown.evaluation->cases.push_back({.name = "main", .timed = true, .median = 1e-3});
  const auto note = [&](const char* tag, double value) {
    shown.evaluation->metrics.push_back({tag, "1", value, "", "main", {}, {}});
  };
  note("class.error.rms", 2.06e-7);
  note("class.error.max", 1e-6);
  note("class.fp32.eager.rms", 2e-7);
  note("class.fp32.solved", 0);
  note("class.tf32.eager.rms", 3e-4);
  note("class.tf32.solved", 1);
  const std::string text = times_text(shown);
  EXPECT_THAT(text, HasSubstr("2.06e-07"));
  EXPECT_THAT(text, HasSubstr("it misses class fp32"));
  EXPECT_THAT(text, HasSubstr("it solves class tf32"));
}

TEST(Told, WhatTheCompilerSaysOfRegisters) {
  ShownNode shown;
  shown.evaluation.emplace();
  shown.evaluation->build_log = "note: x\nptxas info : Used 168 registers, 12 bytes spill\n";
  EXPECT_THAT(times_text(shown), HasSubstr("Used 168 registers"));
  EXPECT_THAT(times_text(shown), Not(HasSubstr("note: x")));
}

TEST(Told, TheDesignOfWhatNoExperimentMade) {
  core::Node node;
  node.number = 1;
  const ListedNode seed{&node, nullptr, false, "one thread for each row"};
  EXPECT_THAT(listing_text({&seed}), HasSubstr("its design: one thread for each row"));
}

TEST(Told, TheBusiestPipeTheClockAndTheBytes) {
  core::Profile profile;
  const auto note = [&](const char* tag, double value) {
    profile.metrics.push_back({tag, "1", value, "", "", 0, {}});
  };
  note("kernel.seconds", 1e-4);
  note("kernel.sm_clock", 1.755e9);
  note("kernel.pipe.tensor", 0.68);
  note("kernel.pipe.fma", 0.1);
  note("kernel.dram.read", 6e6);
  note("kernel.dram.written", 2e6);
  const std::string text = measured_text(profile, 4e6);
  EXPECT_THAT(text, HasSubstr("1755 MHz"));
  EXPECT_THAT(text, HasSubstr("busiest pipe tensor at 68 %"));
  EXPECT_THAT(text, HasSubstr("2.00 times the compulsory bytes"));
  EXPECT_EQ(measured_text({}, 4e6), "");
}

TEST(Told, WhatAdviceBroughtBefore) {
  const std::string text = followed_text(
      {{.node = 7, .tool = "t", .title = "Load wider", .outcome = "accepted", .realised = 3.5},
       {.node = 8, .tool = "t", .title = "Spill less", .outcome = "wrong"}});
  EXPECT_THAT(text, HasSubstr("00007 followed \"Load wider\""));
  EXPECT_THAT(text, HasSubstr("it saved 3.5 %"));
  EXPECT_THAT(text, HasSubstr(": wrong"));
}

TEST(Credit, IsReadFromTheReport) {
  EXPECT_THAT(*followed_in("Followed: A1, A3\nThe rest."), ElementsAre("A1", "A3"));
  EXPECT_THAT(*followed_in("**Followed:** `a2`"), ElementsAre("A2"));
  EXPECT_TRUE(followed_in("Followed: none")->empty());
  EXPECT_FALSE(followed_in("I followed A1."));
}

TEST(Credit, IsSplitBetweenWhatWasFollowed) {
  EXPECT_EQ(credit_for_each(12, {"A1", "A3"}, "Followed: A1, A3", "a", "b"), 6);
  EXPECT_EQ(credit_for_each(12, {"A1"}, "Followed: A1, A3", "a", "b"), 6)
      << "what it did beside has its part";
  EXPECT_EQ(credit_for_each(12, {"A1"}, "no word of it", "a", "b"), 12);
}

TEST(Credit, IsWithheldWhereItCannotBeTold) {
  EXPECT_FALSE(credit_for_each(12, {"A1", "A3"}, "no word of it", "a", "b"));
  EXPECT_FALSE(credit_for_each(12, {"A1", "A3"}, "Followed: A1", "a", "b"));
  EXPECT_FALSE(credit_for_each(12, {"A1"}, "Followed: none", "a", "b"));
  EXPECT_FALSE(credit_for_each(12, {"A1"}, "Followed: A1", "a // x", "a // y"))
      << "nothing changed";
  EXPECT_FALSE(credit_for_each(std::nullopt, {"A1"}, "Followed: A1", "a", "b"));
}

}  // namespace
}  // namespace hone::agents
