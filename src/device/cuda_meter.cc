#include "base/error.h"
#include "device/cuda_api.h"
#include "device/meter.h"

namespace hone::device {
namespace {

using namespace cuda;

constexpr double hz_per_mhz = 1e6, per_milli = 1e-3;
// Power limit, hardware slowdown, heat by software and by hardware, power brake.
constexpr unsigned long long held_back = 0x04 | 0x08 | 0x20 | 0x40 | 0x80;

}  // namespace

base::Result<Meter> Meter::open(const core::DeviceInfo& info) {
  if (info.language != core::Language::cuda)
    return base::Failure{std::string("only NVIDIA's devices tell their energy (by NVML)")};
  const Nvml& api = nvml();
  if (!api.missing.empty()) return base::Failure{api.missing};
  NvmlDevice device = nullptr;
  if (const int result = api.device_by_uuid(info.uuid.c_str(), &device); result != 0)
    return base::Failure{
        fmt::format("NVML does not know {}: {}", info.uuid, api.error_string(result))};
  unsigned long long millijoules = 0;
  if (api.total_energy == nullptr)
    return base::Failure{
        std::string("the driver's NVML has no energy counter: a newer driver is needed")};
  if (const int result = api.total_energy(device, &millijoules); result != 0)
    return base::Failure{
        fmt::format("this device does not tell its energy: {}", api.error_string(result))};
  Meter meter;
  meter.device_ = device;
  unsigned value = 0;
  if (api.power_limit != nullptr && api.power_limit(device, &value) == 0)
    meter.power_limit_w_ = per_milli * value;
  if (api.max_clock != nullptr && api.max_clock(device, nvml_clock_sm, &value) == 0)
    meter.sm_clock_most_hz_ = hz_per_mhz * value;
  return meter;
}

MeterReading Meter::read() const {
  const Nvml& api = nvml();
  auto* device = static_cast<NvmlDevice>(device_);
  MeterReading reading;
  unsigned long long millijoules = 0, reasons = 0;
  if (const int result = api.total_energy(device, &millijoules); result != 0)
    base::fail(base::ExitCode::environment, "NVML: reading the energy counter: {}",
               api.error_string(result));
  reading.joules = per_milli * static_cast<double>(millijoules);
  unsigned value = 0;
  if (api.clock(device, nvml_clock_sm, &value) == 0) reading.sm_clock_hz = hz_per_mhz * value;
  if (api.power(device, &value) == 0) reading.power_w = per_milli * value;
  if (api.throttle_reasons(device, &reasons) == 0) reading.throttled = (reasons & held_back) != 0;
  return reading;
}

}  // namespace hone::device
