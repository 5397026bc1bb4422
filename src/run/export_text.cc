#include "run/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/resources.h"
#include "task/plan_parser.h"

namespace hone::run {
namespace {

using base::ExitCode;

// Words that C++ keeps for itself, and names that the templates use.
const std::set<std::string, std::less<>> taken = {"alignas",   "alignof",
                                                  "and",       "asm",
                                                  "auto",      "bool",
                                                  "break",     "case",
                                                  "catch",     "char",
                                                  "class",     "const",
                                                  "constexpr", "continue",
                                                  "decltype",  "default",
                                                  "delete",    "do",
                                                  "double",    "else",
                                                  "enum",      "explicit",
                                                  "export",    "extern",
                                                  "false",     "float",
                                                  "for",       "friend",
                                                  "goto",      "if",
                                                  "inline",    "int",
                                                  "long",      "mutable",
                                                  "namespace", "new",
                                                  "noexcept",  "not",
                                                  "nullptr",   "operator",
                                                  "or",        "private",
                                                  "protected", "public",
                                                  "register",  "requires",
                                                  "concept",   "return",
                                                  "short",     "signed",
                                                  "sizeof",    "static",
                                                  "struct",    "switch",
                                                  "template",  "this",
                                                  "throw",     "true",
                                                  "try",       "typedef",
                                                  "typename",  "union",
                                                  "unsigned",  "using",
                                                  "virtual",   "void",
                                                  "volatile",  "while",
                                                  "xor",       "int64_t",
                                                  "size_t",    "dim3",
                                                  "workspace", "stream",
                                                  "queue",     "event",
                                                  "events",    "wait_count",
                                                  "wait_list", "launch",
                                                  "error",     "iteration_count",
                                                  "NULL",      "std"};

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
    for (const auto& arg : launch.args) {
      if (const auto* integer = std::get_if<core::IntegerArg>(&arg.value)) visit(integer->expr);
      if (const auto* typed = std::get_if<core::TypedIntegerArg>(&arg.value)) visit(typed->expr);
      if (const auto* local = std::get_if<core::LocalArg>(&arg.value)) visit(local->bytes);
    }
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

}  // namespace

std::string cpp_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (c == '-') c = '_';
  if (!out.empty() && out[0] >= '0' && out[0] <= '9') out = "task_" + out;
  return taken.contains(out) ? out + "_" : out;
}

std::string cpp(const base::Expr& expr) { return expr.to_cpp(cpp_name); }

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::vector<base::Expr> expressions(const std::vector<core::PlanExpr>& list) {
  std::vector<base::Expr> out;
  for (const auto& item : list) out.push_back(item.expr);
  return out;
}

std::string product(const std::vector<base::Expr>& factors) {
  std::vector<std::string> parts;
  for (const auto& factor : factors) parts.push_back(fmt::format("int64_t({})", cpp(factor)));
  return parts.empty() ? "1" : joined(parts, " * ");
}

std::string dims(const std::vector<core::PlanExpr>& list) {
  std::vector<std::string> parts;
  for (const auto& item : list) parts.push_back(cpp(item.expr));
  parts.resize(3, "1");
  return joined(parts, ", ");
}

std::vector<std::string> symbol_parameters(const Exporting& exporting) {
  std::vector<std::string> parts;
  for (const auto& symbol : exporting.symbols) parts.push_back("int64_t " + cpp_name(symbol));
  return parts;
}

std::vector<std::string> device_facts_used(const Exporting& exporting) {
  std::set<std::string> used;
  visit_expressions(exporting.candidate.plan, [&](const base::Expr& expr) {
    for (const auto& use : expr.symbols()) used.insert(use.name);
  });
  std::vector<std::string> facts;
  for (const auto& name : core::device_symbol_names)
    if (used.contains(name)) facts.push_back(name);
  return facts;
}

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

std::string bits_of(core::DType dtype, double value) {
  unsigned char bytes[8] = {};
  core::store_double(dtype, value, bytes);
  std::string out = "0x";
  for (std::size_t i = core::size_of(dtype); i > 0; --i) out += fmt::format("{:02x}", bytes[i - 1]);
  return out;
}

std::string number(double value, const char* type) {
  if (std::isnan(value)) return fmt::format("{}(NAN)", type);
  if (std::isinf(value)) return fmt::format("{}({}INFINITY)", type, value < 0 ? "-" : "");
  const std::string digits = fmt::format("{}", value);  // the shortest that reads back as the same double
  return fmt::format("{}({})", type, digits);
}

std::string about(const Exporting& exporting) {
  std::string point;
  for (const auto& [name, value] : exporting.point) point += fmt::format(" {}={}", name, value);
  return fmt::format("// {}: {}\n// Made by Hone from {} (candidate {}){}. Needs nothing of Hone.\n",
                     exporting.function, one_line(exporting.task.summary), one_line(exporting.candidate.name),
                     exporting.candidate.hash.substr(0, 16), point.empty() ? "" : " with" + point);
}

std::string filled(const std::string& resource, const std::map<std::string, std::string>& values) {
  const std::string text = base::resource(resource);
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('@', at);
    if (open == std::string::npos) return out + text.substr(at);
    const std::size_t close = text.find('@', open + 1);
    const auto value = close == std::string::npos ? values.end() : values.find(text.substr(open + 1, close - open - 1));
    if (value == values.end())
      base::fail(ExitCode::environment, "the resource {} has a gap that nothing fills, at character {}", resource,
                 open);
    out += text.substr(at, open - at) + value->second;
    at = close + 1;
  }
}

std::vector<ExportedFile> export_candidate(const core::Task& task, const core::Candidate& candidate,
                                           const core::Point& point) {
  core::Candidate checked = candidate;
  if (const auto problems = task::check_plan(checked.plan, task, candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  const Exporting exporting{task, checked, point, cpp_name(task.name), symbols_in_order(task)};
  if (candidate.language == core::Language::cuda) return export_cuda(exporting);
  if (candidate.language == core::Language::opencl) return export_opencl(exporting);
  base::fail(ExitCode::bad_input, "{} is {} source, for which there is no export", candidate.name,
             core::name_of(candidate.language));
}

}  // namespace hone::run
