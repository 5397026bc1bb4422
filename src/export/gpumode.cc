// The export for GPU MODE: a submission with custom_kernel. Its cases differ, so the plan's
// expressions stay, over extents that are read from the input. Where tensors lie in the input, and
// what is given back, the task's interface.json and problem.json say.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "export/formats.h"
#include "export/light_loader.h"
#include "export/python_plan.h"
#include "export/python_text.h"
#include "export/rules.h"
#include "export/templates.h"
#include "task/interface.h"

namespace hone::exports {
namespace {

using base::ExitCode;
using Code = std::map<std::string, std::string>;  // Python, by the name of what it gives

constexpr std::uint64_t largest_description = 16u << 20;

struct Layout {
  task::Interface interface;
  task::Coded output;  // how the result is put together
  Code tensors, buffers, numbers;
};

// Where the named parts of a value lie, as Python over `path`.
void find_parts(const task::Coded& code, const std::string& path, Layout& layout) {
  if (code.kind == "tensor") layout.tensors[code.name()] = path;
  if (code.kind == "buffer") layout.buffers[code.name()] = path;
  if (code.kind == "scalar" || code.kind == "flag") layout.numbers[code.name()] = path;
  for (std::size_t i = 0; i < code.parts.size(); ++i)
    find_parts(
        code.parts[i],
        fmt::format("{}[{}]", path, code.kind == "dict" ? code.keys[i].text : std::to_string(i)),
        layout);
}

Layout layout_of(const Exporting& exporting) {
  const core::Task& task = exporting.task;
  const auto file = task.folder / "problem.json";
  std::error_code ec;
  if (!task.interface || !std::filesystem::is_regular_file(file, ec))
    base::fail(ExitCode::bad_input, "task {} is no problem of GPU MODE", task.name);
  Layout layout;
  try {
    layout.interface = task::interface_of(task);
    base::read_json(base::read_file(file, largest_description),
                    [&](base::Fields& f) { f.group("output", [&] { f("code", layout.output); }); });
  } catch (const base::Error& error) {
    base::fail(ExitCode::bad_input, "{} or interface.json beside it cannot be read: {}",
               file.string(), error.what());
  }
  const auto& arguments = layout.interface.arguments;
  if (!arguments || arguments->empty())
    base::fail(ExitCode::bad_input, "the interface.json of task {} has no arguments", task.name);
  find_parts(arguments->front(), "data", layout);
  return layout;
}

std::vector<std::size_t> order_of(const Layout& layout, const std::string& name, std::size_t rank) {
  const auto found = layout.interface.orders.find(name);
  if (found != layout.interface.orders.end()) return found->second;
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  return order;
}

bool is_number(const Layout& layout, const std::string& name) {
  return layout.interface.shapes.contains(name);
}

std::size_t rank_of(const Layout& layout, const std::string& name,
                    const std::vector<base::Expr>& shape) {
  return is_number(layout, name) ? 0 : shape.size();
}

template <typename List>
std::string tuple_text(const List& list) {
  std::string text;
  for (const auto& one : list) text += fmt::format("{}, ", one);
  return "(" + text + ")";
}

std::string type_of(const Layout& layout, const std::string& name, core::DType dtype) {
  const auto found = layout.interface.types.find(name);
  if (found != layout.interface.types.end()) return "torch." + found->second;
  return layout.interface.is_bool(name) ? "torch.bool" : torch_type(dtype);
}

// The buffer inside the input that an output belongs into; "": none.
std::string buffer_of(const Layout& layout, const std::string& output) {
  for (const auto& [name, of] : layout.interface.buffers)
    if (of == output && layout.buffers.contains(name)) return layout.buffers.at(name);
  return "";
}

// Python for every symbol that the input tells: extents of its tensors and integers in it.
Code told_symbols(const Exporting& exporting, const Layout& layout) {
  Code told;
  const auto extents = [&](const std::string& name, const std::string& path) {
    for (std::size_t i = 0; i < 16; ++i)
      if (exporting.task.cases.front().bindings.contains(fmt::format("{}_{}", name, i)))
        told[fmt::format("{}_{}", name, i)] = fmt::format("{}.shape[{}]", path, i);
  };
  for (const auto& [name, path] : layout.tensors) extents(name, path);
  for (const auto& output : exporting.task.outputs)
    if (const std::string path = buffer_of(layout, output.name);
        !path.empty() && !is_number(layout, output.name))
      extents(output.name, path);
  for (const auto& [name, path] : layout.numbers)
    if (exporting.task.cases.front().bindings.contains(name))
      told[name] = fmt::format("int({})", path);
  return told;
}

bool agree(const core::Task& task, const std::string& one, const std::string& other) {
  return std::all_of(task.cases.begin(), task.cases.end(), [&](const core::Case& which) {
    return which.bindings.contains(other) && which.bindings.at(one) == which.bindings.at(other);
  });
}

// Definitions of the symbols in use. One that the input does not tell is told by one that equals it
// in every case.
std::string definitions(const Exporting& exporting, const Layout& layout,
                        const std::set<std::string>& used, base::Bindings& known) {
  const core::Task& task = exporting.task;
  const Code told = told_symbols(exporting, layout);
  std::string out;
  for (const auto& [symbol, value] : task.cases.front().bindings) {
    if (!used.contains(symbol)) continue;
    auto found = told.find(symbol);
    if (found == told.end())
      found = std::find_if(told.begin(), told.end(),
                           [&](const auto& one) { return agree(task, symbol, one.first); });
    const bool fixed =
        std::all_of(task.cases.begin(), task.cases.end(),
                    [&, &symbol = symbol, &value = value](const auto& which) {
                      return which.bindings.contains(symbol) && which.bindings.at(symbol) == value;
                    });
    if (found != told.end())
      out += fmt::format("{} = {}\n", python_name(symbol), found->second);
    else if (fixed)
      known[symbol] = value;
    else
      base::fail(
          ExitCode::bad_input,
          "the symbol {} is no extent and no number of the input, and differs from case to case: a "
          "submission cannot know it. Write the plan with extents of the inputs ({})",
          symbol, told.empty() ? "there are none" : told.begin()->first + ", ...");
  }
  for (const auto& scalar : task.scalars)
    if (scalar.expression && used.contains(scalar.name))
      out += fmt::format(
          "{} = {}\n", python_name(scalar.name),
          scalar.expression->to_python([](const std::string& name) { return python_name(name); }));
  return out;
}

std::string output_line(const Layout& layout, const core::Output& output, const PythonPlan& plan,
                        const std::string& device) {
  const std::string name = python_name(output.name),
                    type = type_of(layout, output.name, output.dtype);
  if (const std::string path = buffer_of(layout, output.name); !path.empty())
    return fmt::format("{} = _hone_tensor({}, \"{}\", {}, {})\n", name, path, output.name, type,
                       is_number(layout, output.name)
                           ? fmt::format("range({}.dim())", path)
                           : tuple_text(order_of(layout, output.name, output.shape.size())));
  return fmt::format("{} = torch.empty({}, dtype={}, device={})\n", name,
                     is_number(layout, output.name) ? "()" : plan.shape(output.shape), type,
                     device);
}

// A result as it is given back: with the dimensions in the problem's own order.
std::string given_back(const Layout& layout, const core::Output& output) {
  const std::string name = python_name(output.name);
  if (is_number(layout, output.name)) return name + ".reshape(())";
  const auto order = order_of(layout, output.name, output.shape.size());
  if (std::is_sorted(order.begin(), order.end())) return name;
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  return fmt::format("{}.permute({})", name, tuple_text(back));
}

std::string result_text(const task::Coded& code, const Code& results) {
  if (code.kind == "tensor") return results.at(code.name());
  std::string text;
  for (std::size_t i = 0; i < code.parts.size(); ++i)
    text += (code.kind == "dict" ? code.keys[i].text + ": " : "") +
            result_text(code.parts[i], results) + ", ";
  if (code.kind == "dict") return "{" + text + "}";
  if (code.kind == "list") return "[" + text + "]";
  return code.kind == "tuple" ? "(" + text + ")" : "None";
}

}  // namespace

std::vector<ExportedFile> export_gpumode(const Exporting& exporting) {
  const core::Task& task = exporting.task;
  const Layout layout = layout_of(exporting);
  std::set<std::string> used = symbols_used(exporting.candidate.plan);
  for (const auto& output : task.outputs)
    if (buffer_of(layout, output.name).empty())
      for (const auto& extent : output.shape)
        for (const auto& use : extent.symbols()) used.insert(use.name);
  for (const auto& scalar : task.scalars)
    if (scalar.expression && used.contains(scalar.name))
      for (const auto& use : scalar.expression->symbols()) used.insert(use.name);
  base::Bindings known;
  for (const auto& [name, value] : exporting.point) known[name] = value;
  std::string body = definitions(exporting, layout, used, known);
  const PythonPlan plan(exporting, ExportFormat::gpumode, known);

  if (layout.tensors.empty())
    base::fail(ExitCode::bad_input, "the input of {} has no tensor", task.name);
  const std::string device = layout.tensors.begin()->second + ".device";
  for (const auto& input : task.inputs) {
    if (!layout.tensors.contains(input.name))
      base::fail(ExitCode::bad_input, "interface.json does not say where the tensor {} lies",
                 input.name);
    body += fmt::format(
        "{} = _hone_tensor({}, \"{}\", {}, {})\n", python_name(input.name),
        layout.tensors.at(input.name), input.name, type_of(layout, input.name, input.dtype),
        tuple_text(order_of(layout, input.name, rank_of(layout, input.name, input.shape))));
  }
  Code results;
  for (const auto& output : task.outputs) {
    body += output_line(layout, output, plan, device);
    results[output.name] = given_back(layout, output);
  }
  body += plan.body(device, [&](const std::string& scalar) {
    return layout.numbers.contains(scalar) ? layout.numbers.at(scalar) : "";
  });
  Gaps gaps = {{"", "@"},
               {"leaderboard", exporting.function},
               {"about", about(exporting, "#")},
               {"loader", pasted_loader(ExportFormat::gpumode, "", "hone_light = _hone_light()\n")},
               {"preamble", plan.preamble()},
               {"helpers", plan.helpers(body)},
               {"body", indented(body, "    ")},
               {"result", result_text(layout.output, results)}};
  ExportedFile file{exporting.function + "_gpumode.py",
                    without_refused_words(filled("export/gpumode.py", gaps), ExportFormat::gpumode),
                    {}};
  return {file};
}

}  // namespace hone::exports
