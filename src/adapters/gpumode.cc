#include "adapters/gpumode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "adapters/task_key.h"
#include "adapters/toml_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "core/dtype.h"
#include "runner/oracle.h"
#include "runner/python.h"
#include "task/complaints.h"
#include "task/gpumode_task.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
using core::DType;
namespace fs = std::filesystem;

constexpr std::string_view word = "gpumode:";
// Hone's own bounds where there is one right answer: what the problem's check takes for right, or
// four times what the reference is off in its own precision, whichever is more; never under a few
// units in the last place.
constexpr double times_reference = 4, rms_of_max = 0.2, units = 4;
constexpr double rms_of_noise = 0.577;  // of its amplitude: it is drawn uniformly
constexpr double loosest = 0.25;

double unit_roundoff(DType dtype) {
  return dtype == DType::f16 ? 0x1p-11 : dtype == DType::bf16 ? 0x1p-8 : 0x1p-24;
}

std::string checked_name(const std::string& name) {
  if (const auto problem = task::name_problem(name); !problem.empty())
    base::fail(ExitCode::bad_input, "{}", problem);
  return name;
}

std::string case_name(bool test, std::size_t index) {
  return fmt::format("{}-{}", test ? "test" : "benchmark", index);
}

std::string label_of(const std::string& name) {
  std::string label;
  for (const unsigned char c : name.substr(0, 64))
    label += c < 0x80 && (std::isalnum(c) != 0 || c == '_') ? static_cast<char>(c) : '_';
  return label.empty() || label == "_" ? "problem" : label;
}

std::string extent(const std::string& tensor, std::size_t dimension) {
  return fmt::format("{}_{}", tensor, dimension);
}

// Extents in the order in which they lie in memory, which is what Hone's row-major shapes say.
std::vector<std::string> extents(const DescribedTensor& tensor) {
  std::vector<std::string> list;
  for (const std::size_t dimension : tensor.order) list.push_back(extent(tensor.name, dimension));
  return list;
}

std::string shape_text(const DescribedTensor& tensor) {
  std::string text;
  for (const auto& one : extents(tensor))
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", one);
  return "[" + (text.empty() ? "1" : text) + "]";
}

std::string bytes_text(const DescribedTensor& tensor) {
  std::string text = std::to_string(core::size_of(dtype_of(tensor)));
  for (const auto& one : extents(tensor)) text += " * " + one;
  return text;
}

// Without those that are there to be written.
std::vector<DescribedTensor> inputs_of(const DescribedProblem& described) {
  std::vector<DescribedTensor> inputs = described.inputs;
  std::erase_if(inputs, [&](const DescribedTensor& tensor) {
    return described.buffers.contains(tensor.name);
  });
  return inputs;
}

