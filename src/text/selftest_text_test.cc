#include "text/selftest_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::text {
namespace {

using judge::SelftestLine;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

SelftestLine line_of(SelftestLine::State state) {
  SelftestLine line;
  line.state = state;
  line.row = "27";
  line.title = "writes zeros";
  line.specimen = "zeros";
  line.guard = "tolerance";
  line.device = "fake:1";
  line.verdict = "accepted";
  line.text = "It came through.";
  line.twin = "accepted";
  return line;
}

TEST(SelftestText, GivesTheEvidenceOfWhatIsNotAsItShouldBe) {
  EXPECT_THAT(selftest_text({line_of(SelftestLine::State::caught)}, {}),
              AllOf(HasSubstr("caught"), Not(HasSubstr("It came through."))));
  EXPECT_THAT(selftest_text({line_of(SelftestLine::State::missed)}, {}),
              HasSubstr("MISSED zeros: accepted It came through.\n"));
  SelftestLine alarm = line_of(SelftestLine::State::caught);
  alarm.false_alarm = true;
  alarm.twin = "wrong";
  alarm.twin_text = "Element 5 is off.";
  EXPECT_THAT(selftest_text({alarm}, {}),
              HasSubstr("FALSE ALARM, the honest twin of zeros: wrong Element 5 is off.\n"));
}

TEST(SelftestText, SaysWhatCannotBeShownHereAndWhy) {
  SelftestLine line = line_of(SelftestLine::State::not_here);
  line.text = "only a GPU has it";
  EXPECT_EQ(selftest_text({line}, {}),
            "row 27 (writes zeros) cannot be shown here: only a GPU has it.\n");
  line.row = "";
  EXPECT_EQ(selftest_text({line}, {}),
            "the guard tolerance cannot be shown here: only a GPU has it.\n");
}

TEST(SelftestText, SaysHowBusyTheMachineWasWhereNothingCouldBeTold) {
  SelftestLine line = line_of(SelftestLine::State::undecided);
  line.outside_delay = 0.42;
  EXPECT_THAT(selftest_text({line}, {}),
              HasSubstr("undecided: this machine is busy, 42 % of the time of its calls"));
}

}  // namespace
}  // namespace hone::text
