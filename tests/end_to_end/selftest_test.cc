#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;

// One home for all of them.
class Selftest : public testing::Test {
 protected:
  static void SetUpTestSuite() { hone_ = std::make_unique<Hone>(); }
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
  const auto finished = selftest({"--cheats", "--no-clock", "--json", "--kind", "device"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  const JsonProbe report(finished.out);
  int caught = 0;
  for (const auto& line : report["lines"].items()) {
    EXPECT_TRUE(line["good"]) << line.dump();
    if (line["state"] == "not here") {
      EXPECT_NE(line["text"], "") << line;
      continue;
    }
    EXPECT_EQ(line["state"], "caught") << line.dump();
    EXPECT_EQ(line["twin"], "accepted") << line.dump();
    ++caught;
  }
  EXPECT_EQ(caught, 38);
  EXPECT_EQ(report["undecided"], 0) << "nothing that was tried goes by the clock";
}

TEST_F(Selftest, SaysThatTheClockWasNotAskedFor) {
  const auto finished = selftest({"--cheats", "--no-clock", "--without", "replay"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("the guard replay cannot be shown here: it goes by the clock"));
}

// Each guard in turn is switched off in one process (SelftestOnACpu, in the judge's own tests).
TEST_F(Selftest, LetsASpecimenThroughWithoutItsGuard) {
  const auto finished =
      selftest({"--cheats", "--no-clock", "--json", "--without", "canary", "--kind", "device"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  const JsonProbe report(finished.out);
  ASSERT_EQ(report["lines"].size(), 1u) << finished.out;
  EXPECT_EQ(report["lines"][0]["specimen"], "overruns");
  EXPECT_EQ(report["lines"][0]["state"], "came through") << finished.out;
  EXPECT_EQ(report["undecided"], 0);
}

TEST_F(Selftest, ShowsOneRowWhenAskedForOne) {
  const auto finished = selftest({"--cheats", "--no-clock", "--only", "22"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("below_floor"));
}

TEST_F(Selftest, RefusesARowOrAGuardThatDoesNotExist) {
  EXPECT_EQ(selftest({"--cheats", "--only", "49"}).code, 2);
  const auto finished = selftest({"--cheats", "--without", "magic"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("there is no guard 'magic'"));
}

}  // namespace
}  // namespace hone::end_to_end
