#pragma once
// What a worker with the task's torch module is told. For truth*.cc and baselines.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/device_info.h"
#include "core/task.h"
#include "runner/runner.h"

namespace hone::judge {

// For a plan's `call`: the precision, and the task's numbers in this case.
std::string torch_call(const core::Task& task, const core::Case& which, std::string_view precision);

// The worker that computes a task's truth, and its loading of the module: why it could not, or nothing.
std::unique_ptr<runner::Runner> start_reference(const core::DeviceInfo& info);
std::optional<std::string> load_reference(runner::Runner& worker, const core::Task& task, double seconds);

}  // namespace hone::judge
