#include "text/findings_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::text {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Findings, AreListedAndShownWithoutAnythingThatMovesACursor) {
  store::Finding finding;
  finding.id = "0123456789ab";
  finding.text = "Rows\x1b[2J fit.\nIndeed.";
  finding.source = "user";
  EXPECT_THAT(findings_text({finding}, {}),
              AllOf(HasSubstr("0123456789ab  any"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(finding_text(finding, {}), AllOf(HasSubstr("fit.\nIndeed."), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(findings_text({}, {}), HasSubstr("hone findings add"));
}

}  // namespace
}  // namespace hone::text
