#pragma once
// Joules of one call: the call repeated back to back in windows of some seconds that begin and end
// on a tick of the device's energy counter, idle power before and after. What the counter cannot
// resolve is not claimed.
#include "profile/profile.h"
#include "profile/profiling_setup.h"

namespace hone::profile {

struct EnergySample {
  double seconds = 0;  // by the judge's clock
  double joules = 0;   // the counter
};
struct CallCount {
  double seconds = 0;  // when that many calls had been made, and the next ones began
  double calls = 0;
};

struct EnergyWindow {
  double seconds = 0, joules = 0, calls = 0;
  int ticks = 0;  // of the counter inside it
};

// Windows of at least `least_seconds` between the first and the last count; each begins where the
// one before ended.
std::vector<EnergyWindow> energy_windows(const std::vector<EnergySample>& samples,
                                         const std::vector<CallCount>& counts,
                                         double least_seconds);

struct CallEnergy {
  double joules = 0;        // of one call
  core::Interval interval;  // 95 %
  double watts = 0;
};
// The failure: why it cannot be told (too few windows or ticks, or windows that differ by more than
// 5 %).
base::Result<CallEnergy> energy_of_call(const std::vector<EnergyWindow>& windows);
// Watts from the first tick to the last; nothing with fewer than two ticks.
std::optional<double> average_power(const std::vector<EnergySample>& samples);

// Metrics energy.*; `seconds` is one call's time. Takes about twenty seconds.
Collected collect_energy(ProfilingSetup& setup, const std::string& image, double seconds);

}  // namespace hone::profile
