#pragma once
// The device's own energy counter, with the clock and what holds it back. Read from the judge's
// process; a reading takes microseconds. Only NVIDIA's devices have one (NVML).
#include <optional>
#include <string>

#include "base/result.h"
#include "core/device_info.h"

namespace hone::device {

struct MeterReading {
  double joules = 0;  // since the driver was loaded; moves in ticks
  std::optional<double> sm_clock_hz, power_w;
  bool throttled = false;  // the clock is held back by power or heat
};

class Meter {
 public:
  // The failure: why there is none.
  static base::Result<Meter> open(const core::DeviceInfo& info);

  MeterReading read() const;  // throws Error where the device does not answer any more
  std::optional<double> power_limit_w() const { return power_limit_w_; }
  std::optional<double> sm_clock_most_hz() const { return sm_clock_most_hz_; }

 private:
  void* device_ = nullptr;
  std::optional<double> power_limit_w_, sm_clock_most_hz_;
};

}  // namespace hone::device
