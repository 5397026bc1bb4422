#include "app/task_check.h"

#include <cmath>

#include "app/inputs.h"
#include "base/fields.h"
#include "base/printable.h"
#include "device/device.h"
#include "task/task_loader.h"

namespace hone::app {
namespace {

// The device that is asked for, or the best one here that the task has cases for.
std::optional<core::DeviceInfo> device_for_check(const TaskCheckRequest& request,
                                                 const core::Task& task) {
  if (!request.device.empty()) return device::find_device(request.device);
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (judge::has_case_for(task, info)) return info;
  return std::nullopt;
}

// What can be said without its evaluator: that everything is there.
judge::Admission external_admission(const core::Task& task) {
  judge::Admission admission;
  for (const auto& which : task.cases) admission.cases.push_back(which.name);
  admission.notes = {"only its own evaluator can say whether candidates are right"};
  return admission;
}

// A bound may have no number, which JSON has no word for.
void describe_figure(base::Fields& f, const char* name, double value) {
  if (std::isfinite(value))
    f(name, value);
  else
    f(name, "infinite");
}

void describe_check(base::Fields& f, const judge::AdmissionCheck& check) {
  f("verdict", judge::name_of(check.verdict))("name", check.name)("case", check.case_name);
  f("output", check.output)("row", check.row)("forgiven", check.forgiven);
  f("text", base::printable_lines(check.text));
  if (!check.has_figures) return;
  f("expected", check.expectation);
  describe_figure(f, "figure", check.figure);
  describe_figure(f, "bound", check.bound);
}

}  // namespace

TaskCheckResult check_task(const TaskCheckRequest& request, Sink& sink) {
  TaskCheckResult result;
  const std::string folder = task_folder(request.task, sink);
  result.malformed = task::check_task(folder);
  if (!result.malformed.empty()) return result;
  result.task = task_from(folder, sink);
  if (result.task.external) {
    result.admission = external_admission(result.task);
    return result;
  }
  judge::AdmissionOptions options;
  options.unsafe = request.unsafe;
  if (request.max_seconds > 0) options.seconds = options.all_seconds = request.max_seconds;
  options.failed = [&](const std::string& text) { sink.say(text); };
  options.progress = steps_to(sink);
  result.device = device_for_check(request, result.task);
  options.device = result.device.has_value();
  require_wanted(sink);
  result.admission = judge::admit(
      result.task, result.device ? *result.device : device::find_device("fake:0"), options);
  sink.step({});
  return result;
}

void describe(base::Fields& f, const TaskCheckResult& result) {
  f("admitted", result.admitted());
  if (!result.malformed.empty())
    return f.list("malformed", result.malformed, [&](const base::Diagnostic& diagnostic) {
      f("file", diagnostic.file)("line", diagnostic.at.line)("column", diagnostic.at.column);
      f("message", base::printable_lines(diagnostic.message));
    });
  f("task", result.task.name)("cases", result.admission.cases)("notes", result.admission.notes);
  if (result.task.external) {
    f("external", true);
    return;
  }
  f("device", result.device);
  f.list("checks", result.admission.checks,
         [&](const judge::AdmissionCheck& check) { describe_check(f, check); });
}

}  // namespace hone::app
