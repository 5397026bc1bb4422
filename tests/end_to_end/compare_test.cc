#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::filesystem::path specimens = std::filesystem::path(HONE_EXAMPLES).parent_path() / "resources" / "selftest";

class Compare : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  }
  Finished compare(const std::string& task, const std::string& a, const std::string& b) {
    return hone_.run({"compare", specimens / "tasks" / task, specimens / task / a, specimens / task / b, "--device",
                      "opencl:0", "--max-seconds", "0.2", "--json"});
  }
  std::size_t evaluations() {
    const json log = json::parse(hone_.run({"log", "--json"}).out, nullptr, false);
    return log.at("evaluations").size();
  }
  Hone hone_;
};

TEST_F(Compare, RefusesACandidateThatIsRightOnPlainInputsOnly) {
  const auto finished = compare("variance", "honest.cl", "zero_mean.cl");
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  const json result = json::parse(finished.out);
  EXPECT_FALSE(result.at("compared"));
  EXPECT_EQ(result.at("a").at("outcome"), "accepted");
  EXPECT_EQ(result.at("b").at("outcome"), "wrong");
  EXPECT_THAT(result.at("b").dump(), HasSubstr("variant shifted"));
  EXPECT_EQ(evaluations(), 2u) << "both verdicts are recorded";
}

TEST_F(Compare, TakesAVerdictThatWasRecordedBefore) {
  for (int turn = 0; turn < 2; ++turn) {
    const auto finished = compare("variance", "honest.cl", "honest.cl");
    EXPECT_TRUE(json::parse(finished.out).at("compared")) << finished.out << finished.err;
    EXPECT_EQ(evaluations(), 1u);
  }
}

}  // namespace
}  // namespace hone::end_to_end
