#pragma once
// `hone task check`: everything that is wrong with a task, and whether candidates can be judged by
// it. Several problems of KernelBench at once: see app/weak_problems.h.
#include <optional>
#include <string>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "core/device_info.h"
#include "core/task.h"
#include "judge/admission.h"
#include "task/complaints.h"

namespace hone::app {

struct TaskCheckRequest : CommonOptions {
  std::string task;
  double max_seconds = 0;  // for everything; 0: see judge::AdmissionOptions
};

struct TaskCheckResult {
  task::Diagnostics malformed;             // not empty: nothing else is known
  core::Task task;                         // of an external one nothing more can be said here
  std::optional<core::DeviceInfo> device;  // nothing: checked with the C++ reference alone
  judge::Admission admission;

  bool admitted() const { return malformed.empty() && admission.admitted(); }
};

TaskCheckResult check_task(const TaskCheckRequest& request, Sink& sink);
void describe(base::Fields& fields, const TaskCheckResult& result);

}  // namespace hone::app
