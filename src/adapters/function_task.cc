#include "adapters/function_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapters/toml_text.h"
#include "base/error.h"
#include "base/files.h"
#include "core/dtype.h"
#include "runner/oracle.h"
#include "runner/python.h"
#include "task/complaints.h"
#include "task/task_new.h"
#include "task/task_parser.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
using core::DType;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_source = 1u << 20;
// Tolerances: several times what the reference is off by in its own precision, and never under a
// few roundings.
constexpr double times_reference = 8, loosest_max = 0.25, loosest_rms = 0.1;

struct Tolerance {
  double max, rms;
};

Tolerance least_tolerance(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return {1e-12, 1e-13};
    case DType::f16:
      return {4 * 0x1p-11, 0x1p-11};
    case DType::bf16:
      return {4 * 0x1p-8, 0x1p-8};
    default:
      return {2e-5, 2e-6};
  }
}

std::string checked_name(const std::string& name) {
  if (const auto problem = task::name_problem(name); !problem.empty())
    base::fail(ExitCode::bad_input, "{}: give the argument of the reference another name", problem);
  return name;
}

DType dtype_of(const json& tensor) {
  const auto dtype = core::dtype_from(tensor.at("dtype").get<std::string>());
  if (!dtype)
    base::fail(ExitCode::bad_input, "a tensor of the reference has the type {}",
               tensor.at("dtype").dump());
  return *dtype;
}

// Expressions in quotes, numbers without.
std::string term(const json& value) {
  return value.is_string() ? toml_string(value.get<std::string>()) : value.dump();
}

std::string shape_text(const json& shape) {
  std::string text;
  for (const auto& extent : shape) text += (text.empty() ? "" : ", ") + term(extent);
  return "[" + (text.empty() ? "1" : text) + "]";  // a single number is a tensor of one
}

std::string draw_text(const json& draw) {
  const std::string kind = draw.at("kind");
  if (kind == "problem")
    return fmt::format("{{ kind = \"problem\"{}, why = {} }}",
                       draw.value("independent", false) ? ", independent = true" : "",
                       toml_string(draw.value("why", std::string())));
  if (kind == "integers")
    return fmt::format("{{ kind = \"integers\", low = {}, high = {} }}", term(draw.at("low")),
                       term(draw.at("high")));
  const double a = draw.at("a"), b = draw.at("b");
  return kind == "uniform"
             ? fmt::format("{{ kind = \"uniform\", low = {:.9g}, high = {:.9g} }}", a, b)
             : fmt::format("{{ kind = \"normal\", mean = {:.9g}, std = {:.9g} }}", a, b);
}

std::string input_text(const json& tensor) {
  std::string variants;
  for (const std::string variant : tensor.at("variants"))
    variants += fmt::format("{}\"{}\"", variants.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {}\n{}\n",
      checked_name(tensor.at("name")), core::name_of(dtype_of(tensor)),
      shape_text(tensor.at("shape")), draw_text(tensor.at("draw")),
      core::is_float(dtype_of(tensor)) ? fmt::format("variants = [{}]\n", variants) : "");
}

std::string output_text(const json& tensor) {
  const DType dtype = dtype_of(tensor);
  std::string text = fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                                 checked_name(tensor.at("name")), core::name_of(dtype),
                                 shape_text(tensor.at("shape")));
  if (core::is_float(dtype)) {
    const Tolerance least = least_tolerance(dtype);
    const double max = std::min(
        loosest_max, std::max(least.max, times_reference * tensor.at("error_max").get<double>()));
    const double rms =
        std::min({max, loosest_rms,
                  std::max(least.rms, times_reference * tensor.at("error_rms").get<double>())});
    text += fmt::format("tolerance = {{ max = {:.2g}, rms = {:.2g} }}\n", max, rms);
  }
  return text + "\n";
}

std::string scalar_text(const json& scalar) {
  const std::string name = checked_name(scalar.at("name"));
  return scalar.at("integer").get<bool>()
             ? fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"i64\"\nvalue = {}\n\n", name,
                           term(scalar.at("value")))
             : fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"f32\"\nvalue = {:.17g}\n\n", name,
                           scalar.at("value").get<double>());
}

std::string case_text(const json& which) {
  std::string bindings;
  for (const auto& [symbol, value] : which.at("bind").items())
    bindings += fmt::format("{}{} = {}", bindings.empty() ? "" : ", ", checked_name(symbol),
                            value.get<std::int64_t>());
  const std::string name = which.at("name");
  return name.empty()
             ? fmt::format("[[case]]  # the size of the example inputs\nbind = {{ {} }}\n\n",
                           bindings)
             : fmt::format(
                   "[[case]]  # proposed; remove it where candidates need not do such sizes\n"
                   "name = {}\nbind = {{ {} }}\nuse = \"check\"\n\n",
                   toml_string(name), bindings);
}

