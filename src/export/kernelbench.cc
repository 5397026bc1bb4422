// The export for KernelBench: a file with ModelNew that its evaluator takes as it is.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "export/formats.h"
#include "export/light_loader.h"
#include "export/python_plan.h"
#include "export/python_text.h"
#include "export/rules.h"
#include "export/templates.h"
#include "runner/skeleton.h"
#include "task/interface.h"

namespace hone::exports {
namespace {

using base::ExitCode;

// Everything is known but the device's facts: KernelBench's problems have one shape.
base::Bindings known_symbols(const Exporting& exporting) {
  base::Bindings known = exporting.task.cases.front().bindings;
  for (const auto& [name, value] : exporting.point) known[name] = value;
  for (const auto& scalar : exporting.task.scalars)
    if (scalar.expression)
      if (const auto value = scalar.expression->evaluate(known)) known[scalar.name] = *value;
  return known;
}

std::string shape_text(const std::vector<std::int64_t>& dims) {
  std::string text;
  for (const auto dim : dims) text += fmt::format("{}, ", dim);
  return "(" + text + ")";
}

// A task has a tensor of one element where the problem has a single number; how many dimensions
// that has, interface.json says. A task without it asks the problem.
bool shapes_unknown(const Exporting& exporting) {
  if (exporting.task.interface) return false;
  for (const auto& output : exporting.task.outputs)
    if (const auto shape = core::shape_of(output.shape, known_symbols(exporting));
        shape && shape->elements == 1)
      return true;
  return false;
}

std::string output_shape(const Exporting& exporting, std::size_t index,
                         const runner::Skeleton& skeleton, const PythonPlan& plan) {
  const auto& output = exporting.task.outputs[index];
  if (index < skeleton.shapes.size()) return shape_text(skeleton.shapes[index]);
  const auto shapes = task::interface_of(exporting.task).shapes;
  if (const auto found = shapes.find(output.name); found != shapes.end())
    return shape_text(found->second);
  return plan.shape(output.shape);
}

// Arguments and weights that the plan names, as tensors that are what the kernels expect.
std::string tensors(const Exporting& exporting, const runner::Skeleton& skeleton,
                    const PythonPlan& plan) {
  std::string out;
  for (const auto& input : exporting.task.inputs) {
    const auto weight = skeleton.weights.find(input.name);
    const bool argument = std::count(skeleton.names.begin(), skeleton.names.end(), input.name) != 0;
    if (!argument && weight == skeleton.weights.end())
      base::fail(ExitCode::bad_input,
                 "the input {} of task {} is neither an argument nor a weight of the problem",
                 input.name, exporting.task.name);
    const std::string value =
        argument ? input.name : fmt::format("self._hone_weights[\"{}\"]", weight->second);
    out += fmt::format("{} = _hone_tensor({}, \"{}\", {}, {})\n", python_name(input.name), value,
                       input.name, torch_type(input.dtype), plan.shape(input.shape));
  }
  return out;
}

}  // namespace

std::vector<ExportedFile> export_kernelbench(const Exporting& exporting) {
  const core::Task& task = exporting.task;
  if (!task.reference_py)
    base::fail(ExitCode::bad_input,
               "task {} is no problem in KernelBench's form: it has no reference.py", task.name);
  const auto skeleton =
      runner::skeleton_of(*task.reference_py, (task.folder / "reference.py").string(),
                          shapes_unknown(exporting), runner::find_python());
  const PythonPlan plan(exporting, ExportFormat::kernelbench, known_symbols(exporting));

  if (task.inputs.empty()) base::fail(ExitCode::bad_input, "task {} has no inputs", task.name);
  const std::string device = python_name(task.inputs.front().name) + ".device";
  std::string body = tensors(exporting, skeleton, plan);
  std::vector<std::string> results;
  for (std::size_t i = 0; i < task.outputs.size(); ++i) {
    const auto& output = task.outputs[i];
    results.push_back(python_name(output.name));
    if (plan.made_by_operation(output.name)) continue;
    body +=
        fmt::format("{} = torch.empty({}, dtype={}, device={})\n", results.back(),
                    output_shape(exporting, i, skeleton, plan), torch_type(output.dtype), device);
  }
  body += plan.body(device, [&](const std::string& scalar) {
    return std::count(skeleton.names.begin(), skeleton.names.end(), scalar) != 0 ? scalar : "";
  });

  Gaps gaps = {
      {"", "@"},
      {"about", about(exporting, "#")},
      {"loader", pasted_loader(ExportFormat::kernelbench, "", "hone_light = _hone_light()\n")},
      {"preamble", plan.preamble()},
      {"helpers", plan.helpers(body)},
      {"problem", indented(skeleton.source + "\n", "    ")},
      {"forward", skeleton.forward.empty() ? "" : ", " + skeleton.forward},
      {"body", indented(body, "        ")},
      {"result", joined(results, ", ")}};
  ExportedFile file{
      exporting.function + "_kernelbench.py", filled("export/kernelbench.py", gaps), {}};
  file.notes = broken_rules(file.text, ExportFormat::kernelbench,
                            !core::kernel_names(exporting.candidate.plan).empty());
  return {file};
}

}  // namespace hone::exports
