#include "core/roofline.h"

#include <algorithm>

namespace hone::core {

bool is_for(const Case& which, const DeviceInfo& info) {
  return which.device.empty() || which.device == (info.is_cpu ? "cpu" : "gpu") ||
         which.device == name_of(info.language);
}

double memory_ceiling(const Ceilings& ceilings) {
  return std::max({ceilings.read, ceilings.write, ceilings.copy});
}

Roofline roofline_of(const Task& task, const Case& which, const Ceilings& ceilings) {
  Roofline roofline;
  if (const auto bytes = task.work.bytes.evaluate(which.bindings))
    roofline.bytes = static_cast<double>(*bytes);
  if (const double memory = memory_ceiling(ceilings); memory > 0 && roofline.bytes > 0) {
    roofline.seconds = roofline.bytes / memory;
    roofline.ceiling = "memory";
  }
  for (const auto& [kind, formula] : task.work.flops) {
    const auto flops = formula.evaluate(which.bindings);
    if (!flops) continue;
    roofline.flops_by_kind[kind] = static_cast<double>(*flops);
    roofline.flops += static_cast<double>(*flops);
  }
  for (const auto& [kind, flops] : roofline.flops_by_kind) {
    const auto rate = ceilings.flops.find(kind);
    if (rate == ceilings.flops.end() || rate->second <= 0 ||
        flops / rate->second <= roofline.seconds)
      continue;
    roofline.seconds = flops / rate->second;
    roofline.ceiling = kind;
  }
  return roofline;
}

}  // namespace hone::core
