#pragma once
// What a case asks of a device: whether it is for it at all, how much work it is, and how long that
// work takes at the ceilings measured there. Pure functions; the judge reports with them and
// prompts tell them.
#include <map>
#include <string>

#include "core/device_info.h"
#include "core/task.h"

namespace hone::core {

// Whether the case is for devices of this kind.
bool is_for(const Case& which, const DeviceInfo& info);

// The roofline: the time each resource would need alone at its measured ceiling; the largest binds.
struct Roofline {
  double bytes = 0, flops = 0;  // by the task's work formulas
  std::map<std::string, double> flops_by_kind;
  double seconds = 0;   // 0: no ceiling is known
  std::string ceiling;  // which one binds: "memory", "f32", ...
};
Roofline roofline_of(const Task& task, const Case& which, const Ceilings& ceilings);

// The best rate at which the memory was seen to move bytes.
double memory_ceiling(const Ceilings& ceilings);

}  // namespace hone::core