std::string input_text(const DescribedTensor& tensor, const DescribedProblem& described) {
  const std::string name = checked_name(tensor.name);
  const auto& independent = described.independent;
  const bool elements =
      std::find(independent.begin(), independent.end(), name) != independent.end();
  std::string variants;
  if (elements)
    for (const auto& variant : described.variants)
      variants += fmt::format("{}\"{}\"", variants.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {{ kind = \"problem\"{} "
      "}}\nvariants = [{}]\n\n",
      name, tensor.dtype, shape_text(tensor), elements ? ", independent = true" : "", variants);
}

std::string output_text(const DescribedTensor& tensor, double noise) {
  std::string text = fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                                 checked_name(tensor.name), tensor.dtype, shape_text(tensor));
  if (const DType type = dtype_of(tensor); core::is_float(type)) {
    const double least = units * unit_roundoff(type);
    const double max =
        std::min(loosest, std::max({least, noise, times_reference * tensor.error_max}));
    const double rms = std::min(max, std::max({rms_of_max * max, rms_of_noise * noise,
                                               times_reference * tensor.error_rms}));
    text += fmt::format("tolerance = {{ max = {:.3g}, rms = {:.3g} }}\n", max, rms);
  }
  return text + "\n";
}

bool is_whole(const base::RawJson& value) {
  return value.text.find_first_not_of("-0123456789") == std::string::npos;
}

// Integer arguments of generate_input that every case has, and whose names nothing else can have.
std::set<std::string> shared_arguments(const TaskYml& problem) {
  std::map<std::string, std::size_t> seen;
  for (const auto* group : {&problem.tests, &problem.benchmarks})
    for (const auto& arguments : *group)
      for (const auto& [name, value] : arguments) seen[name] += is_whole(value) ? 1 : 0;
  std::set<std::string> shared;
  for (const auto& [name, count] : seen)
    if (count == problem.tests.size() + problem.benchmarks.size() && name != "seed" &&
        name != "y" && !name.starts_with("y_") && !name.starts_with("in_") &&
        task::name_problem(name).empty())
      shared.insert(name);
  return shared;
}

// The kinds of operations that any case has, and the symbol for each; none where a case is not
// counted.
std::map<std::string, std::string> flops_of(const DescribedProblem& described) {
  std::map<std::string, std::string> symbols;
  for (const auto& one : described.cases) {
    if (one.flops.empty()) return {};
    for (const auto& [kind, operations] : one.flops)
      symbols[kind] = checked_name("work_flops_" + kind);
  }
  return symbols;
}

// Symbols of a case: the extents of all tensors, the integers inside the input, and arguments of
// generate_input.
std::string bindings_text(const DescribedProblem::Case& which, const Arguments& arguments,
                          const std::set<std::string>& shared,
                          const std::map<std::string, std::string>& flops) {
  std::map<std::string, std::int64_t> symbols;
  for (const auto* group : {&which.inputs, &which.outputs})
    for (const auto& [name, shape] : *group)
      for (std::size_t i = 0; i < shape.size(); ++i)
        symbols[checked_name(extent(name, i))] = shape[i];
  for (const auto& [name, value] : which.integers) symbols[checked_name(name)] = value;
  for (const auto& name : shared) symbols.emplace(name, whole(arguments.at(name)));
  for (const auto& [kind, symbol] : flops)
    symbols[symbol] = which.flops.contains(kind) ? which.flops.at(kind) : 0;
  std::string text;
  for (const auto& [name, value] : symbols)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "one = 1" : text;
}

std::string work_text(const DescribedProblem& described) {
  std::string bytes;
  std::vector<DescribedTensor> tensors = inputs_of(described);
  tensors.insert(tensors.end(), described.outputs.begin(), described.outputs.end());
  for (const auto& tensor : tensors) bytes += (bytes.empty() ? "" : " + ") + bytes_text(tensor);
  std::set<std::string> uncounted;
  for (const auto& one : described.cases)
    uncounted.insert(one.uncounted.begin(), one.uncounted.end());
  return fmt::format("[work]\nbytes = \"{}\"\n", bytes) +
         operations_text(flops_of(described), {uncounted.begin(), uncounted.end()});
}

// The input's code with what the worker has for its buffers.
task::Coded with_buffers(task::Coded code, const DescribedProblem& described) {
  if (code.kind == "tensor" && described.buffers.contains(code.name())) code.kind = "buffer";
  for (auto& part : code.parts) part = with_buffers(std::move(part), described);
  return code;
}

// The cases' arguments by the cases' names.
const Arguments& arguments_of(const TaskYml& problem, std::size_t which) {
  const std::size_t tests = problem.tests.size();
  return which < tests ? problem.tests[which] : problem.benchmarks.at(which - tests);
}

}  // namespace

std::optional<fs::path> gpumode_folder(const std::string& text) {
  if (!text.starts_with(word)) return std::nullopt;
  if (text.size() == word.size())
    base::fail(ExitCode::usage,
               "{}: the folder of a problem follows, as in gpumode:problems/pmpp_v2/sort_py", text);
  return text.substr(word.size());
}

std::string gpumode_toml(const TaskYml& problem, const DescribedProblem& described) {
  std::string toml = fmt::format(
      "# Made by Hone of a problem of GPU MODE, with torch {}.\nhone = 1\nname = \"{}\"\nsummary = "
      "{}\n\n",
      described.torch, label_of(problem.name), toml_string(problem.summary));
  for (const auto& tensor : inputs_of(described)) toml += input_text(tensor, described);
  for (const auto& [name, value] : described.numbers)
    toml += fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"f32\"\nvalue = {:.17g}\n\n",
                        checked_name(name), value);
  for (const auto& tensor : described.outputs) toml += output_text(tensor, described.noise);
  const auto shared = shared_arguments(problem);
  for (std::size_t i = 0; i < described.cases.size(); ++i) {
    const Arguments& arguments = arguments_of(problem, i);
    toml += fmt::format("[[case]]  # {}\nname = \"{}\"\nbind = {{ {} }}\n{}\n",
                        base::json_line(arguments), described.cases[i].name,
                        bindings_text(described.cases[i], arguments, shared, flops_of(described)),
                        i < problem.tests.size() ? "use = \"check\"\n" : "");
  }
  return toml + work_text(described);
}

