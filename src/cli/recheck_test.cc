#include "cli/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RecheckNotes, HasTheNotesOfTheNewVerdictOnOtherPrograms) {
  app::RecheckResult result;
  result.label = "run 1: 00006";
  result.now.outcome = core::Outcome::accepted;
  result.now.evidence = {
      {"", 0, false, "", "before the measurement other programs were using the device: pid 7"}};
  result.verdict.word = app::Recheck::Word::holds;
  result.verdict.reason = "It holds.";
  EXPECT_THAT(
      rechecked_text(result, {}),
      HasSubstr("run 1: 00006\n  note: before the measurement other programs were using the "
                "device: pid 7\n"));
  result.now.evidence.clear();
  EXPECT_THAT(rechecked_text(result, {}), Not(HasSubstr("note")));
}

TEST(RecheckNotes, OfOneThatIsNotAcceptedSaysItsEvidenceOnce) {
  app::RecheckResult result;
  result.now.outcome = core::Outcome::wrong;
  result.now.evidence = {{"tolerance", 36, true, "odd", "y: 3 of 8 elements are wrong"}};
  result.verdict.word = app::Recheck::Word::not_accepted;
  const std::string text = rechecked_text(result, {});
  const auto at = text.find("3 of 8 elements");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find("3 of 8 elements", at + 1), std::string::npos);
}

}  // namespace
}  // namespace hone::cli
