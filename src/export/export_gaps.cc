// What fills the gaps that both exports have alike, and the way in.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "export/export_python.h"
#include "export/export_torch.h"
#include "task/plan_parser.h"

namespace hone::exports {
namespace {

using base::ExitCode;

template <typename Visit>
void visit_argument(const core::Arg& arg, Visit visit) {
  if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value)) visit(integer->expr);
  if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value)) visit(typed->expr);
  if (const auto* local = std::get_if<core::LocalArg>(&arg.value)) visit(local->bytes);
  if (const auto* buffer = std::get_if<core::BufferArg>(&arg.value))
    for (const auto& extent : buffer->shape) visit(extent.expr);
  if (const auto* list = std::get_if<core::ListArg>(&arg.value))
    for (const auto& item : list->items) visit_argument(item, visit);
}

template <typename Visit>
void visit_expressions(const core::Plan& plan, Visit visit) {
  const auto all = [&](const std::vector<core::PlanExpr>& list) {
    for (const auto& item : list) visit(item.expr);
  };
  for (const auto& scratch : plan.scratch) all(scratch.shape);
  for (const auto& map : plan.tensormaps) all(map.shape), all(map.box), all(map.element_strides);
  for (const auto& launch : plan.launches) {
    if (launch.when) visit(launch.when->expr);
    if (launch.repeat) visit(launch.repeat->expr);
    if (launch.shared) visit(launch.shared->expr);
    all(launch.grid), all(launch.block), all(launch.cluster);
    for (const auto& arg : launch.args) visit_argument(arg, visit);
    for (const auto& [name, arg] : launch.words) visit_argument(arg, visit);
  }
}

// Names and summaries come from strangers: they may not end the comment they stand in.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') c = ' ';
  return text;
}

std::vector<std::string> symbols_in_order(const core::Task& task) {
  std::vector<std::string> order;
  const auto& bound = task.cases.front().bindings;
  const auto add = [&](const std::string& name) {
    if (bound.contains(name) && std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
  };
  const auto add_all = [&](const std::vector<base::Expr>& shape) {
    for (const auto& dim : shape)
      for (const auto& use : dim.symbols()) add(use.name);
  };
  for (const auto& input : task.inputs) add_all(input.shape);
  for (const auto& output : task.outputs) add_all(output.shape);
  for (const auto& [name, value] : bound) add(name);
  return order;
}

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

// Definitions of everything expressions may name besides the parameters: tunables, the task's integer scalars.
std::string constants(const Exporting& exporting) {
  std::string out;
  for (const auto& [name, value] : exporting.point)
    out += fmt::format("  [[maybe_unused]] constexpr int64_t {} = {};\n", cpp_name(name), value);
  for (const auto& scalar : exporting.task.scalars)
    if (scalar.expression)
      out += fmt::format("  [[maybe_unused]] const int64_t {} = {};\n", cpp_name(scalar.name), cpp(*scalar.expression));
  return out;
}

std::string bad_sizes(const Exporting& exporting) {
  std::vector<std::string> parts;
  for (const auto& symbol : exporting.symbols) parts.push_back(cpp_name(symbol) + " < 1");
  return parts.empty() ? "false" : joined(parts, " || ");
}

std::string kernel_defines(const Exporting& exporting) {
  std::string out;
  for (const auto& [name, value] : exporting.point) out += fmt::format("#define {} {}\n", name, value);
  return out;
}

std::string about(const Exporting& exporting, const char* mark = "//") {
  std::string point;
  for (const auto& [name, value] : exporting.point) point += fmt::format(" {}={}", name, value);
  return fmt::format("{0} {1}: {2}\n{0} Made by Hone from {3} (candidate {4}){5}. Needs nothing of Hone.\n", mark,
                     exporting.function, one_line(exporting.task.summary), one_line(exporting.candidate.name),
                     exporting.candidate.hash.substr(0, 16), point.empty() ? "" : " with" + point);
}

std::string after_comma(const std::vector<std::string>& parts) {
  return parts.empty() ? "" : ", " + joined(parts, ", ");
}

}  // namespace

std::string python_about(const Exporting& exporting) { return about(exporting, "#"); }

