#include "run/conclude_tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::run {
namespace {

using testing::HasSubstr;
using testing::Not;

store::ComparisonRecord closest(core::Comparison word) {
  store::ComparisonRecord record;
  record.word = word;
  record.ratio = 0.96;
  record.interval = {0.91, 1.02};
  return record;
}

TEST(TuneConclusion, WhereItCannotTellSaysThatTheDefaultStandsAndWhatMayTell) {
  EXPECT_EQ(default_stands_text(closest(core::Comparison::cannot_tell)),
            "cannot tell whether the best other point is faster than the default (0.9600 "
            "of its time, 99 %: 0.9100 to 1.0200), which stands: tune again with --fresh when the "
            "machine is idle");
}

TEST(TuneConclusion, SaysThatNothingBeatTheDefaultWhereThatIsKnown) {
  EXPECT_THAT(
      default_stands_text(closest(core::Comparison::slower)),
      HasSubstr(
          "nothing beat the default: the best other point is slower than the default (0.9600"));
  EXPECT_THAT(default_stands_text(closest(core::Comparison::same)), Not(HasSubstr("cannot tell")));
}

}  // namespace
}  // namespace hone::run
