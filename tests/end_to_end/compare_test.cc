#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"

#include "laboratory.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;

const std::filesystem::path specimens =
    std::filesystem::path(HONE_EXAMPLES).parent_path() / "resources" / "selftest";

class Compare : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  }
  Finished compare(const std::string& task, const std::string& a, const std::string& b) {
    return hone_.run({"compare", specimens / "tasks" / task, specimens / task / a,
                      specimens / task / b, "--device", "opencl:0", "--max-seconds", "0.2",
                      "--json"});
  }
  std::size_t evaluations() {
    const JsonProbe log(hone_.run({"log", "--json"}).out);
    return log["evaluations"].size();
  }
  Hone hone_;
  Laboratory laboratory_;
};

TEST_F(Compare, RefusesACandidateThatIsRightOnPlainInputsOnly) {
  const auto finished = compare("variance", "honest.cl", "zero_mean.cl");
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  const JsonProbe result(finished.out);
  EXPECT_FALSE(result["compared"]);
  EXPECT_EQ(result["a"]["outcome"], "accepted");
  EXPECT_EQ(result["b"]["outcome"], "wrong");
  EXPECT_THAT(result["b"].dump(), HasSubstr("variant shifted"));
  EXPECT_EQ(evaluations(), 2u) << "both verdicts are recorded";
}

// On the fake GPU, whose clock is its own.
TEST_F(Compare, TakesAVerdictThatWasRecordedBefore) {
  const std::string seed = laboratory_.hone.folder() / "seed.fake",
                    task = laboratory_.hone.folder() / "copy";
  for (int turn = 0; turn < 2; ++turn) {
    const auto finished =
        laboratory_.hone.run({"compare", task, seed, seed, "--device", "fake:1", "--json"});
    EXPECT_EQ(finished.code, 11) << finished.out << finished.err;
    EXPECT_TRUE(JsonProbe(finished.out)["compared"]) << finished.out << finished.err;
    const JsonProbe log(laboratory_.hone.run({"log", "--json"}).out);
    EXPECT_EQ(log["evaluations"].size(), 1u);
  }
}

// A screening is over before its sixtieth call, and so is the comparison. Certifying takes more.
TEST_F(Compare, ARefusalByADeeperEvaluationStands) {
  const std::string task = laboratory_.hone.folder() / "copy",
                    seed = laboratory_.hone.folder() / "seed.fake",
                    turns = laboratory_.hone.folder() / "turns.fake";
  std::string source = laboratory_seed;
  base::write_file_atomically(turns, source.insert(source.rfind('\n'), " after=60 zeros"));
  const auto hone = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--device", "fake:1", "--json"});
    return laboratory_.hone.run(std::move(words));
  };
  EXPECT_EQ(hone({"eval", task, turns}).code, 0);
  EXPECT_EQ(hone({"compare", task, seed, turns}).code, 11) << "both were accepted so far";
  EXPECT_EQ(hone({"eval", task, turns, "--depth", "certify"}).code, 1);
  const auto finished = hone({"compare", task, seed, turns});
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  const JsonProbe result(finished.out);
  EXPECT_FALSE(result["compared"]);
  EXPECT_EQ(result["a"]["outcome"], "accepted");
  EXPECT_EQ(result["b"]["outcome"], "wrong");
}

TEST_F(Compare, SaysWhatItFoundAndByWhichRule) {
  const std::string task = laboratory_.hone.folder() / "copy",
                    seed = laboratory_.hone.folder() / "seed.fake",
                    slower = laboratory_.hone.folder() / "slower.fake";
  std::string source = laboratory_seed;
  source.replace(source.find("1000000000"), 10, "1005000000");
  base::write_file_atomically(slower, source);
  const auto finished = laboratory_.hone.run({"compare", task, seed, slower, "--device", "fake:1"});
  EXPECT_EQ(finished.code, 10) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("slower.fake is slower: 1.0050 of the time of"));
  EXPECT_THAT(finished.out, HasSubstr("exchange the candidates"));
}

TEST_F(Compare, SeveralCandidatesAreJudgedByOneJudge) {
  const auto of_variance = [](const char* name) {
    return (specimens / "variance" / name).string();
  };
  const auto finished = hone_.run({"eval", specimens / "tasks" / "variance",
                                   of_variance("honest.cl"), of_variance("zero_mean.cl"),
                                   of_variance("honest.cl"), "--device", "opencl:0", "--json"});
  EXPECT_EQ(finished.code, 1) << "not all were accepted" << finished.err;
  const JsonProbe all = JsonProbe(finished.out)["evaluations"];
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["outcome"], "accepted");
  EXPECT_EQ(all[1]["outcome"], "wrong");
  EXPECT_EQ(all[1]["candidate"], of_variance("zero_mean.cl"));
  EXPECT_EQ(all[2]["outcome"], "accepted")
      << "one that is wrong does not spoil the inputs of the next";
}

}  // namespace
}  // namespace hone::end_to_end
