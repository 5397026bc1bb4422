#include "judge/selftest.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "device/device.h"
#include "judge/guards.h"
#include "judge/specimens.h"
#include "task/candidate_loader.h"

namespace hone::judge {
namespace {

using core::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

core::DeviceInfo device_of(core::Language language, bool is_cpu) {
  core::DeviceInfo info;
  info.language = language;
  info.is_cpu = is_cpu;
  return info;
}
const core::DeviceInfo cpu = device_of(core::Language::opencl, true),
                       gpu = device_of(core::Language::cuda, false);

TEST(Selftest, ShowsEveryGuardOrSaysWhyNot) {
  for (const auto& info : {cpu, gpu})
    for (const auto& guard : guard_lines(info))
      EXPECT_NE(guard.specimens.empty(), guard.reason.empty())
          << guard.name << (info.is_cpu ? " on a CPU" : " on a GPU");
}

TEST(Selftest, ShowsEveryGuardWithoutAGpuButSanitizersAndQueuedWork) {
  const std::set<std::string> not_here = {"sanitizer", "late-work", "waiting-side"};
  for (const auto& guard : guard_lines(cpu))
    EXPECT_EQ(guard.specimens.empty(), not_here.contains(guard.name)) << guard.name;
}

TEST(Selftest, HasASpecimenForEveryRowOrSaysWhyNot) {
  for (const auto& info : {cpu, gpu})
    for (const Row& row : all_rows()) {
      bool any = false;
      for (const Specimen& specimen : all_specimens())
        any = any || (specimen.row == row.number && can_be_tried(specimen, info));
      EXPECT_NE(any, !(info.is_cpu ? row.not_on_cpu : row.not_on_gpu).empty())
          << "row " << row.number << (info.is_cpu ? " on a CPU" : " on a GPU");
    }
}

TEST(Selftest, NamesOnlyGuardsAndRowsThatExist) {
  std::set<std::string_view> guards = {""}, rows;
  for (const GuardInfo& guard : all_guards()) guards.insert(guard.name);
  for (const Row& row : all_rows()) rows.insert(row.number);
  EXPECT_EQ(rows.size(), 49u);
  for (const Specimen& specimen : all_specimens()) {
    EXPECT_TRUE(guards.contains(name_of(specimen.guard))) << specimen.name;
    EXPECT_TRUE(rows.contains(specimen.row)) << specimen.name;
  }
}

std::vector<std::string> endings_of(const Specimen& specimen) {
  switch (specimen.place) {
    case SpecimenDevice::anywhere:
      return {".cl", ".cu"};
    case SpecimenDevice::native:
      return {".cl"};
    case SpecimenDevice::cuda:
      return {".cu"};
    case SpecimenDevice::python:
    case SpecimenDevice::python_cpu:
    case SpecimenDevice::python_cuda:
      return {".py"};
    default:
      return {".fake"};
  }
}

TEST(Selftest, ShipsASourceForEverySpecimenAndTwin) {
  for (const Specimen& specimen : all_specimens())
    for (const auto& ending : endings_of(specimen))
      for (const auto& name :
           {std::string(specimen.name), std::string("honest"), std::string(specimen.accomplice)}) {
        if (name.empty()) continue;
        EXPECT_TRUE(
            base::find_resource("selftest/" + std::string(specimen.task) + "/" + name + ending))
            << specimen.task << "/" << name << ending;
      }
}

// One second of calls, half of it spent waiting for processors that others used; and one that no
// other program caused.
const runner::Contention busy{10, 1, 0.8, 0.4, 1.6, 2}, idle{10, 1, 0.01, 0.9, 0.02, 2}, unknown;

SelftestLine line_with(SelftestLine::State state, bool false_alarm = false) {
  SelftestLine line;
  line.state = state;
  line.false_alarm = false_alarm;
  return line;
}

TEST(Selftest, WhatTheJudgeCannotTellIsUndecided) {
  using State = SelftestLine::State;
  for (const State state : {State::caught, State::missed, State::held_back}) {
    SelftestLine line = line_with(state);
    decide_if_busy(line, Guard::values, {Outcome::undecided, busy}, {Outcome::accepted, idle});
    EXPECT_EQ(line.state, State::undecided);
    EXPECT_TRUE(line.good() && line.undecided());
    EXPECT_NEAR(line.outside_delay, 0.64, 1e-9);
  }
  SelftestLine twin = line_with(State::caught, true);
  decide_if_busy(twin, Guard::values, {Outcome::cheating, idle}, {Outcome::undecided, busy});
  EXPECT_EQ(twin.state, State::caught);
  EXPECT_TRUE(twin.good() && twin.undecided());
}

TEST(Selftest, WhatABusyMachineHidesFromTheClockIsUndecided) {
  using State = SelftestLine::State;
  for (const State state : {State::missed, State::held_back}) {
    SelftestLine line = line_with(state);
    decide_if_busy(line, Guard::values, {Outcome::accepted, busy}, {Outcome::accepted, idle});
    EXPECT_EQ(line.state, State::undecided);
  }
}

TEST(Selftest, AMissIsAMissOnAnIdleMachineAndByGuardsThatDoNotGoByTheClock) {
  using State = SelftestLine::State;
  for (const auto& [guard, contention] :
       {std::pair{Guard::values, idle}, std::pair{Guard::values, unknown},
        std::pair{Guard::poison, busy}, std::pair{Guard::none, busy}}) {
    SelftestLine line = line_with(State::missed, true);
    decide_if_busy(line, guard, {Outcome::accepted, contention}, {Outcome::wrong, contention});
    EXPECT_EQ(line.state, State::missed);
    EXPECT_TRUE(line.false_alarm);
    EXPECT_FALSE(line.good() || line.undecided());
  }
}

TEST(Selftest, ABusyMachineDoesNotExplainACrashOrAConviction) {
  using State = SelftestLine::State;
  for (const Outcome outcome : {Outcome::crashed, Outcome::cheating}) {
    SelftestLine line = line_with(State::missed);
    decide_if_busy(line, Guard::values, {outcome, busy}, {Outcome::accepted, idle});
    EXPECT_EQ(line.state, State::missed);
  }
}

TEST(Selftest, WhatWasCaughtIsCaughtOnABusyMachine) {
  SelftestLine line = line_with(SelftestLine::State::caught);
  decide_if_busy(line, Guard::values, {Outcome::cheating, busy}, {Outcome::accepted, busy});
  EXPECT_EQ(line.state, SelftestLine::State::caught);
  EXPECT_FALSE(line.undecided());
}

TEST(Selftest, WithoutTheClockNoGuardIsLeftThatComparesTimes) {
  const GuardSet guards = without_clock();
  for (const GuardInfo& guard : all_guards()) {
    EXPECT_EQ(guards.on(guard.guard), !needs_the_clock(guard.guard)) << guard.name;
  }
}

TEST(Selftest, TheGuardsThatGoByTheClockAreThoseOfThePageOnTrust) {
  std::string names;
  for (const GuardInfo& guard : all_guards())
    if (needs_the_clock(guard.guard))
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", guard.name);
  std::string page = base::read_file(HONE_SOURCE "/docs/trust.md");
  std::replace(page.begin(), page.end(), '\n', ' ');
  EXPECT_THAT(page, HasSubstr("Guards that go by the clock (" + names + ") compare times"));
}

// Every guard in turn, in one process: it opens the device once, and what it builds serves the
// next.
class SelftestOnACpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      info_ = device::find_device("opencl:0");
    } catch (const base::Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  core::DeviceInfo info_;
};

// No guard is a sham: without it, and only without it, its specimens come through.
TEST_F(SelftestOnACpu, EveryGuardThatIsSwitchedOffLetsItsSpecimensThrough) {
  int shown = 0;
  for (const GuardLine& guard : guard_lines(info_)) {
    if (guard.specimens.empty() || needs_the_clock(guard_named(guard.name))) continue;
    SelftestOptions options;
    options.without = guard.name;
    options.kind = "device";
    options.no_clock = true;
    for (const SelftestLine& line : selftest(info_, options)) {
      if (line.state == SelftestLine::State::not_here)
        continue;  // its specimens are in Python, and have their test
      EXPECT_EQ(line.state, SelftestLine::State::through)
          << guard.name << ", " << line.specimen << ": " << line.verdict << " " << line.text;
      ++shown;
    }
  }
  EXPECT_EQ(shown, 35);
}

// The CUDA specimens cannot run here, but they must not fail for a slip of the pen where they can.
TEST(Selftest, ItsCudaSourcesCompile) {
  if (device::compiler_version(core::Language::cuda, "").empty())
    GTEST_SKIP() << "there is no NVRTC here";
  for (const auto& name : base::resource_names("selftest/")) {
    if (!name.ends_with(".cu")) continue;
    const std::string source = base::resource(name);
    const auto candidate = task::candidate_from(source, core::Language::cuda, name);
    ASSERT_TRUE(candidate.ok()) << task::render_with_sources(candidate.error());
    const auto built = device::compile({core::Language::cuda, "", "sm_90a", source, name, {}});
    EXPECT_TRUE(built.ok) << built.log;
    if (name.find("global_state") != std::string::npos)
      EXPECT_EQ(built.forbidden.size(), 1u);
    else
      EXPECT_THAT(built.forbidden, IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace hone::judge
