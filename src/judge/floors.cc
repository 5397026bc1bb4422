#include "judge/floors.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {
namespace {

// Where the pins' bandwidth is not known (a CPU): no machine moves bytes this many times faster than Hone measured.
constexpr double generous = 4;

double memory_ceiling(const core::Ceilings& ceilings) {
  return std::max({ceilings.read, ceilings.write, ceilings.copy});
}

}  // namespace

void apply_work(const core::Task& task, const core::Case& which, const core::DeviceInfo&,
                const core::Ceilings& ceilings, core::CaseResult& result) {
  if (const auto bytes = task.work.bytes.evaluate(which.bindings)) result.bytes = static_cast<double>(*bytes);
  for (const auto& [kind, formula] : task.work.flops)
    if (const auto flops = formula.evaluate(which.bindings)) {
      result.flops_by_kind[kind] = static_cast<double>(*flops);
      result.flops += static_cast<double>(*flops);
    }
  if (result.median <= 0) return;
  result.bandwidth = result.bytes / result.median;
  result.rate = result.flops / result.median;
  // The roofline: the time each resource would need alone at its measured ceiling; the largest binds.
  double binding = 0;
  if (const double memory = memory_ceiling(ceilings); memory > 0 && result.bytes > 0) {
    binding = result.bytes / memory;
    result.ceiling = "memory";
  }
  for (const auto& [kind, flops] : result.flops_by_kind) {
    const auto rate = ceilings.flops.find(kind);
    if (rate == ceilings.flops.end() || rate->second <= 0 || flops / rate->second <= binding) continue;
    binding = flops / rate->second;
    result.ceiling = kind;
  }
  if (binding > 0) result.ceiling_fraction = binding / result.median;
}

Floor floor_for(const core::CaseResult& result, const core::DeviceInfo& info, const core::Ceilings& ceilings) {
  const bool pins = info.pin_bandwidth > 0;
  const double bandwidth = pins ? info.pin_bandwidth : generous * memory_ceiling(ceilings);
  const double bytes = result.bytes - static_cast<double>(info.l2_bytes);
  if (bandwidth <= 0 || bytes <= 0) return {};
  return {bytes / bandwidth, fmt::format("moving {:.4g} compulsory bytes (less {:.3g} of cache) at {:.3g} B/s ({})",
                                         result.bytes, static_cast<double>(info.l2_bytes), bandwidth,
                                         pins ? "the memory's pins" : "four times the measured bandwidth")};
}

std::string arithmetic_note(const core::CaseResult& result, const core::Ceilings& ceilings) {
  double fastest = 0;
  for (const auto& [kind, rate] : ceilings.flops) fastest = std::max(fastest, rate);
  if (fastest <= 0 || result.median <= 0 || result.flops / fastest <= result.median) return "";
  return fmt::format(
      "{:.4g} s is less than the {:.4g} s that the task's arithmetic takes at the device's fastest measured rate: the "
      "algorithm does less arithmetic than the task's formula says",
      result.median, result.flops / fastest);
}

}  // namespace hone::judge
