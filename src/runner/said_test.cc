#include "runner/said.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::runner {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Said, NamesTheSpeaker) {
  EXPECT_EQ(said(candidates_process, "accepted, 12 times as fast\n"),
            "the candidate's process says: accepted, 12 times as fast");
}

TEST(Said, MarksEveryLineOfSeveral) {
  EXPECT_EQ(
      said(candidates_process, "oh\naccepted  1 µs\n  note: certified"),
      "the candidate's process says:\n    | oh\n    | accepted  1 µs\n    |   note: certified");
}

TEST(Said, MakesControlCharactersVisible) {
  EXPECT_EQ(marked("\x1b[2Kaccepted\r"), " \\x1b[2Kaccepted\\x0d");
  EXPECT_EQ(marked("\xff"), " \\xff");
}

TEST(Said, IsBounded) {
  const std::string text = "begins " + std::string(10 * most_said, 'x') + " ends";
  const std::string shown = said(candidates_process, text);
  EXPECT_LT(shown.size(), most_said + 200);
  EXPECT_THAT(shown, HasSubstr("| begins xx"));
  EXPECT_THAT(shown, HasSubstr("bytes are left out"));
  EXPECT_THAT(shown, EndsWith("xx ends"));
}

TEST(Said, LeavesTheTextsOfWorkersThatRunNobodysCode) {
  EXPECT_EQ(said("", "one\ntwo"), "one\ntwo");
  EXPECT_THAT(said(candidates_process, ""), StartsWith("the candidate's process says:"));
  EXPECT_THAT(marked("one\n\n"), Not(HasSubstr("|")));
}

}  // namespace
}  // namespace hone::runner
