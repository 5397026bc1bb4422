#include "adapters/described.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/toml_text.h"
#include "base/json.h"

namespace hone::adapters {

using base::ExitCode;
using base::Fields;

core::DType dtype_of(const DescribedTensor& tensor) {
  const auto dtype = core::dtype_from(tensor.dtype);
  if (!dtype)
    base::fail(ExitCode::bad_input, "the tensor {} has the type \"{}\"", tensor.name, tensor.dtype);
  return *dtype;
}

namespace {

void describe(Fields& f, DescribedDraw& draw) {
  f("kind", draw.kind);
  f.optional("independent", draw.independent).optional("why", draw.why);
  if (draw.kind == "problem") return;
  if (draw.kind == "integers") {
    f("low", draw.low)("high", draw.high);
  } else {
    f("a", draw.a)("b", draw.b);
  }
}

void describe_tensor(Fields& f, DescribedTensor& tensor) {
  f("name", tensor.name)("dtype", tensor.dtype)("shape", tensor.shape);
}

void describe_draw(Fields& f, DescribedTensor& tensor) {
  f.group("draw", [&] { describe(f, tensor.draw); });
}

void describe_errors(Fields& f, DescribedTensor& tensor) {
  if (!core::is_float(dtype_of(tensor))) return;
  f("error_max", tensor.error_max);
  f("error_rms", tensor.error_rms);
}

void describe_outputs(Fields& f, std::vector<DescribedTensor>& outputs) {
  f.list("outputs", outputs, [&](DescribedTensor& tensor) {
    describe_tensor(f, tensor);
    describe_errors(f, tensor);
  });
}

void describe_scalars(Fields& f, std::vector<DescribedScalar>& scalars) {
  f.list("scalars", scalars, [&](DescribedScalar& scalar) {
    f("name", scalar.name)("integer", scalar.integer)("value", scalar.value);
  });
}

// A tensor of GPU MODE: its shapes stand with the cases.
void describe_facts(Fields& f, DescribedTensor& tensor) {
  f("name", tensor.name)("dtype", tensor.dtype)("type", tensor.type)("order", tensor.order);
  f.value(tensor.facts);
}

}  // namespace

void describe(Fields& f, DescribedModule& module) {
  f("torch", module.torch);
  f.list("tensors", module.tensors, [&](DescribedTensor& tensor) {
    describe_tensor(f, tensor);
    describe_draw(f, tensor);
    f("weight", tensor.weight);
  });
  describe_scalars(f, module.scalars);
  describe_outputs(f, module.outputs);
  f("variants", module.variants)("weak", module.weak)("flops", module.flops);
  f("uncounted", module.uncounted);
  f.optional("interface", module.interface);
}

void describe(Fields& f, DescribedFunction& function) {
  f("torch", function.torch)("function", function.function);
  f("inputs_function", function.inputs_function)("summary", function.summary);
  f("numpy", function.numpy)("double", function.in_double);
  f.list("inputs", function.inputs, [&](DescribedTensor& tensor) {
    describe_tensor(f, tensor);
    describe_draw(f, tensor);
    f("variants", tensor.variants);
  });
  describe_scalars(f, function.scalars);
  describe_outputs(f, function.outputs);
  f.list("cases", function.cases,
         [&](DescribedFunction::Case& which) { f("name", which.name)("bind", which.bind); });
  f("flops", function.flops)("uncounted", function.uncounted);
  f("notes", function.notes)("interface", function.interface);
}

void describe(Fields& f, DescribedProblem& problem) {
  f("torch", problem.torch)("input", problem.input)("output", problem.output);
  f("buffers", problem.buffers);
  f.list("inputs", problem.inputs, [&](DescribedTensor& tensor) { describe_facts(f, tensor); });
  f.list("outputs", problem.outputs, [&](DescribedTensor& tensor) {
    describe_facts(f, tensor);
    describe_errors(f, tensor);
  });
  f("independent", problem.independent)("variants", problem.variants)("notes", problem.notes);
  f("numbers", problem.numbers);
  f.list("cases", problem.cases, [&](DescribedProblem::Case& which) {
    f("name", which.name)("inputs", which.inputs)("outputs", which.outputs);
    f("integers", which.integers)("flops", which.flops)("uncounted", which.uncounted);
  });
  f("noise", problem.noise)("double", problem.in_double)("unique", problem.unique);
}

std::string operations_text(const std::map<std::string, std::string>& flops,
                            const std::vector<std::string>& uncounted) {
  std::string text, list;
  for (const auto& [kind, expression] : flops) {
    if (!core::dtype_from(kind))
      base::fail(ExitCode::bad_input, "\"{}\" is no kind of operations", kind);
    text += fmt::format("{} {} = {}", text.empty() ? "" : ",", kind, toml_string(expression));
  }
  if (!text.empty()) text = fmt::format("flops = {{{} }}\n", text);
  constexpr std::size_t most_named = 8, longest_name = 80;
  for (std::size_t i = 0; i < std::min(uncounted.size(), most_named); ++i)
    list += (list.empty() ? "" : ", ") + toml_string(uncounted[i].substr(0, longest_name));
  return list.empty() ? text : text + fmt::format("uncounted = [{}]\n", list);
}

template <typename T>
T described(const std::string& answer, const std::string& what) {
  auto read = base::from_json<T>(answer);
  if (!read)
    base::fail(ExitCode::bad_input, "{}: what was said of it makes no sense: {}", what,
               read.error());
  return *std::move(read);
}
template DescribedModule described(const std::string&, const std::string&);
template DescribedFunction described(const std::string&, const std::string&);
template DescribedProblem described(const std::string&, const std::string&);

std::string term(const base::RawJson& value) {
  const auto text = base::from_json<std::string>(value.text);
  return text ? toml_string(*text) : std::to_string(whole(value));
}

std::string shape_text(const std::vector<base::RawJson>& shape) {
  std::string text;
  for (const auto& extent : shape) text += (text.empty() ? "" : ", ") + term(extent);
  return "[" + (text.empty() ? "1" : text) + "]";  // a single number is a tensor of one
}

std::string draw_text(const DescribedDraw& draw, const std::string& why) {
  if (draw.kind == "problem")
    return fmt::format("{{ kind = \"problem\"{}, why = {} }}",
                       draw.independent ? ", independent = true" : "", why);
  if (draw.kind == "integers")
    return fmt::format("{{ kind = \"integers\", low = {}, high = {} }}", term(draw.low),
                       term(draw.high));
  return draw.kind == "uniform"
             ? fmt::format("{{ kind = \"uniform\", low = {:.9g}, high = {:.9g} }}", draw.a, draw.b)
             : fmt::format("{{ kind = \"normal\", mean = {:.9g}, std = {:.9g} }}", draw.a, draw.b);
}

std::int64_t whole(const base::RawJson& value) {
  const auto number = base::from_json<std::int64_t>(value.text);
  if (!number) base::fail(ExitCode::bad_input, "a whole number is missing: {}", number.error());
  return *number;
}

}  // namespace hone::adapters
