#include "app/task_check.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/inputs.h"
#include "base/printable.h"
#include "core/device_json.h"
#include "device/device.h"
#include "task/task_loader.h"

namespace hone::app {
namespace {

using nlohmann::json;

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

json malformed_json(const task::Diagnostics& diagnostics) {
  json list = json::array();
  for (const auto& diagnostic : diagnostics)
    list.push_back({{"file", diagnostic.file},
                    {"line", diagnostic.at.line},
                    {"column", diagnostic.at.column},
                    {"message", base::printable_lines(diagnostic.message)}});
  return list;
}

// A bound may have no number, which JSON has no word for.
json figure_json(double value) { return std::isfinite(value) ? json(value) : json("infinite"); }

json check_json(const judge::AdmissionCheck& check) {
  json said = {{"verdict", judge::name_of(check.verdict)},
               {"name", check.name},
               {"case", check.case_name},
               {"output", check.output},
               {"row", check.row},
               {"forgiven", check.forgiven},
               {"text", base::printable_lines(check.text)}};
  if (check.has_figures)
    said.update({{"expected", check.expectation},
                 {"figure", figure_json(check.figure)},
                 {"bound", figure_json(check.bound)}});
  return said;
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

json to_json(const TaskCheckResult& result) {
  if (!result.malformed.empty())
    return {{"admitted", false}, {"malformed", malformed_json(result.malformed)}};
  json said = {{"admitted", result.admitted()},
               {"task", result.task.name},
               {"cases", result.admission.cases},
               {"notes", result.admission.notes}};
  if (result.task.external) {
    said["external"] = true;
    return said;
  }
  json checks = json::array();
  for (const auto& check : result.admission.checks) checks.push_back(check_json(check));
  said["device"] = result.device ? core::to_json(*result.device) : json();
  said["checks"] = checks;
  return said;
}

}  // namespace hone::app
