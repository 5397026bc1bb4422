#include "text/compare_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::text {
namespace {

judge::ComparisonResult result_with(core::Comparison word, double ratio, double low, double high) {
  judge::ComparisonResult result;
  result.compared = true;
  result.word = word;
  result.ratio_estimate = ratio;
  result.ratio = {low, high};
  result.margin = 0.003;
  return result;
}

std::string text(const judge::ComparisonResult& result) {
  return comparison_text("old.cl", "better.cl", result, {});
}

TEST(CompareText, SaysWhichOneIsFasterAndByHowMuch) {
  EXPECT_EQ(text(result_with(core::Comparison::faster, 0.96, 0.95, 0.97)),
            "better.cl is faster: 0.9600 of the time of old.cl (99 %: 0.9500 to 0.9700)");
  EXPECT_EQ(text(result_with(core::Comparison::slower, 1.04, 1.03, 1.05)),
            "better.cl is slower: 1.0400 of the time of old.cl (99 %: 1.0300 to 1.0500)");
  EXPECT_EQ(text(result_with(core::Comparison::same, 1, 0.999, 1.001)),
            "better.cl takes the same time: 1.0000 of the time of old.cl (99 %: 0.9990 to 1.0010)");
}

TEST(CompareText, SaysWhatWouldHelpWhereItCannotTell) {
  auto result = result_with(core::Comparison::cannot_tell, 0.96, 0.91, 1.02);
  const std::string sentence =
      "Cannot tell whether better.cl is faster: 0.9600 of the time of old.cl (99 %: 0.9100 to "
      "1.0200).";
  EXPECT_EQ(text(result), sentence + " This machine is too noisy: try an idle one.");
  result.seconds_needed = 30;
  EXPECT_EQ(text(result), sentence + " Try --max-seconds 30 or an idle machine.");
}

TEST(CompareText, SaysThatADifferenceIsNearTheMargin) {
  EXPECT_EQ(text(result_with(core::Comparison::cannot_tell, 0.997, 0.996, 0.998)),
            "Cannot tell whether better.cl is faster: 0.9970 of the time of old.cl (99 %: 0.9960 "
            "to 0.9980). The difference is too near the margin of ±0.3 % to be told from it: "
            "--margin takes another.");
}

TEST(CompareText, SaysThatOtherProgramsCouldMakeTheDifference) {
  auto result = result_with(core::Comparison::cannot_tell, 0.75, 0.72, 0.78);
  result.busy = true;
  result.outside_share = 0.2;
  result.margin = 0.03;
  const std::string sentence =
      "Cannot tell whether better.cl is faster: 0.7500 of the time of old.cl (99 %: 0.7200 to "
      "0.7800). ";
  EXPECT_EQ(text(result),
            sentence +
                "Other programs cost 20 % of the calls' time, which could be all of one side's, so "
                "a difference under 28 % is no claim. Try an idle machine.");
  result.ratio_estimate = 1.75;
  result.outside_share = 0.6;
  EXPECT_THAT(text(result), testing::HasSubstr("so a difference under 153 % is no claim"));
  result.ratio_estimate = 0.75;
  result.outside_share = 0.5;
  EXPECT_EQ(text(result),
            sentence +
                "Other programs cost 50 % of the calls' time, which could be all of one side's, so "
                "no difference is a claim that it is faster. Try an idle machine.");
}

TEST(CompareText, OtherSentencesSayWhatMayTellToo) {
  EXPECT_EQ(comparison_sentence("the seed", "00002", core::Comparison::cannot_tell),
            "cannot tell whether 00002 is faster than the seed (an idle machine, or `hone "
            "compare` with more --max-seconds or another --margin, may tell)");
}

}  // namespace
}  // namespace hone::text
