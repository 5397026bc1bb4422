#include "export/cpp_project.h"

#include <fmt/format.h>

#include "export/cpp_text.h"

namespace hone::exports {
namespace {

std::vector<std::string> size_names(const Exporting& exporting) {
  std::vector<std::string> names;
  for (const auto& symbol : exporting.symbols) names.push_back(cpp_name(symbol));
  return names;
}

std::vector<std::string> symbol_parameters(const Exporting& exporting) {
  std::vector<std::string> parts;
  for (const auto& symbol : exporting.symbols) parts.push_back("int64_t " + cpp_name(symbol));
  return parts;
}

// Definitions of everything expressions may name besides the parameters: tunables, the task's
// integer scalars.
std::string constants(const Exporting& exporting) {
  std::string out;
  for (const auto& [name, value] : exporting.point)
    out += fmt::format("  [[maybe_unused]] constexpr int64_t {} = {};\n", cpp_name(name), value);
  for (const auto& scalar : exporting.task.scalars)
    if (scalar.expression)
      out += fmt::format("  [[maybe_unused]] const int64_t {} = {};\n", cpp_name(scalar.name),
                         cpp(*scalar.expression));
  return out;
}

std::string bad_sizes(const Exporting& exporting) {
  std::vector<std::string> parts;
  for (const auto& symbol : exporting.symbols) parts.push_back(cpp_name(symbol) + " < 1");
  return parts.empty() ? "false" : joined(parts, " || ");
}

std::string kernel_defines(const Exporting& exporting) {
  std::string out;
  for (const auto& [name, value] : exporting.point)
    out += fmt::format("#define {} {}\n", name, value);
  return out;
}

std::string after_comma(const std::vector<std::string>& parts) {
  return parts.empty() ? "" : ", " + joined(parts, ", ");
}

}  // namespace

Gaps common_gaps(const Exporting& exporting) {
  std::string example_sizes;
  const auto& bindings = exporting.task.cases.front().bindings;
  for (const auto& symbol : exporting.symbols)
    example_sizes +=
        fmt::format("  const int64_t {} = {};\n", cpp_name(symbol), bindings.at(symbol));
  const auto sizes = symbol_parameters(exporting), names = size_names(exporting);
  return {{"", "@"},
          {"about", about(exporting)},
          {"function", exporting.function},
          {"sizes", joined(sizes, ", ")},
          {"comma_sizes", after_comma(sizes)},
          {"size_names", joined(names, ", ")},
          {"comma_size_names", after_comma(names)},
          {"bad_sizes", bad_sizes(exporting)},
          {"constants", constants(exporting)},
          {"defines", kernel_defines(exporting)},
          {"example_sizes", example_sizes}};
}

void add_tensors(const Exporting& exporting, Gaps& gaps, const TensorWriter& write) {
  std::vector<std::string> parameters, arguments;
  std::string comment, example, print;
  const auto add = [&](const std::string& given, core::DType dtype,
                       const std::vector<base::Expr>& shape, bool is_input) {
    const std::string name = cpp_name(given);
    const TensorText text = write(name, dtype, product(shape), is_input);
    std::vector<std::string> sides;
    for (const auto& side : shape) sides.push_back(cpp(side));
    parameters.push_back(text.parameter);
    arguments.push_back(name);
    comment += fmt::format("//   {} [{}] of {}{}\n", name, joined(sides, ", "),
                           core::name_of(dtype), is_input ? "" : ", written");
    example += text.example;
    print += text.print;
  };
  for (const auto& input : exporting.task.inputs) add(input.name, input.dtype, input.shape, true);
  for (const auto& output : exporting.task.outputs)
    add(output.name, output.dtype, output.shape, false);
  gaps["parameters"] = joined(parameters, ", ") + after_comma(symbol_parameters(exporting));
  gaps["argument_names"] = joined(arguments, ", ") + after_comma(size_names(exporting));
  gaps["tensors"] = comment;
  gaps["example_tensors"] = example;
  gaps["example_print"] = print;
}

}  // namespace hone::exports