namespace {

void describe_known(base::Fields& f, const DescribedProblem& described) {
  std::vector<std::string> buffers;
  for (const auto& [name, output] : described.buffers) buffers.push_back(name);
  f("buffers", std::move(buffers));
  f("double", described.in_double)("unique", described.unique);
  f.group("orders", [&] {
    for (const auto& tensor : described.inputs) f(tensor.name, tensor.order);
  });
  f.group("output", [&] {
    f("code", described.output);
    f.group("facts", [&] {
      for (const auto& tensor : described.outputs) f(tensor.name, tensor.facts);
    });
  });
  f("notes", described.notes);
}

}  // namespace

std::string gpumode_problem(const TaskYml& problem, const DescribedProblem* described) {
  std::map<std::string, Arguments> cases;
  std::vector<std::string> tests, benchmarks;
  for (std::size_t i = 0; i < problem.tests.size(); ++i) tests.push_back(case_name(true, i));
  for (std::size_t i = 0; i < problem.benchmarks.size(); ++i)
    benchmarks.push_back(case_name(false, i));
  for (std::size_t i = 0; i < tests.size(); ++i) cases[tests[i]] = problem.tests[i];
  for (std::size_t i = 0; i < benchmarks.size(); ++i) cases[benchmarks[i]] = problem.benchmarks[i];
  return base::write_json(
      [&](base::Fields& f) {
        f("files", problem.files)("cases", cases)("tests", tests)("benchmarks", benchmarks);
        f("ranking", problem.ranking)("seconds", problem.test_timeout);
        if (described != nullptr) describe_known(f, *described);
      },
      1);
}

std::string gpumode_interface(const TaskYml& problem, const DescribedProblem& described) {
  task::Interface interface;
  std::map<std::string, DescribedTensor> buffers;
  for (const auto* group : {&described.inputs, &described.outputs})
    for (const auto& tensor : *group) {
      const auto& [name, order] = std::tie(tensor.name, tensor.order);
      if (described.buffers.contains(name)) {
        buffers[name] = tensor;
        continue;
      }
      if (order.empty()) interface.shapes[name] = {};
      if (!std::is_sorted(order.begin(), order.end())) interface.orders[name] = order;
      if (tensor.type == "bool")
        interface.bools.push_back(name);
      else if (!tensor.type.empty())
        interface.types[name] = tensor.type;
    }
  const std::string& output = described.output.kind;
  // What submissions import. Not what holds the answer, or the official evaluator.
  auto files = problem.files;
  files.erase("reference.py");
  files.erase("eval.py");
  return base::write_json(
      [&](base::Fields& f) {
        f("entry", "custom_kernel")("files", files);
        f("arguments", std::vector{with_buffers(described.input, described)});
        f("bools", interface.bools)("shapes", interface.shapes)("orders", interface.orders);
        f("types", interface.types);
        f.group("buffers", [&] {
          for (const auto& [name, tensor] : buffers)
            f.group(name, [&, &tensor = tensor, &of = described.buffers.at(name)] {
              f.value(tensor.facts);
              f("of", of);
            });
        });
        f("sequence", output == "tuple" || output == "list");
        f("any_float", true);  // its official check takes any type whose values are right
      },
      1);
}

fs::path gpumode_task(const fs::path& folder, const std::function<void(const std::string&)>& say) {
  const TaskYml problem = read_task_yml(folder);
  const std::string unasked = gpumode_problem(problem, nullptr);
  const std::string label = label_of(problem.name);
  const fs::path made =
      base::home_folder() / "tasks" / "gpumode" /
      fmt::format("{}-{}", label, task_key("gpumode 2", {unasked, problem.summary}));
  std::error_code ec;
  if (fs::is_regular_file(made / "task.toml", ec)) return made;
  core::Task asked;
  asked.name = label;
  asked.folder = folder;
  asked.reference_py = problem.files.at("reference.py");
  task::set_gpumode(asked, {.problem = unasked, .seconds = problem.test_timeout});
  if (say)
    say(fmt::format(
        "asking the reference of {} for its {} cases, once for this problem: seconds, or minutes",
        label, problem.tests.size() + problem.benchmarks.size()));
  const auto progress = [&](const std::string& text) {
    if (say) say(fmt::format("asking the reference of {}: {}", label, text));
  };
  const auto said = described<DescribedProblem>(
      runner::describe_python(asked, runner::find_python(), runner::describe_seconds, progress),
      label);
  const std::string toml = gpumode_toml(problem, said);
  base::make_folder(made);
  base::write_file_atomically(made / "reference.py", problem.files.at("reference.py"));
  base::write_file_atomically(made / "problem.json", gpumode_problem(problem, &said));
  base::write_file_atomically(made / "interface.json", gpumode_interface(problem, said));
  base::write_file_atomically(made / "task.toml", toml);  // last: it says that the folder is whole
  return made;
}

}  // namespace hone::adapters
