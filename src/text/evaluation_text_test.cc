#include "text/evaluation_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "text/table.h"

namespace hone::text {
namespace {

using core::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Right on its first case, and then this in the second.
core::Evaluation ended_by(Outcome outcome, const std::string& case_of_evidence) {
  core::Evaluation evaluation;
  evaluation.outcome = outcome;
  evaluation.evidence.push_back({"limits", 40, true, case_of_evidence, "why"});
  core::CaseResult right, failed;
  right.name = "odd";
  right.error_max = 3e-7;
  failed.name = "prime";
  evaluation.cases = {right, failed};
  return evaluation;
}

TEST(Cases, ACaseThatFailedIsNotShownAsChecked) {
  for (const Outcome outcome :
       {Outcome::crashed, Outcome::timed_out, Outcome::wrong, Outcome::launch_failed})
    for (const char* named : {"prime", ""}) {
      const core::Evaluation evaluation = ended_by(outcome, named);
      const auto json = base::probe(evaluation);
      EXPECT_EQ(json["cases"][0]["outcome"], "accepted");
      EXPECT_EQ(json["cases"][1]["outcome"], core::name_of(outcome));
      EXPECT_EQ(json["cases"][1]["error_max"], nullptr) << "nothing was compared";
      const std::string text = case_table(evaluation, {});
      EXPECT_THAT(text,
                  AllOf(HasSubstr(std::string(core::name_of(outcome))), Not(HasSubstr("0.0e+00"))));
    }
}

TEST(Cases, WhatMattersStaysOnANarrowTerminal) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::accepted;
  core::CaseResult timed;
  timed.name = "rows=4096,cols=4096@cpu";
  timed.timed = true;
  timed.samples = timed.wall_samples = {0.122, 0.122, 0.122};
  timed.median = timed.wall_median = 0.122;
  timed.interval = {0.12, 0.125};
  timed.bandwidth = 1.1e9;
  timed.rate = 686e6;
  timed.ceiling_fraction = 0.0356;
  timed.ceiling = "memory";
  timed.error_max = 6.6e-7;
  evaluation.cases = {timed};
  for (const int width : {80, 120}) {
    const std::string text = case_table(evaluation, {false, width});
    EXPECT_THAT(text,
                AllOf(HasSubstr("122 ms"), HasSubstr("3.56 % of memory"), HasSubstr("6.6e-07")))
        << width;
    EXPECT_THAT(text, HasSubstr("a wider terminal also shows: ")) << width;
  }
  EXPECT_THAT(case_table(evaluation, {}),
              AllOf(HasSubstr("first call"), Not(HasSubstr("wider terminal"))));
}

TEST(Table, LeavesOutTheLeastImportantColumnsFirst) {
  Table table({{"a"}, {"bb", Column::Align::left, 2}, {"ccc", Column::Align::left, 1}});
  table.add({"1", "22", "333"});
  EXPECT_EQ(table.text({false, 10}), "a  bb  ccc\n1  22  333\n");
  EXPECT_EQ(table.text({false, 9}), "a  ccc\n1  333\n(a wider terminal also shows: bb)\n");
  EXPECT_EQ(table.text({false, 3}), "a\n1\n(a wider terminal also shows: bb, ccc)\n");
}

}  // namespace
}  // namespace hone::text
