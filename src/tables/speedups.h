#pragma once
// How many times as fast as torch's best an evaluation is, by the baselines that are recorded:
// nothing is measured here. Without a baseline there is no ratio, and it says what makes one.
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"
#include "tables/baselines.h"

namespace hone::tables {

// Adds, for each class of precision, the best baseline that is recorded for this device and how
// many times faster the evaluation is; or that there is none, and what makes one. `task_text`: what
// the user called the task.
void add_speedups(const core::Task& task, const std::string& task_text,
                  const core::DeviceInfo& info, core::Evaluation& evaluation);

// In each class that the evaluation solved and that has a baseline for this problem and device:
// "2.9× torch's best (tf32), 1.1× (fp32)"; "" where there is none.
std::string beside_torch(const core::Evaluation& evaluation, const std::string& problem,
                         const std::string& device, const std::vector<BaselineLine>& baselines);

}  // namespace hone::tables
