#include "export/exporting.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::exports {
namespace {

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

}  // namespace

std::vector<std::string> symbols_in_order(const core::Task& task) {
  std::vector<std::string> order;
  const auto& bound = task.cases.front().bindings;
  const auto add = [&](const std::string& name) {
    if (bound.contains(name) && std::find(order.begin(), order.end(), name) == order.end())
      order.push_back(name);
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

std::vector<std::string> kernels_of(const core::Plan& plan) {
  std::vector<std::string> names;
  for (const auto& launch : plan.launches)
    if (std::find(names.begin(), names.end(), launch.kernel) == names.end())
      names.push_back(launch.kernel);
  return names;
}

std::vector<base::Expr> expressions(const std::vector<core::PlanExpr>& list) {
  std::vector<base::Expr> out;
  for (const auto& item : list) out.push_back(item.expr);
  return out;
}

std::string about(const Exporting& exporting, const char* mark) {
  std::string point;
  for (const auto& [name, value] : exporting.point) point += fmt::format(" {}={}", name, value);
  return fmt::format(
      "{0} {1}: {2}\n{0} Made by Hone from {3} (candidate {4}){5}. Needs nothing of Hone.\n", mark,
      exporting.function, one_line(exporting.task.summary), one_line(exporting.candidate.name),
      exporting.candidate.hash.substr(0, 16), point.empty() ? "" : " with" + point);
}

}  // namespace hone::exports
