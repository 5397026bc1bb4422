#pragma once
// The task's trusted device kernel (reference.cu, reference.cl): computes expected values for cases
// on which the C++ reference is too slow. It is written like a candidate, built for one precision,
// and runs in a process of its own on the judge's buffers. Owned by Truth, which checks it against
// the C++ reference first; used on the judge's thread.
#include <memory>
#include <vector>

#include "core/candidate.h"
#include "core/device_info.h"
#include "judge/buffers.h"
#include "runner/reference_limit.h"
#include "runner/runner.h"

namespace hone::judge {

struct DeviceReference {
  core::Candidate candidate;
  core::DType real = core::DType::f64;  // what HONE_REAL stands for: f64 or f32
  std::unique_ptr<runner::Runner> runner;
};

// Whether the case wants the device kernel, and the task has one for this device.
bool uses_device_reference(const core::Task& task, const core::Case& which,
                           const core::DeviceInfo& info);

// Builds the kernel and loads it into a runner. Throws Error where that fails.
std::unique_ptr<DeviceReference> load_device_reference(const core::Task& task,
                                                       const core::DeviceInfo& info,
                                                       core::DType real, bool unsafe);

// Fills `outputs`, whose floating-point types are `reference.real` and whose integers are i64.
// Throws Error where the kernel fails, TooSlow where it takes too long.
void call_device_reference(DeviceReference& reference, const core::Task& task,
                           const core::Case& which, const core::DeviceInfo& info,
                           device::TensorOps& ops, const std::vector<Guarded>& inputs,
                           const std::vector<Guarded>& outputs,
                           const runner::ReferenceLimit& limit);

}  // namespace hone::judge
