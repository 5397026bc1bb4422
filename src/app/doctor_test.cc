#include "app/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/test_support.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

using testing::HasSubstr;

// Of no device, so that nothing depends on what this machine has.
DoctorRequest request_without_device() {
  DoctorRequest request;
  request.device = "nothing:0";
  request.ceilings = DoctorRequest::Measure::never;
  return request;
}

TEST(Doctor, ChecksEveryThingThatJudgingNeeds) {
  const FakePlace place;  // a home folder of the tests' own
  RecordingSink sink;
  const auto result = doctor(request_without_device(), sink);
  const auto check = [&](const std::string& name) {
    return std::find_if(result.checks.begin(), result.checks.end(),
                        [&](const Check& one) { return one.name == name; });
  };
  for (const char* name : {"C++ compiler", "isolation", "home folder", "archive"})
    EXPECT_NE(check(name), result.checks.end()) << name;
  EXPECT_EQ(check("home folder")->state, Check::State::ok);
  EXPECT_TRUE(result.devices.empty());
  EXPECT_FALSE(result.can_judge());
  EXPECT_THAT(result.conclusion(), HasSubstr("there is no device that can be used"));
  EXPECT_EQ(sink.steps.back().text, "");
}

TEST(Doctor, EndsAfterTheDevicesOnceItIsCancelled) {
  RecordingSink sink;
  sink.cancel();
  EXPECT_EQ(code_of([&] { doctor(request_without_device(), sink); }), base::ExitCode::interrupted);
}

TEST(Doctor, AsJsonHasChecksAndDevicesWithTheirCeilings) {
  DoctorResult result;
  result.references = true;
  result.checks = {{Check::State::unneeded, "Profilers", "ncu", "not here", ""}};
  CheckedDevice device;
  device.info.id = "fake:1";
  device.ceilings.emplace();
  device.ceilings->best.read = 5e9;
  device.ceilings->probes = {{"read", "read_runs", "16 × 1", 5e9}};
  result.devices = {device};
  const auto said = base::probe(result);
  EXPECT_EQ(said["can_judge"], true);
  EXPECT_EQ(said["conclusion"], "Hone can judge candidates here, on fake:1.");
  EXPECT_EQ(said["checks"][0]["state"], "not needed");
  EXPECT_EQ(said["devices"][0]["id"], "fake:1");
  EXPECT_EQ(said["devices"][0]["usable"], true);
  EXPECT_EQ(said["devices"][0]["ceilings"]["read"], 5e9);
  EXPECT_EQ(said["devices"][0]["ceilings"]["probes"][0]["kernel"], "read_runs");
  result.devices[0].usable = false;
  EXPECT_FALSE(result.can_judge());
}

}  // namespace
}  // namespace hone::app
