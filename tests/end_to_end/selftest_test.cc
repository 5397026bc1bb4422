#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// One home for all of them.
class Selftest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hone_ = std::make_unique<Hone>();
  }
  static void TearDownTestSuite() { hone_.reset(); }
  void SetUp() override {
    if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  }
  static Finished selftest(std::vector<std::string> words) {
    words.insert(words.begin(), {"selftest", "--device", "opencl:0"});
    return hone_->run(words);
  }
  static std::unique_ptr<Hone> hone_;
};
std::unique_ptr<Hone> Selftest::hone_;

TEST_F(Selftest, CatchesEveryCheatAndAcceptsEveryTwin) {
  const auto finished = selftest({"--cheats", "--json", "--kind", "device"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  const json report = json::parse(finished.out);
  int caught = 0;
  for (const auto& line : report.at("lines")) {
    EXPECT_TRUE(line.at("good")) << line.dump(1);
    if (line.at("state") == "not here") {
      EXPECT_NE(line.at("text"), "") << line;
      continue;
    }
    EXPECT_EQ(line.at("state"), "caught") << line.dump(1);
    EXPECT_EQ(line.at("twin"), "accepted") << line.dump(1);
    ++caught;
  }
  EXPECT_GT(caught, 30);
}

// No guard is a sham: without it, and only without it, its specimens come through.
TEST_F(Selftest, EveryGuardThatIsSwitchedOffLetsItsSpecimensThrough) {
  const auto listed = selftest({"--guards", "--json"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  const json guards = json::parse(listed.out);
  EXPECT_GE(guards.size(), 30u);
  for (const auto& guard : guards) {
    const std::string name = guard.at("name");
    if (name == "results" || name == "overlap")
      continue;  // of candidates in Python alone, which have tests of their own
    if (guard.at("specimens") == "") {
      EXPECT_NE(guard.at("reason"), "") << name << " has neither a specimen nor a reason";
      continue;
    }
    const auto finished = selftest({"--cheats", "--json", "--without", name, "--kind", "device"});
    EXPECT_EQ(finished.code, 0) << name << finished.out << finished.err;
    const json report = json::parse(finished.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << name << finished.out << finished.err;
    for (const auto& line : report.at("lines")) EXPECT_EQ(line.at("state"), "came through") << line.dump(1);
  }
}

TEST_F(Selftest, ShowsOneRowWhenAskedForOne) {
  const auto finished = selftest({"--cheats", "--only", "22"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("below_floor"));
}

TEST_F(Selftest, RefusesARowOrAGuardThatDoesNotExist) {
  EXPECT_EQ(selftest({"--cheats", "--only", "41"}).code, 2);
  const auto finished = selftest({"--cheats", "--without", "magic"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("there is no guard 'magic'"));
}

}  // namespace
}  // namespace hone::end_to_end
