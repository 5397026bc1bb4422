#include "export/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "export/python_text.h"
#include "task/interface.h"

namespace hone::exports {
namespace {

using base::ExitCode;

// Names of tensors in the order in which the arguments have them.
void tensors_in(const task::Coded& code, std::vector<std::string>& names) {
  if (code.kind == "tensor") names.push_back(code.name());
  for (const auto& one : code.parts) tensors_in(one, names);
}

TorchTensor tensor_of(const std::string& name, core::DType dtype,
                      const std::vector<base::Expr>& shape, const task::Interface& interface) {
  TorchTensor tensor{
      .name = name, .dtype = dtype, .shape = shape, .order = {}, .torch_type = torch_type(dtype)};
  const auto& shapes = interface.shapes;
  const auto& types = interface.types;
  const auto& orders = interface.orders;
  tensor.is_number = shapes.contains(name) && shapes.at(name).empty();
  if (interface.is_bool(name)) tensor.torch_type = "torch.bool";
  if (types.contains(name)) tensor.torch_type = "torch." + types.at(name);
  tensor.same_bytes = tensor.torch_type != torch_type(dtype);
  if (tensor.is_number) return tensor;
  for (std::size_t i = 0; i < shape.size(); ++i) tensor.order.push_back(i);
  if (orders.contains(name)) tensor.order = orders.at(name);
  return tensor;
}

bool is_fixed(const core::Task& task, const std::string& symbol) {
  const auto value = task.cases.front().bindings.at(symbol);
  return std::all_of(task.cases.begin(), task.cases.end(), [&](const core::Case& which) {
    const auto found = which.bindings.find(symbol);
    return found != which.bindings.end() && found->second == value;
  });
}

}  // namespace

TorchSignature torch_signature(const core::Task& task) {
  const task::Interface interface = task::interface_of(task);
  TorchSignature signature;
  std::vector<std::string> order;
  if (task.function && interface.arguments)
    for (const auto& code : *interface.arguments) tensors_in(code, order);
  for (const auto& input :
       task.inputs)  // those of a KernelBench problem are its arguments, then its weights
    if (std::find(order.begin(), order.end(), input.name) == order.end())
      order.push_back(input.name);
  for (const auto& name : order)
    for (const auto& input : task.inputs)
      if (input.name == name)
        signature.inputs.push_back(tensor_of(name, input.dtype, input.shape, interface));
  for (const auto& output : task.outputs)
    signature.outputs.push_back(tensor_of(output.name, output.dtype, output.shape, interface));
  signature.sequence = task.function && interface.sequence;
  if (signature.inputs.empty()) base::fail(ExitCode::bad_input, "task {} has no inputs", task.name);
  for (const auto& [symbol, value] : task.cases.front().bindings) {
    for (const auto& input : signature.inputs)
      for (std::size_t i = 0; i < input.order.size() && !signature.told.contains(symbol); ++i)
        if (input.shape[i].text() == symbol)
          signature.told[symbol] =
              fmt::format("{}.shape[{}]", python_name(input.name), input.order[i]);
    if (!signature.told.contains(symbol) && is_fixed(task, symbol)) signature.known[symbol] = value;
  }
  return signature;
}

std::string symbol_definitions(const TorchSignature& signature, const core::Task& task,
                               const std::set<std::string>& used) {
  std::string out;
  for (const auto& [symbol, value] : task.cases.front().bindings) {
    if (!used.contains(symbol) || signature.known.contains(symbol)) continue;
    const auto told = signature.told.find(symbol);
    if (told == signature.told.end())
      base::fail(ExitCode::bad_input,
                 "the symbol {} is no extent of an input by itself, and differs from case to case: "
                 "a caller's tensors do not tell it",
                 symbol);
    out += fmt::format("{} = {}\n", python_name(symbol), told->second);
  }
  return out;
}

std::set<std::string> symbols_of_outputs(const TorchSignature& signature) {
  std::set<std::string> used;
  for (const auto& output : signature.outputs)
    for (const auto& extent : output.shape)
      for (const auto& use : extent.symbols()) used.insert(use.name);
  return used;
}

std::string tuple_of(const std::vector<std::size_t>& list) {
  std::string text;
  for (const auto one : list) text += fmt::format("{}{}", text.empty() ? "" : ", ", one);
  return "(" + text + (list.size() == 1 ? ",)" : ")");
}

std::string empty_output(const TorchTensor& output, const PythonPlan& plan,
                         const std::string& device) {
  return fmt::format("{} = torch.empty({}, dtype={}, device={})\n", python_name(output.name),
                     output.is_number ? "()" : plan.shape(output.shape), output.torch_type, device);
}

std::string result_of(const TorchSignature& signature) {
  std::vector<std::string> results;
  for (const auto& output : signature.outputs) {
    std::vector<std::size_t> back(output.order.size());
    for (std::size_t i = 0; i < back.size(); ++i) back[output.order[i]] = i;
    const bool same = std::is_sorted(output.order.begin(), output.order.end());
    results.push_back(python_name(output.name) +
                      (same ? "" : fmt::format(".permute({})", tuple_of(back))));
  }
  return results.size() == 1 ? results.front() : "(" + joined(results, ", ") + ")";
}

std::string parameters_of(const TorchSignature& signature) {
  std::vector<std::string> names;
  for (const auto& input : signature.inputs) names.push_back(python_name(input.name));
  return joined(names, ", ");
}

std::string schema_of(const TorchSignature& signature) {
  std::vector<std::string> names, results;
  for (const auto& input : signature.inputs) names.push_back("Tensor " + python_name(input.name));
  for (std::size_t i = 0; i < signature.outputs.size(); ++i) results.emplace_back("Tensor");
  return fmt::format("({}) -> {}", joined(names, ", "),
                     results.size() == 1 ? "Tensor" : "(" + joined(results, ", ") + ")");
}

std::string fake_body(const TorchSignature& signature, const Exporting& exporting,
                      const PythonPlan& plan) {
  std::string body = symbol_definitions(signature, exporting.task, symbols_of_outputs(signature));
  for (const auto& output : signature.outputs)
    body += empty_output(output, plan, python_name(signature.inputs.front().name) + ".device");
  return body + "return " + result_of(signature) + "\n";
}

std::string docstring_of(const Exporting& exporting) {
  std::string cases, scalars;
  for (const auto& which : exporting.task.cases) cases += (cases.empty() ? "" : "; ") + which.name;
  for (const auto& scalar : exporting.task.scalars)
    scalars += fmt::format(
        "{}{} = {}", scalars.empty() ? "" : ", ", scalar.name,
        scalar.expression ? scalar.expression->text() : fmt::format("{}", scalar.value));
  std::string text = exporting.task.summary + "\n\nJudged on the cases " + cases + ".";
  if (!scalars.empty()) text += " It computes with " + scalars + ", and takes no other values.";
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return c == '"' || c == '\\' || (c != '\n' && c < ' '); }, ' ');
  return text + "\nThere is no backward: asking for gradients is an error.\n";
}

Gaps torch_gaps(const TorchSignature& signature, const Exporting& exporting,
                const PythonPlan& plan) {
  const std::string one =
      "_hone_operation_" + exporting.function + "(" + parameters_of(signature) + ")";
  const std::string fake = fake_body(signature, exporting, plan);
  return {{"", "@"},
          {"about", about(exporting, "#")},
          {"function", exporting.function},
          {"parameters", parameters_of(signature)},
          {"schema", schema_of(signature)},
          {"fake", indented(fake, "    ")},
          {"docstring", indented(docstring_of(exporting), "    ")},
          {"call", signature.sequence && signature.outputs.size() == 1 ? "(" + one + ",)" : one}};
}

}  // namespace hone::exports
