// The export as a Python module with one function over tensors, an operation that torch knows.
#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/json.h"
#include "export/cpp_text.h"
#include "export/formats.h"
#include "export/light_loader.h"
#include "export/python_text.h"
#include "export/signature.h"
#include "task/interface.h"

namespace hone::exports {
namespace {

using base::ExitCode;

// The caller's tensors as the kernels know them. Their types and dimensions are looked at before
// any extent is read.
std::string type_checks(const TorchSignature& signature) {
  std::string out;
  for (const auto& input : signature.inputs)
    out += fmt::format("_hone_known({0}, \"{1}\", {2}, {3})\n", python_name(input.name), input.name,
                       input.torch_type, input.order.size());
  return out;
}

std::string tensor_lines(const TorchSignature& signature, const PythonPlan& plan) {
  std::string out;
  for (const auto& input : signature.inputs)
    out += fmt::format("{0} = _hone_tensor({0}, \"{1}\", {2}, {3})\n", python_name(input.name),
                       input.name, tuple_of(input.order),
                       input.is_number ? "()" : plan.shape(input.shape));
  return out;
}

// An argument of the candidate's function as Python, in the code of interface.json.
std::string argument_text(const task::Coded& code, const core::Task& task) {
  const std::string& kind = code.kind;
  if (kind == "tensor") return python_name(code.name());
  if (kind == "value") return task::python_literal(code.content);
  if (kind == "float") return fmt::format("float(\"{}\")", code.name());
  std::string list;
  for (std::size_t i = 0; i < code.parts.size(); ++i)
    list += (kind == "dict" ? code.keys[i].text + ": " : "") + argument_text(code.parts[i], task) +
            ", ";
  if (kind == "tuple") return "(" + list + ")";
  if (kind == "list") return "[" + list + "]";
  if (kind == "dict") return "{" + list + "}";
  for (const auto& scalar : task.scalars)
    if (scalar.name == code.name())
      return scalar.expression ? scalar.expression->to_python(
                                     [](const std::string& one) { return python_name(one); })
                               : base::json_line(scalar.value);
  return python_name(code.name());  // a symbol of the case
}

// Symbols that the arguments name, by themselves or in a scalar's expression.
void symbols_in(const task::Coded& code, const core::Task& task, std::set<std::string>& used) {
  for (const auto& one : code.parts) symbols_in(one, task, used);
  if (code.kind != "scalar") return;
  used.insert(code.name());
  for (const auto& scalar : task.scalars)
    if (scalar.name == code.name() && scalar.expression)
      for (const auto& use : scalar.expression->symbols()) used.insert(use.name);
}

}  // namespace

std::vector<ExportedFile> export_torch(const Exporting& exporting) {
  const core::Task& task = exporting.task;
  const TorchSignature signature = torch_signature(task);
  base::Bindings known = signature.known;
  for (const auto& [name, value] : exporting.point) known[name] = value;
  const PythonPlan plan(exporting, ExportFormat::torch, known);
  std::set<std::string> used = symbols_used(exporting.candidate.plan);
  for (const auto& scalar : task.scalars)
    if (scalar.expression)
      for (const auto& use : scalar.expression->symbols()) used.insert(use.name);
  for (const auto& [symbol, text] : signature.told) used.insert(symbol);  // shapes are checked
  std::string body = type_checks(signature) + symbol_definitions(signature, task, used) +
                     tensor_lines(signature, plan);
  for (const auto& scalar : task.scalars)
    if (scalar.expression)
      body +=
          fmt::format("{} = {}\n", python_name(scalar.name), plan.expression(*scalar.expression));
  const std::string device = python_name(signature.inputs.front().name) + ".device";
  for (const auto& output : signature.outputs)
    if (!plan.made_by_operation(output.name)) body += empty_output(output, plan, device);
  body += "with torch.cuda.device(" + device + "):\n" +
          indented(plan.body(device, [](const std::string&) { return std::string(); }), "    ");
  Gaps gaps = torch_gaps(signature, exporting, plan);
  gaps["loader"] = pasted_loader(ExportFormat::torch, "", "hone_light = _hone_light()\n");
  gaps["preamble"] = plan.preamble();
  gaps["helpers"] = plan.helpers(body + gaps.at("fake"));
  gaps["body"] = indented(body, "    ");
  gaps["result"] = result_of(signature);
  return {{exporting.function + "_torch.py", filled("export/torch.py", gaps), {}}};
}

std::vector<ExportedFile> export_python_as_torch(const core::Task& task,
                                                 const core::Candidate& candidate) {
  const auto interface = task::interface_of(task);
  if (!task.function || interface.entry.empty() || !interface.arguments)
    base::fail(ExitCode::bad_input,
               "task {} says not how {} is called: a candidate in Python becomes an operation "
               "where the task was made of a function (`hone task new NAME --from kernel.py`)",
               task.name, candidate.name);
  const core::Point none;
  const Exporting exporting{task, candidate, none, cpp_name(task.name), {}};
  const TorchSignature signature = torch_signature(task);
  const PythonPlan plan(exporting, ExportFormat::torch, signature.known);
  std::set<std::string> used;
  std::vector<std::string> arguments;
  for (const auto& code : *interface.arguments) {
    symbols_in(code, task, used);
    arguments.push_back(argument_text(code, task));
  }
  const std::string body = symbol_definitions(signature, task, used);
  Gaps gaps = torch_gaps(signature, exporting, plan);
  gaps["candidate"] = python_with_loader(candidate.source, ExportFormat::torch);
  gaps["helpers"] = plan.helpers(gaps.at("fake"));
  gaps["body"] = indented(body, "    ");
  gaps["entry"] = interface.entry;
  gaps["arguments"] = joined(arguments, ", ");
  gaps["take"] = signature.outputs.size() == 1 && !signature.sequence ? "result.contiguous()"
                 : signature.outputs.size() == 1                      ? "result[0].contiguous()"
                                                 : "tuple(one.contiguous() for one in result)";
  return {{exporting.function + "_torch.py", filled("export/torch_python.py", gaps), {}}};
}

}  // namespace hone::exports
