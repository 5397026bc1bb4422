#include "judge/floors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/roofline.h"

namespace hone::judge {
namespace {

// Where the bandwidth of the pins is not known (a CPU), they are assumed to have this many times
// the bandwidth that Hone measured: more than any machine has.
constexpr double assumed_pin_factor = 4;

}  // namespace

void apply_work(const core::Task& task, const core::Case& which, const core::DeviceInfo&,
                const core::Ceilings& ceilings, core::CaseResult& result) {
  const auto roofline = core::roofline_of(task, which, ceilings);
  result.bytes = roofline.bytes;
  result.flops = roofline.flops;
  result.flops_by_kind = roofline.flops_by_kind;
  if (result.median <= 0) return;
  result.bandwidth = result.bytes / result.median;
  result.rate = result.flops / result.median;
  result.ceiling = roofline.ceiling;
  if (roofline.seconds > 0) result.ceiling_fraction = roofline.seconds / result.median;
}

core::Task with_tf32_work(core::Task task) {
  if (auto flops = task.work.flops.extract("f32"); !flops.empty()) {
    flops.key() = "tf32";
    task.work.flops.insert(std::move(flops));
  }
  return task;
}

Floor floor_for(const core::CaseResult& result, const core::DeviceInfo& info,
                const core::Ceilings& ceilings) {
  const bool pins = info.pin_bandwidth > 0;
  const double bandwidth =
      pins ? info.pin_bandwidth : assumed_pin_factor * core::memory_ceiling(ceilings);
  const double bytes = result.bytes - static_cast<double>(info.l2_bytes);
  if (bandwidth <= 0 || bytes <= 0) return {};
  return {bytes / bandwidth,
          fmt::format("moving {:.4g} compulsory bytes (less {:.3g} of cache) at {:.3g} B/s ({})",
                      result.bytes, static_cast<double>(info.l2_bytes), bandwidth,
                      pins ? "the memory's pins" : "four times the measured bandwidth")};
}

bool has_faster_units(const std::string& ceiling, const core::Ceilings& ceilings) {
  const auto own = ceilings.flops.find(ceiling);
  return own != ceilings.flops.end() &&
         std::any_of(ceilings.flops.begin(), ceilings.flops.end(),
                     [&](const auto& other) { return other.second > 1.5 * own->second; });
}

std::string arithmetic_note(const core::CaseResult& result, const core::Ceilings& ceilings) {
  double fastest = 0;
  for (const auto& [kind, rate] : ceilings.flops) fastest = std::max(fastest, rate);
  if (fastest <= 0 || result.median <= 0 || result.flops / fastest <= result.median) return "";
  return fmt::format(
      "{:.4g} s is less than the {:.4g} s that the task's arithmetic takes at the device's fastest "
      "measured rate: the algorithm does less arithmetic than the task's formula says",
      result.median, result.flops / fastest);
}

}  // namespace hone::judge
