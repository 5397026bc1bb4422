#pragma once
// How much work a case is, how fast it was done, and how fast anything could be: the physical floor convicts, the rest
// is reported.
#include <string>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"

namespace hone::judge {

// Fills in bytes, flops, bandwidth, rate and the fraction of the measured ceiling that binds.
void apply_work(const core::Task& task, const core::Case& which, const core::DeviceInfo& info,
                const core::Ceilings& ceilings, core::CaseResult& result);

// The task with its single-precision arithmetic counted as TF32's.
core::Task with_tf32_work(core::Task task);

struct Floor {
  double seconds = 0;  // 0: none known
  std::string what;
};
// The time that the compulsory bytes, less what the cache may hold, take at the pins.
Floor floor_for(const core::CaseResult& result, const core::DeviceInfo& info, const core::Ceilings& ceilings);

// A note if the time is under what the task's arithmetic takes at the device's fastest measured rate: allowed, since an
// algorithm may do less.
std::string arithmetic_note(const core::CaseResult& result, const core::Ceilings& ceilings);

}  // namespace hone::judge
