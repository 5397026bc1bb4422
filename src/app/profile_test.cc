#include "app/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/test_support.h"
#include "base/json_probe.h"
#include "store/profiles.h"

namespace hone::app {
namespace {

struct Profile : testing::Test {
  FakePlace place;
  RecordingSink sink;
  ProfileRequest request = place.request<ProfileRequest>();

  Profile() {
    request.task = place.task_name();
    request.candidate = place.good();
  }
};

TEST_F(Profile, ExplainsAndRecordsAndCanBeExplainedAgain) {
  const auto result = profile(request, sink);
  ASSERT_TRUE(result.profile);
  ASSERT_FALSE(result.id.empty());
  EXPECT_FALSE(sink.steps.empty());
  const auto said = base::probe(result);
  EXPECT_EQ(said["device"]["id"], "fake:1");
  EXPECT_EQ(said["id"], result.id);
  EXPECT_EQ(said["diagnosis"]["bound"].kind(), "string");

  auto again = place.request<ExplainAgainRequest>();
  again.profile = result.id;
  const auto explained = explain_again(again);
  EXPECT_EQ(explained.id, result.id);
  EXPECT_EQ(explained.profile.diagnosis.bound, result.profile->diagnosis.bound);
  EXPECT_EQ(base::probe(explained)["id"], result.id);
  auto archive = place.archive();
  EXPECT_EQ(store::list_profiles(archive, 10).size(), 1u) << "an explanation is not recorded";
}

TEST_F(Profile, OfACandidateThatIsNotAcceptedIsItsRefusal) {
  request.candidate = place.wrong();
  const auto result = profile(request, sink);
  EXPECT_FALSE(result.profile);
  EXPECT_EQ(result.refusal.outcome, core::Outcome::wrong);
  EXPECT_EQ(result.id, "");
  const auto said = base::probe(result);
  EXPECT_EQ(said["outcome"], "wrong");
  EXPECT_EQ(said["device"]["id"], "fake:1");
}

TEST_F(Profile, EndsAfterTheVerdictOnceItIsCancelled) {
  sink.cancel();
  EXPECT_EQ(code_of([&] { profile(request, sink); }), base::ExitCode::interrupted);
  auto archive = place.archive();
  EXPECT_TRUE(store::list_profiles(archive, 10).empty());
}

TEST_F(Profile, RefusesAToolThatIsNoCommandBeforeAnythingElse) {
  request.tools = {""};
  EXPECT_EQ(code_of([&] { profile(request, sink); }), base::ExitCode::usage);
  EXPECT_TRUE(sink.steps.empty());
}

}  // namespace
}  // namespace hone::app
