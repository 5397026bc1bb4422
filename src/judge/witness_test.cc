// A race needs a witness: what convicts, and what remains a label.
#include "judge/witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/diagnose.h"
#include "judge/sanitize.h"
#include "judge/scripted_trial.h"

namespace hone::judge {
namespace {

using base::Failure;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Answer = base::Result<CallResult, Finding>;

class Witnesses : public testing::Test {
 protected:
  ScriptedTrial trial_{
      {"case", core::ClockKind::device, false, false}, {}, 1, [](const Entry&, int) {
        return 0.01;
      }};
  const WitnessRule rule_{.seconds = 1, .most_calls = 50};

  static Answer same() {
    CallResult result;
    result.fingerprint = 7;
    return result;
  }
};

TEST_F(Witnesses, AreNotFoundWhereEveryScheduleGivesTheSame) {
  trial_.answers = [](int, const CallOptions&) { return same(); };
  const auto witness = look_for_witness(trial_, rule_);
  EXPECT_FALSE(witness.found);
  EXPECT_EQ(witness.calls, 50);
  EXPECT_EQ(witness.different, 1);
}

TEST_F(Witnesses, AreNotLookedForLongerThanAllowed) {
  trial_.answers = [](int, const CallOptions&) { return same(); };
  const auto witness = look_for_witness(trial_, {.seconds = 0.1, .most_calls = 1000});
  EXPECT_LE(witness.calls, 12);
}

TEST_F(Witnesses, AreWrongResults) {
  trial_.answers = [](int n, const CallOptions&) -> Answer {
    if (n == 20)
      return Failure{conviction(core::Outcome::wrong, Guard::tolerance, "z[3] is wrong")};
    return same();
  };
  const auto witness = look_for_witness(trial_, rule_);
  ASSERT_TRUE(witness.found);
  EXPECT_EQ(witness.found->text, "z[3] is wrong");
}

TEST_F(Witnesses, AreOtherBitsWhereNothingMayChangeThem) {
  trial_.answers = [](int n, const CallOptions&) {
    CallResult result;
    result.fingerprint = n < 9 ? 1 : 2;
    return Answer(result);
  };
  int kept = 0;
  const WitnessEyes eyes{[&] { ++kept; },
                         [] { return std::string("z[3] is 1 in one call and 2 in another"); }};
  const auto witness = look_for_witness(trial_, rule_, eyes);
  ASSERT_TRUE(witness.found);
  EXPECT_THAT(witness.found->text, HasSubstr("z[3] is 1"));
  EXPECT_EQ(kept, 1);
  // Atomic additions come in any order: their bits prove nothing.
  ScriptedTrial free{{"case", core::ClockKind::device, false, false}, {}, 1, [](const Entry&, int) {
                       return 0.01;
                     }};
  free.answers = trial_.answers;
  WitnessRule within_tolerance = rule_;
  within_tolerance.bits = false;
  const auto none = look_for_witness(free, within_tolerance);
  EXPECT_FALSE(none.found);
  EXPECT_EQ(none.different, 2);
}

TEST_F(Witnesses, AreNotCallsThatDidNotEnd) {
  trial_.answers = [](int, const CallOptions&) -> Answer {
    return Failure{
        conviction(core::Outcome::timed_out, Guard::limits, "no answer within its limit")};
  };
  const auto witness = look_for_witness(trial_, rule_);
  EXPECT_FALSE(witness.found);
  EXPECT_TRUE(witness.hung);
  EXPECT_THAT(witness.stopped, HasSubstr("no answer"));
}

TEST(Hang, ConvictsWhereItHappensTwiceAndNeverWithoutTheDelays) {
  Witness hung, ended;
  hung.hung = true;
  hung.stopped = "no answer within its limit";
  ended.calls = 50;
  const auto found = hang_finding(hung, ended, hung);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->text, AllOf(HasSubstr("does not end"),
                                 HasSubstr("50 calls of the same code without the delays")));
  EXPECT_FALSE(hang_finding(hung, ended, ended)) << "it happened once";
  EXPECT_FALSE(hang_finding(hung, hung, hung)) << "the code around the delays is to blame";
  Witness failed;
  failed.stopped = "its launch failed";
  EXPECT_FALSE(hang_finding(hung, ended, failed));
  EXPECT_FALSE(hang_finding(hung, Witness{}, hung)) << "it was never called without the delays";
}

TEST_F(Witnesses, AreLookedForWithColdAndWarmCaches) {
  int cold = 0;
  trial_.answers = [&](int, const CallOptions& options) {
    cold += options.flush ? 1 : 0;
    return same();
  };
  look_for_witness(trial_, rule_);
  EXPECT_EQ(cold, 25);
}

TEST(RaceLabel, SaysWhatWasReportedAndWhatTheCheckerCannotSee) {
  CheckerReport report;
  report.errors = "Race reported between line 3 and line 4";
  report.complete = true;
  EXPECT_THAT(
      race_label(report, "900 calls gave right results", "named barriers"),
      AllOf(HasSubstr("line 3 and line 4"), HasSubstr("decides nothing"), HasSubstr("900 calls"),
            HasSubstr("does not model what this kernel has: named barriers")));
}

TEST(RaceLabel, DoesNotCallAKernelRaceFreeThatWasNotLookedAt) {
  CheckerReport report;
  report.broken = "Internal Sanitizer Error: out of memory";
  EXPECT_THAT(race_label(report, "", ""),
              AllOf(HasSubstr("did not look at everything"), HasSubstr("out of memory")));
}

TEST(Diagnosis, NamesTheCallAndWhatARightFirstOnePointsTo) {
  EXPECT_EQ(call_text(Failed::not_known), "");
  EXPECT_EQ(call_text(0), "It was the first call on this case.");
  EXPECT_THAT(call_text(2), AllOf(HasSubstr("call 3"), HasSubstr("the 2 before it were right"),
                                  HasSubstr("phases")));
  EXPECT_THAT(checkers_for(core::Outcome::timed_out), testing::IsEmpty());
  EXPECT_THAT(checkers_for(core::Outcome::launch_failed), ElementsAre("memcheck", "synccheck"));
}

}  // namespace
}  // namespace hone::judge
