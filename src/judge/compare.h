#pragma once
// Which of two candidates is faster, as an interval on the ratio of their times: interleaved ABBA blocks, two runners
// over the same physical buffers, every call verified. The margin and the stopping rule are fixed beforehand and
// reported.
#include <string>
#include <vector>

#include "core/stats.h"
#include "judge/judge.h"

namespace hone::judge {

struct CompareRule {
  double margin = 0.003;  // "same" means the whole interval within 1 ± margin
  double resolution =
      3e-7;  // seconds: two processes running the same kernel may differ by this much, always in the same direction
  double sharpness = 0.4;  // blocks are added until the interval's half width is this part of the margin
  int fewest_blocks = 8, most_blocks = 400;
  int calls_per_letter = 2;  // a block is A B B A, each letter this many calls
  double seconds = 1.5;      // of the judge's clock, over all cases
};
CompareRule compare_rule(core::ClockKind clock);
std::string describe(const CompareRule& rule);  // the stopping rule in a sentence

struct CaseComparison {
  std::string name;
  core::Interval ratio;  // time of b over time of a, 99 %: a wrong answer is worse than none
  double ratio_estimate = 1;
  double median_a = 0, median_b = 0;
  int blocks = 0;
  std::vector<double> block_ratios;  // of each ABBA block, in order
};

struct ComparisonResult {
  core::Evaluation a, b;  // verification of both; if one is not accepted there is no comparison
  bool compared = false;
  std::vector<CaseComparison> cases;
  core::Interval ratio;
  double ratio_estimate = 1;
  core::Comparison word = core::Comparison::cannot_tell;
  double margin = 0;  // the one that was used
  int blocks = 0;
  double seconds = 0;
};

ComparisonResult compare(Judge& judge, const core::Candidate& a, const core::Candidate& b,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b, const CompareRule& rule);

// The margin for kernels of this duration: never under what the clock can resolve.
double margin_for(const CompareRule& rule, double seconds);

// ---- the statistics alone: log ratios of blocks, one list per case

struct RatioEstimate {
  double log_ratio = 0, half_width = 0;
};
RatioEstimate estimate(const std::vector<std::vector<double>>& log_ratios_by_case);
bool comparison_done(const CompareRule& rule, const RatioEstimate& now, int blocks, double elapsed);

}  // namespace hone::judge