// Each input read once, each output written once.
std::string work_text(const json& described) {
  std::string bytes;
  std::string kind = "f32";
  for (const char* group : {"inputs", "outputs"})
    for (const auto& tensor : described.at(group)) {
      const DType dtype = dtype_of(tensor);
      if (dtype == DType::f16 || dtype == DType::bf16 || dtype == DType::f64)
        kind = core::name_of(dtype);
      bytes += fmt::format("{}{}", bytes.empty() ? "" : " + ", core::size_of(dtype));
      for (const auto& extent : tensor.at("shape")) {
        const std::string text = extent.is_string() ? extent.get<std::string>() : extent.dump();
        bytes +=
            text.find_first_of(" +-") == std::string::npos ? " * " + text : " * (" + text + ")";
      }
    }
  std::string text = fmt::format("[work]\nbytes = {}\n", toml_string(bytes));
  if (const std::string flops = described.at("flops"); !flops.empty())
    text +=
        fmt::format("flops = {{ {} = {} }}  # of products and convolutions, as torch counts them\n",
                    kind, toml_string(flops));
  return text;
}

// `example_inputs` as a function of reference.py, where it was given as an expression.
std::string with_example(const std::string& source, const std::string& expression) {
  if (expression.empty()) return source;
  return source + (source.ends_with('\n') ? "" : "\n") +
         "\n\ndef example_inputs():\n    import numpy\n    import numpy as np\n    import torch\n  "
         "  return " +
         expression + "\n";
}

json question_of(const FunctionTaskRequest& request, const std::string& source,
                 const std::string& kernel) {
  json question = {
      {"source", source},
      {"file", (request.reference.empty() ? request.from : request.reference).filename().string()},
      {"reference_function", request.function},
      {"example", request.example}};
  if (request.from.extension() != ".py") return question;
  question["kernel"] = request.reference.empty() ? source : kernel;
  question["kernel_file"] = request.from.filename().string();
  question["entry"] = request.entry;
  return question;
}

}  // namespace

std::pair<fs::path, std::string> file_and_function(const std::string& text) {
  const auto at = text.rfind(".py:");
  if (at == std::string::npos || at + 4 == text.size()) return {text, ""};
  return {text.substr(0, at + 3), text.substr(at + 4)};
}

std::string function_toml(const std::string& name, const json& described, double seconds) {
  const std::string function = described.at("function");
  std::string toml = fmt::format(
      "# Made by `hone task new --from` of the function {} in reference.py, with torch {}. All of "
      "it may be changed.\n"
      "hone = 1\nname = \"{}\"\nsummary = {}\n\n"
      "[reference]  # the truth; interface.json says how it, and candidates in Python, are called\n"
      "function = {}\ninputs = {}  # draws what has draw = {{ kind = \"problem\" }}\nseconds = "
      "{:.3g}  # that a call may take\n",
      function, described.at("torch").get<std::string>(), name,
      toml_string(described.at("summary")), toml_string(function),
      toml_string(described.at("inputs_function")), seconds);
  if (described.at("numpy").get<bool>())
    toml += "numpy = true  # it takes and gives arrays of NumPy's\n";
  if (!described.at("double").get<bool>())
    toml += "double = false  # it cannot compute in double precision\n";
  toml += "\n";
  for (const auto& tensor : described.at("inputs")) toml += input_text(tensor);
  for (const auto& scalar : described.at("scalars")) toml += scalar_text(scalar);
  for (const auto& tensor : described.at("outputs")) toml += output_text(tensor);
  for (const auto& which : described.at("cases")) toml += case_text(which);
  return toml + work_text(described);
}

FunctionTask write_function_task(const FunctionTaskRequest& request,
                                 const std::function<void(const std::string&)>& say) {
  const std::string name = task::name_for_new_task(request.folder),
                    ending = request.from.extension().string();
  if (ending != ".py" && ending != ".cu" && ending != ".cl")
    base::fail(ExitCode::bad_input, "{}: a task starts from a .py, .cu or .cl file",
               request.from.string());
  if (request.reference.empty() && ending != ".py")
    base::fail(ExitCode::usage,
               "--example is about a reference in Python: give one with --reference");
  const fs::path file = request.reference.empty() ? request.from : request.reference;
  const std::string kernel = base::read_file(request.from, largest_source),
                    own = base::read_file(file, largest_source),
                    source = with_example(own, request.example);
  if (say)
    say(fmt::format("asking {} about its function, its example inputs and other sizes",
                    file.string()));
  const json described = runner::describe_function(question_of(request, own, kernel), file.string(),
                                                   runner::find_python(), request.seconds, say);
  const std::string toml = function_toml(name, described, request.seconds),
                    interface = described.at("interface").dump(1) + "\n";
  core::Task made;
  made.reference_py = source;
  made.interface = interface;
  made.folder = request.folder;
  if (const auto wrong = task::parse_task(toml, "task.toml", made); !wrong.empty())
    base::fail(ExitCode::bad_input, "{}: no task can be made of it: {}", file.string(),
               wrong.front().message);
  FunctionTask result;
  result.notes = described.at("notes").get<std::vector<std::string>>();
  const std::string seed = ending == ".py" ? kernel : task::seed_for(request.from, made);
  if (ending != ".py" && seed.find("\"?\"") != std::string::npos)
    result.notes.push_back(
        fmt::format("seed{} is your kernel with a launch plan before it; where that says \"?\", "
                    "only you can decide",
                    ending));
  result.files = task::write_task_files(request.folder, {{"task.toml", toml},
                                                         {"reference.py", source},
                                                         {"interface.json", interface},
                                                         {"seed" + ending, seed}});
  return result;
}

}  // namespace hone::adapters
