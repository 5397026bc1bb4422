#include "text/profile_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "text/table.h"

namespace hone::text {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

core::Profile a_profile() {
  core::Profile p;
  p.case_name = "large";
  p.seconds = 4e-5;
  p.diagnosis = {core::Bound::memory,
                 {},
                 {},
                 "It moves 3 TB/s of the 4 TB/s that were measured on this device.",
                 ""};
  core::Advice a;
  a.id = "A1";
  a.tool = "narrow-access";
  a.severity = core::Severity::critical;
  a.title = "Loads are narrow";
  a.evidence =
      "12 of 14 loads move 4 bytes, where the access pattern would let each of them move 16 of "
      "them at once.";
  a.cause = "One element is read at a time.";
  a.recommendation = "Read float4 in line 17.";
  a.lines = {17, 12};
  a.gain = {20, 50};
  p.advice = {a};
  p.hot_lines = {{17, "    y[i] = x[i];", 0.61, {{"long_scoreboard", 0.8}, {"wait", 0.1}}},
                 {0, "", 0.2, {}}};
  p.left_out = {{"coalescing", "it was not measured"}};
  p.parts = {{"build", 0.5}, {"kernel", 1.5}};
  return p;
}

TEST(ProfileText, SaysEverythingInWholeLinesWithoutATerminal) {
  const auto text = profile_text(a_profile(), {});
  EXPECT_THAT(text, AllOf(HasSubstr("memory-bound: 40.0 µs a call in case large\n"),
                          HasSubstr("A1 critical Loads are narrow [narrow-access]\n"),
                          HasSubstr("20 to 50 % of the call's time, 1.25× to 2.00× as fast"),
                          HasSubstr("where: the whole call, lines 17, 12\n"),
                          HasSubstr("17   61.0 %  long_scoreboard 80 %, wait 10 %  y[i] = x[i];\n"),
                          HasSubstr("coalescing: it was not measured\n"),
                          HasSubstr("explaining took 2.00 s")));
  EXPECT_THAT(text, AllOf(HasSubstr("would let each of them move 16 of them at once.\n"),
                          Not(HasSubstr("\x1b"))));
}

TEST(ProfileText, HasALineForTheSystemForEnergyAndForTheCheckers) {
  auto profile = a_profile();
  const auto add = [&](const char* tag, double value) {
    profile.metrics.push_back({tag, "1", value, "", "large", {}, {}});
  };
  EXPECT_THAT(profile_text(profile, {}), Not(HasSubstr("energy:")));
  add("system.launches", 2);
  add("system.span", 4e-5);
  add("system.gaps", 1e-6);
  add("energy.call", 0.25);
  add("energy.call.low", 0.24);
  add("energy.call.high", 0.26);
  add("energy.power", 612);
  add("energy.sm_clock", 1.98e9);
  add("sanitizer.memcheck", 0);
  add("sanitizer.racecheck", 0);
  EXPECT_THAT(profile_text(profile, {}),
              AllOf(HasSubstr("system: 2 launches in 40.0 µs, 1.00 µs between them"),
                    HasSubstr("energy: 0.25 J a call (0.24 to 0.26), 612 W, SMs at 1980 MHz"),
                    HasSubstr("memcheck, racecheck: nothing found")));
}

TEST(ProfileText, KeepsToTheWidthOfATerminal) {
  constexpr int width = 60;
  std::istringstream lines(profile_text(a_profile(), {true, width}));
  for (std::string line; std::getline(lines, line);)
    if (line.find("explaining took") == std::string::npos) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
    }
}

TEST(ProfileText, LetsNoStrangerMoveTheCursor) {
  auto profile = a_profile();
  profile.advice[0].title = profile.advice[0].evidence = profile.hot_lines[0].text = "\x1b[2Jgone";
  profile.notes = {"\x1b[2Jgone"};
  EXPECT_THAT(profile_text(profile, {}), Not(HasSubstr("\x1b")));
}

TEST(ProfileText, SaysSoWhereNoToolHasAnythingToSay) {
  auto profile = a_profile();
  profile.advice.clear();
  profile.diagnosis.bound = core::Bound::mixed;
  EXPECT_THAT(profile_text(profile, {}),
              AllOf(HasSubstr("no tool has anything to say"), HasSubstr("mixed: 40.0 µs")));
}

}  // namespace
}  // namespace hone::text