std::set<std::string> symbols_used(const core::Plan& plan) {
  std::set<std::string> used;
  visit_expressions(plan, [&](const base::Expr& expr) {
    for (const auto& use : expr.symbols()) used.insert(use.name);
  });
  return used;
}

std::vector<std::string> device_facts_used(const Exporting& exporting) {
  const auto used = symbols_used(exporting.candidate.plan);
  std::vector<std::string> facts;
  for (const auto& name : core::device_symbol_names)
    if (used.contains(name)) facts.push_back(name);
  return facts;
}

Gaps common_gaps(const Exporting& exporting) {
  std::string example_sizes;
  const auto& bindings = exporting.task.cases.front().bindings;
  for (const auto& symbol : exporting.symbols)
    example_sizes += fmt::format("  const int64_t {} = {};\n", cpp_name(symbol), bindings.at(symbol));
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
  const auto add = [&](const std::string& given, core::DType dtype, const std::vector<base::Expr>& shape,
                       bool is_input) {
    const std::string name = cpp_name(given);
    const TensorText text = write(name, dtype, product(shape), is_input);
    std::vector<std::string> sides;
    for (const auto& side : shape) sides.push_back(cpp(side));
    parameters.push_back(text.parameter);
    arguments.push_back(name);
    comment += fmt::format("//   {} [{}] of {}{}\n", name, joined(sides, ", "), core::name_of(dtype),
                           is_input ? "" : ", written");
    example += text.example;
    print += text.print;
  };
  for (const auto& input : exporting.task.inputs) add(input.name, input.dtype, input.shape, true);
  for (const auto& output : exporting.task.outputs) add(output.name, output.dtype, output.shape, false);
  gaps["parameters"] = joined(parameters, ", ") + after_comma(symbol_parameters(exporting));
  gaps["argument_names"] = joined(arguments, ", ") + after_comma(size_names(exporting));
  gaps["tensors"] = comment;
  gaps["example_tensors"] = example;
  gaps["example_print"] = print;
}

std::vector<std::string> kernels_of(const core::Plan& plan) {
  std::vector<std::string> names;
  for (const auto& launch : plan.launches)
    if (std::find(names.begin(), names.end(), launch.kernel) == names.end()) names.push_back(launch.kernel);
  return names;
}

std::string launch_block(const core::Launch& launch, const std::function<std::string(const std::string&)>& body) {
  const std::string head = launch.when ? fmt::format("if ({}) ", cpp(launch.when->expr)) : "";
  if (!launch.repeat) return fmt::format("  {}{{  // {}\n{}  }}\n", head, launch.kernel, body("    "));
  return fmt::format(
      "  {}{{  // {}\n    const int64_t iteration_count = {};\n    for (int64_t iteration = 0; iteration < "
      "iteration_count; ++iteration) {{\n{}    }}\n  }}\n",
      head, launch.kernel, cpp(launch.repeat->expr), body("      "));
}

std::vector<ExportedFile> export_candidate(const core::Task& task, const core::Candidate& candidate,
                                           const core::Point& point, ExportFormat format) {
  core::Candidate checked = candidate;
  if (const auto problems = task::check_plan(checked.plan, task, candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  const Exporting exporting{task, checked, point, cpp_name(task.name), symbols_in_order(task)};
  if (format != ExportFormat::own && candidate.language != core::Language::cuda)
    base::fail(ExitCode::bad_input, "{} is {} source; this format is for CUDA and Python", candidate.name,
               core::name_of(candidate.language));
  if (format == ExportFormat::kernelbench) return export_kernelbench(exporting);
  if (format == ExportFormat::gpumode) return export_gpumode(exporting);
  if (format == ExportFormat::torch) return export_torch(exporting);
  if (core::has_operations(candidate.plan))
    base::fail(ExitCode::bad_input,
               "{} calls operations of torch's, which C++ without torch cannot: export it with --format torch, "
               "kernelbench or gpumode",
               candidate.name);
  if (format == ExportFormat::hub) return export_hub(exporting);
  if (candidate.language == core::Language::cuda) return export_cuda(exporting);
  if (candidate.language == core::Language::opencl) return export_opencl(exporting);
  base::fail(ExitCode::bad_input, "{} is {} source, for which there is no export", candidate.name,
             core::name_of(candidate.language));
}

}  // namespace hone::exports
