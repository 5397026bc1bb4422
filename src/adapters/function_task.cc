#include "adapters/function_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/toml_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
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

std::string input_text(const DescribedTensor& tensor) {
  std::string variants;
  for (const auto& variant : tensor.variants)
    variants += fmt::format("{}\"{}\"", variants.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {}\n{}\n",
      checked_name(tensor.name), core::name_of(dtype_of(tensor)), shape_text(tensor.shape),
      draw_text(tensor.draw, toml_string(tensor.draw.why)),
      core::is_float(dtype_of(tensor)) ? fmt::format("variants = [{}]\n", variants) : "");
}

std::string output_text(const DescribedTensor& tensor) {
  const DType dtype = dtype_of(tensor);
  std::string text =
      fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                  checked_name(tensor.name), core::name_of(dtype), shape_text(tensor.shape));
  if (core::is_float(dtype)) {
    const Tolerance least = least_tolerance(dtype);
    const double max =
        std::min(loosest_max, std::max(least.max, times_reference * tensor.error_max));
    const double rms =
        std::min({max, loosest_rms, std::max(least.rms, times_reference * tensor.error_rms)});
    text += fmt::format("tolerance = {{ max = {:.2g}, rms = {:.2g} }}\n", max, rms);
  }
  return text + "\n";
}

double number(const base::RawJson& value) {
  const auto read = base::from_json<double>(value.text);
  if (!read) base::fail(ExitCode::bad_input, "a scalar is no number: {}", read.error());
  return *read;
}

std::string scalar_text(const DescribedScalar& scalar) {
  const std::string name = checked_name(scalar.name);
  return scalar.integer
             ? fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"i64\"\nvalue = {}\n\n", name,
                           term(scalar.value))
             : fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"f32\"\nvalue = {:.17g}\n\n", name,
                           number(scalar.value));
}

std::string case_text(const DescribedFunction::Case& which) {
  std::string bindings;
  for (const auto& [symbol, value] : which.bind)
    bindings += fmt::format("{}{} = {}", bindings.empty() ? "" : ", ", checked_name(symbol), value);
  return which.name.empty()
             ? fmt::format("[[case]]  # the size of the example inputs\nbind = {{ {} }}\n\n",
                           bindings)
             : fmt::format(
                   "[[case]]  # proposed; remove it where candidates need not do such sizes\n"
                   "name = {}\nbind = {{ {} }}\nuse = \"check\"\n\n",
                   toml_string(which.name), bindings);
}

// Each input read once, each output written once.
std::string work_text(const DescribedFunction& described) {
  std::string bytes;
  for (const auto* group : {&described.inputs, &described.outputs})
    for (const auto& tensor : *group) {
      const DType dtype = dtype_of(tensor);
      bytes += fmt::format("{}{}", bytes.empty() ? "" : " + ", core::size_of(dtype));
      for (const auto& extent : tensor.shape) {
        const auto expression = base::from_json<std::string>(extent.text);
        const std::string text = expression ? *expression : extent.text;
        bytes +=
            text.find_first_of(" +-") == std::string::npos ? " * " + text : " * (" + text + ")";
      }
    }
  return fmt::format("[work]\nbytes = {}\n", toml_string(bytes)) +
         operations_text(described.flops, described.uncounted);
}

// `example_inputs` as a function of reference.py, where it was given as an expression.
std::string with_example(const std::string& source, const std::string& expression) {
  if (expression.empty()) return source;
  return source + (source.ends_with('\n') ? "" : "\n") +
         "\n\ndef example_inputs():\n    import numpy\n    import numpy as np\n    import torch\n  "
         "  return " +
         expression + "\n";
}

runner::FunctionQuestion question_of(const FunctionTaskRequest& request, const std::string& source,
                                     const std::string& kernel) {
  runner::FunctionQuestion question;
  question.source = source;
  question.file =
      (request.reference.empty() ? request.from : request.reference).filename().string();
  question.function = request.function;
  question.example = request.example;
  if (request.from.extension() != ".py") return question;
  question.kernel = request.reference.empty() ? source : kernel;
  question.kernel_file = request.from.filename().string();
  question.entry = request.entry;
  return question;
}

}  // namespace

std::pair<fs::path, std::string> file_and_function(const std::string& text) {
  const auto at = text.rfind(".py:");
  if (at == std::string::npos || at + 4 == text.size()) return {text, ""};
  return {text.substr(0, at + 3), text.substr(at + 4)};
}

std::string function_toml(const std::string& name, const DescribedFunction& described,
                          double seconds) {
  std::string toml = fmt::format(
      "# Made by `hone task new --from` of the function {} in reference.py, with torch {}. All of "
      "it may be changed.\n"
      "hone = 1\nname = \"{}\"\nsummary = {}\n\n"
      "[reference]  # the truth; interface.json says how it, and candidates in Python, are called\n"
      "function = {}\ninputs = {}  # draws what has draw = {{ kind = \"problem\" }}\nseconds = "
      "{:.3g}  # that a call may take\n",
      described.function, described.torch, name, toml_string(described.summary),
      toml_string(described.function), toml_string(described.inputs_function), seconds);
  if (described.numpy) toml += "numpy = true  # it takes and gives arrays of NumPy's\n";
  if (!described.in_double) toml += "double = false  # it cannot compute in double precision\n";
  toml += "\n";
  for (const auto& tensor : described.inputs) toml += input_text(tensor);
  for (const auto& scalar : described.scalars) toml += scalar_text(scalar);
  for (const auto& tensor : described.outputs) toml += output_text(tensor);
  for (const auto& which : described.cases) toml += case_text(which);
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
  const auto said = described<DescribedFunction>(
      runner::describe_function(question_of(request, own, kernel), file.string(),
                                runner::find_python(), request.seconds, say),
      file.string());
  const std::string toml = function_toml(name, said, request.seconds),
                    interface = base::json_text(said.interface, 1);
  core::Task made;
  made.reference_py = source;
  made.interface = interface;
  made.folder = request.folder;
  if (const auto wrong = task::parse_task(toml, "task.toml", made); !wrong.empty())
    base::fail(ExitCode::bad_input, "{}: no task can be made of it: {}", file.string(),
               wrong.front().message);
  FunctionTask result;
  result.notes = said.notes;
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
