// A device, and what it was measured to reach, in JSON: see base/fields.h.
#include "base/fields.h"
#include "core/device_info.h"

namespace hone::core {

void describe(base::Fields& f, DeviceInfo& device) {
  f("id", device.id)("language", device.language)("is_cpu", device.is_cpu)("name", device.name);
  f("uuid", device.uuid)("driver", device.driver)("compiler", device.compiler)("arch", device.arch);
  f("sm_count", device.sm_count)("warp_size", device.warp_size);
  f("shared_per_block", device.shared_per_block)("l2_bytes", device.l2_bytes);
  f("max_threads", device.max_threads)("memory_bytes", device.memory_bytes);
  f("pin_bandwidth", device.pin_bandwidth);
}

void describe(base::Fields& f, Ceilings& ceilings) {
  f("read", ceilings.read)("write", ceilings.write)("copy", ceilings.copy)("flops", ceilings.flops);
  f.optional("groups", ceilings.groups);  // earlier device files have neither
  f.optional("calls", ceilings.calls);
}

}  // namespace hone::core
