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

namespace {

// Of the task's compulsory bytes those that are written: its outputs, once.
double written_bytes(const Task& task, const Case& which) {
  double bytes = 0;
  for (const Output& output : task.outputs)
    if (const auto shape = shape_of(output.shape, which.bindings))
      bytes += static_cast<double>(shape->elements) * static_cast<double>(size_of(output.dtype));
  return bytes;
}

// The rate for so large a part of writing. Reading alone, copying (half of it is writing) and
// writing alone were measured; between them the time of a byte is interpolated. Where one of them
// is not known the best rate has to do.
double rate_for(double written_part, const Ceilings& ceilings) {
  if (ceilings.read <= 0 || ceilings.write <= 0 || ceilings.copy <= 0)
    return memory_ceiling(ceilings);
  constexpr double half = 0.5;
  const double w = std::clamp(written_part, 0.0, 1.0);
  const double from = w < half ? ceilings.read : ceilings.write;
  const double to_copy = w < half ? w / half : (1 - w) / half;
  return 1 / ((1 - to_copy) / from + to_copy / ceilings.copy);
}

}  // namespace

Roofline roofline_of(const Task& task, const Case& which, const Ceilings& ceilings) {
  Roofline roofline;
  if (const auto bytes = task.work.bytes.evaluate(which.bindings))
    roofline.bytes = static_cast<double>(*bytes);
  if (roofline.bytes > 0 && memory_ceiling(ceilings) > 0) {
    const double written = written_bytes(task, which);
    roofline.seconds = roofline.bytes / rate_for(written / roofline.bytes, ceilings);
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
