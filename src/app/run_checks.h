#pragma once
// What would stop a run later is said before there is one: settings that contradict each other or
// the task, and the devices that it is for. Private to app/run.cc.
#include "app/run.h"
#include "core/task.h"

namespace hone::app {

run::RunSettings settings_from(const RunRequest& request, const std::string& task_folder);
void check_before(const run::RunSettings& settings, const core::Task& task);
run::RoleModels models_for(const run::RunSettings& settings);
// What follows "exec:" in --evaluator. An external task cannot do without, and no other can do
// with.
std::string evaluator_command(const std::string& evaluator, const core::Task& task);

// The device that was named, or the best one here that the task has a seed for.
std::string device_or_best(const RunRequest& request, const core::Task& task);
// The devices that names stand for: "cuda:0", "cuda:0,cuda:2", "cuda:all". They are of one model.
std::vector<core::DeviceInfo> devices_named(const std::string& names);
// The device of a run may have another number by now, or its file another place; another device it
// cannot be.
std::string same_device(const std::string& device, const run::RunSettings& settings,
                        const store::ResearchRun& run);

}  // namespace hone::app
