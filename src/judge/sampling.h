#pragma once
// When to stop sampling. Pure: the clock is passed in, so that tests decide what time it is.
#include <cstddef>
#include <vector>

#include "core/stats.h"

namespace hone::judge {

struct SamplingRule {
  std::size_t fewest = 20, most = 1000;
  double width = 0.005;  // of the 95 % interval on the median, relative to the median
  double seconds = 0.5;  // of the judge's own clock, per case; the fewest samples are taken whatever they cost
};

// On a GPU samples are cheap and quiet; on a CPU they are neither. With $HONE_QUICK set, fewer are taken when
// screening; where it says "all", also when certifying and comparing on a CPU (for tests, where an exact time is not
// what matters).
SamplingRule rule_for(bool is_cpu, bool certify);
bool quick_in_all();
// For a GPU, where there are many to be judged.
constexpr SamplingRule quick_rule{20, 600, 0.01, 0.15};

// `elapsed` is the judge's clock since the first sample of the case.
bool enough(const SamplingRule& rule, const std::vector<double>& samples, double elapsed, bool keep_minimum = true);

// Whether times on different inputs of the same shapes differ by more than chance and power make of them: values by
// themselves move the time of a product by 15 %; a kernel with a way of its own for some of them differs by more.
bool depends_on_values(bool is_cpu, double quickest, double slowest);

}  // namespace hone::judge
