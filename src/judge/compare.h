#pragma once
// Which of two candidates is faster, as an interval on the ratio of their times: interleaved ABBA
// blocks in two runners, every call verified. Device code changes runners between the two halves of
// a round; candidates that can hold state stay in theirs, each with buffers of its own that are
// made anew now and then. Margin and stopping rule (compare_rule.h) are fixed beforehand and
// reported.
#include <optional>
#include <string>
#include <vector>

#include "judge/compare_rule.h"
#include "judge/judge.h"

namespace hone::judge {

struct CaseComparison {
  std::string name;
  core::Interval ratio;  // time of b over time of a, 99 %: a wrong answer is worse than none
  double ratio_estimate = 1;
  double median_a = 0, median_b = 0;
  std::vector<double> round_ratios;  // of each round, in order
};

struct ComparisonResult {
  core::Evaluation a, b;  // verification of both; if one is not accepted there is no comparison
  bool compared = false;
  std::string refusal;  // why it was not compared though neither of them is to blame; "": one is,
                        // see a and b
  std::vector<CaseComparison> cases;
  core::Interval ratio;
  double ratio_estimate = 1;
  core::Comparison word = core::Comparison::cannot_tell;
  CompareRule
      rule;  // by which it was compared: for sides that hold state not the one that was asked for
  double margin = 0;  // never under what the clock resolves
  Stop stopped_by = Stop::not_yet;
  bool busy = false;  // other programs kept it from a claim
  double outside_share =
      0;  // of the calls' time, that other programs cost, where the machine was busy
  // Where it cannot tell: with so many seconds of rounds it probably could. Nothing: more time
  // alone would not help.
  std::optional<double> seconds_needed;
  int rounds = 0, blocks = 0;  // blocks: of each case
  double seconds = 0;
};

// Whether the judge said anything about a side. It did not where the other side was refused first.
bool was_judged(const core::Evaluation& side);

ComparisonResult compare(Judge& judge, const core::Candidate& a, const core::Candidate& b,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b,
                         const CompareRule& rule);

}  // namespace hone::judge
