#include "core/device_info.h"

#include "core/plan.h"

namespace hone::core {

base::Bindings device_symbols(const DeviceInfo& info) {
  return device_symbols(info.sm_count, info.warp_size, info.shared_per_block, info.l2_bytes,
                        info.max_threads);
}

Capabilities capabilities(const DeviceInfo& info) {
  const bool cpu = info.is_cpu;
  return {.native_code = cpu, .device_clock = !cpu, .queues_work = !cpu, .records_kernels = !cpu};
}

ClockKind clock_of(const DeviceInfo& info) {
  return capabilities(info).device_clock ? ClockKind::device : ClockKind::judge;
}

bool can_run(Language language, const DeviceInfo& info) {
  return language == info.language ||
         (language == Language::python &&
          (info.language == Language::cuda || (info.language == Language::opencl && info.is_cpu)));
}

}  // namespace hone::core
