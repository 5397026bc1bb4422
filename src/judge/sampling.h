#pragma once
// When to stop sampling: the interval is narrow enough, there are enough samples, or the time is
// up. Pure: the clock is passed in, so that tests decide what time it is.
#include <cstddef>
#include <vector>

#include "core/device_info.h"
#include "core/stats.h"

namespace hone::judge {

struct SamplingRule {
  std::size_t fewest = 20, most = 1000;
  double width = 0.005;  // of the 95 % interval on the median, relative to the median
  double seconds =
      0.5;  // of the judge's own clock, per case; the fewest samples are taken whatever they cost
};

// By device events samples are cheap and repeat well; by the judge's clock they do neither. With
// $HONE_QUICK set, fewer are taken when screening; with HONE_QUICK=all, also when certifying and
// comparing by the judge's clock (for tests, where an exact time does not matter).
SamplingRule rule_for(core::ClockKind clock, bool certify);
bool quick_in_all();
// By device events, where many candidates are to be judged.
constexpr SamplingRule quick_rule{20, 600, 0.01, 0.15};

// `elapsed` is the judge's clock since the first sample of the case.
bool enough(const SamplingRule& rule, const std::vector<double>& samples, double elapsed,
            bool keep_minimum = true);

// Whether times on different inputs of the same shapes differ by more than chance and power
// explain: values alone move the time of a product by 15 %; a kernel that treats some of them in
// another way differs by more.
bool depends_on_values(core::ClockKind clock, double fastest, double slowest);

}  // namespace hone::judge
