#pragma once
// The work of a case, the rates at which it was done, and lower limits of its time. Only the
// physical floor (moving the compulsory bytes) decides a verdict; everything else here is reported.
// Pure functions.
#include <string>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"

namespace hone::judge {

// Fills in bytes, flops, bandwidth, rate, and the ceiling that limits the case with the fraction of
// it that was reached.
void apply_work(const core::Task& task, const core::Case& which, const core::DeviceInfo& info,
                const core::Ceilings& ceilings, core::CaseResult& result);

// The task with its single-precision arithmetic counted as TF32.
core::Task with_tf32_work(core::Task task);

struct Floor {
  double seconds = 0;  // 0: not known
  std::string what;    // how it was computed, for the evidence
};
// The time in which the memory's pins can move the compulsory bytes, less what the cache may hold.
Floor floor_for(const core::CaseResult& result, const core::DeviceInfo& info,
                const core::Ceilings& ceilings);

// Whether a case can honestly beat this arithmetic ceiling, because the device multiplies narrower
// numbers faster: single precision can be had from several such products.
bool has_faster_units(const std::string& ceiling, const core::Ceilings& ceilings);

// A note if the time is less than the task's arithmetic takes at the device's fastest measured
// rate, else "". This is allowed: an algorithm may need less arithmetic than the task's formula.
std::string arithmetic_note(const core::CaseResult& result, const core::Ceilings& ceilings);

}  // namespace hone::judge
