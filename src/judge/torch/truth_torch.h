#pragma once
// The worker that runs a task's torch module: starting it, loading the module, and calls of it. The
// worker is a Python process that computes on the judge's own blocks, so tensors in device memory
// do not pass through the host. Used by Truth for expected values, and by baselines (baseline.h),
// on the thread that owns the worker.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "core/task.h"
#include "judge/buffers.h"
#include "runner/runner.h"

namespace hone::judge {

// The `call` of a plan that runs the module: the case, the precision, and the values of the task's
// scalars.
std::string torch_call(const core::Task& task, const core::Case& which, std::string_view precision);

std::unique_ptr<runner::Runner> start_reference(const core::DeviceInfo& info);
// Lets the worker load the task's module. Returns why that failed, or nothing.
std::optional<std::string> load_reference(runner::Runner& worker, const core::Task& task,
                                          double seconds);

// Inputs, then outputs.
struct ReferenceBuffers {
  std::vector<Guarded> inputs, outputs;
};
// One call of the module on these sets of buffers, which are alike; resources/python/answers.py
// describes what `call` may say, and which calls take several sets. Returns the objection of a
// check of results, or nothing; a fault if the worker failed or took longer than its limit.
base::Result<std::optional<std::string>, runner::Fault> call_reference(
    runner::Runner& worker, device::TensorOps& ops, const std::string& call,
    const std::vector<ReferenceBuffers>& sets, double seconds);

}  // namespace hone::judge
