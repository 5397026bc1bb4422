#include "adapters/gpumode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "adapters/task_key.h"
#include "adapters/toml_text.h"
#include "base/error.h"
#include "base/files.h"
#include "core/dtype.h"
#include "runner/oracle.h"
#include "runner/python.h"
#include "task/complaints.h"
#include "task/gpumode_task.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
using core::DType;
using nlohmann::json;
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
std::vector<std::string> extents(const json& tensor) {
  std::vector<std::string> list;
  for (const std::size_t dimension : tensor.at("order"))
    list.push_back(extent(tensor.at("name"), dimension));
  return list;
}

std::string shape_text(const json& tensor) {
  std::string text;
  for (const auto& one : extents(tensor))
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", one);
  return "[" + (text.empty() ? "1" : text) + "]";
}

DType dtype_of(const json& tensor) {
  const auto dtype = core::dtype_from(tensor.at("dtype").get<std::string>());
  if (!dtype)
    base::fail(ExitCode::bad_input, "a tensor of the problem has the type {}",
               tensor.at("dtype").dump());
  return *dtype;
}

std::string bytes_text(const json& tensor) {
  std::string text = std::to_string(core::size_of(dtype_of(tensor)));
  for (const auto& one : extents(tensor)) text += " * " + one;
  return text;
}

// Without those that are there to be written.
std::vector<json> inputs_of(const json& described) {
  std::vector<json> inputs;
  for (const auto& tensor : described.at("inputs"))
    if (!described.at("buffers").contains(tensor.at("name").get<std::string>()))
      inputs.push_back(tensor);
  return inputs;
}

std::string input_text(const json& tensor, const json& described) {
  const std::string name = checked_name(tensor.at("name"));
  const json& independent = described.at("independent");
  const bool elements =
      std::find(independent.begin(), independent.end(), name) != independent.end();
  std::string variants;
  if (elements)
    for (const std::string variant : described.at("variants"))
      variants += fmt::format("{}\"{}\"", variants.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {{ kind = \"problem\"{} "
      "}}\nvariants = [{}]\n\n",
      name, tensor.at("dtype").get<std::string>(), shape_text(tensor),
      elements ? ", independent = true" : "", variants);
}

std::string output_text(const json& tensor, double noise) {
  const std::string dtype = tensor.at("dtype");
  std::string text = fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                                 checked_name(tensor.at("name")), dtype, shape_text(tensor));
  if (const DType type = dtype_of(tensor); core::is_float(type)) {
    const double least = units * unit_roundoff(type);
    const double max = std::min(
        loosest, std::max({least, noise, times_reference * tensor.at("error_max").get<double>()}));
    const double rms =
        std::min(max, std::max({rms_of_max * max, rms_of_noise * noise,
                                times_reference * tensor.at("error_rms").get<double>()}));
    text += fmt::format("tolerance = {{ max = {:.3g}, rms = {:.3g} }}\n", max, rms);
  }
  return text + "\n";
}

// Integer arguments of generate_input that every case has, and whose names nothing else can have.
std::set<std::string> shared_arguments(const TaskYml& problem) {
  std::map<std::string, std::size_t> seen;
  for (const auto* group : {&problem.tests, &problem.benchmarks})
    for (const auto& text : *group) {
      const json arguments = json::parse(text);
      for (const auto& [name, value] : arguments.items())
        seen[name] += value.is_number_integer() ? 1 : 0;
    }
  std::set<std::string> shared;
  for (const auto& [name, count] : seen)
    if (count == problem.tests.size() + problem.benchmarks.size() && name != "seed" &&
        name != "y" && !name.starts_with("y_") && !name.starts_with("in_") &&
        task::name_problem(name).empty())
      shared.insert(name);
  return shared;
}

bool flops_known(const json& cases) {
  return std::all_of(cases.begin(), cases.end(),
                     [](const json& one) { return one.at("flops").get<std::int64_t>() > 0; });
}

// Symbols of a case: the extents of all tensors, the integers inside the input, and arguments of
// generate_input.
std::string bindings_text(const json& which, const json& arguments,
                          const std::set<std::string>& shared, bool flops) {
  std::map<std::string, std::int64_t> symbols;
  for (const char* group : {"inputs", "outputs"})
    for (const auto& [name, shape] : which.at(group).items())
      for (std::size_t i = 0; i < shape.size(); ++i)
        symbols[checked_name(extent(name, i))] = shape[i].get<std::int64_t>();
  for (const auto& [name, value] : which.at("integers").items())
    symbols[checked_name(name)] = value.get<std::int64_t>();
  for (const auto& name : shared) symbols.emplace(name, arguments.at(name).get<std::int64_t>());
  if (flops) symbols["work_flops"] = which.at("flops").get<std::int64_t>();
  std::string text;
  for (const auto& [name, value] : symbols)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "one = 1" : text;
}

std::string work_text(const json& described) {
  std::string bytes;
  std::string kind = "f32";
  std::vector<json> tensors = inputs_of(described);
  for (const auto& tensor : tensors)
    if (const std::string dtype = tensor.at("dtype"); dtype == "f16" || dtype == "bf16")
      kind = dtype;
  tensors.insert(tensors.end(), described.at("outputs").begin(), described.at("outputs").end());
  for (const auto& tensor : tensors) bytes += (bytes.empty() ? "" : " + ") + bytes_text(tensor);
  std::string text = fmt::format("[work]\nbytes = \"{}\"\n", bytes);
  if (flops_known(described.at("cases")))
    text += fmt::format("flops = {{ {} = \"work_flops\" }}\n", kind);
  return text;
}

// The input's code with what the worker has for its buffers.
json with_buffers(const json& code, const json& buffers) {
  const auto& [kind, content] = *code.items().begin();
  if (kind == "tensor") return buffers.contains(content) ? json{{"buffer", content}} : code;
  if (kind == "tuple" || kind == "list") {
    json list = json::array();
    for (const auto& one : content) list.push_back(with_buffers(one, buffers));
    return {{kind, list}};
  }
  if (kind == "dict") {
    json list = json::array();
    for (const auto& one : content) list.push_back({one.at(0), with_buffers(one.at(1), buffers)});
    return {{kind, list}};
  }
  return code;
}

}  // namespace

std::optional<fs::path> gpumode_folder(const std::string& text) {
  if (!text.starts_with(word)) return std::nullopt;
  if (text.size() == word.size())
    base::fail(ExitCode::usage,
               "{}: the folder of a problem follows, as in gpumode:problems/pmpp_v2/sort_py", text);
  return text.substr(word.size());
}

std::string gpumode_toml(const TaskYml& problem, const json& described) {
  std::string toml = fmt::format(
      "# Made by Hone of a problem of GPU MODE, with torch {}.\nhone = 1\nname = \"{}\"\nsummary = "
      "{}\n\n",
      described.at("torch").get<std::string>(), label_of(problem.name),
      toml_string(problem.summary));
  for (const auto& tensor : inputs_of(described)) toml += input_text(tensor, described);
  for (const auto& [name, value] : described.at("numbers").items())
    toml += fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"f32\"\nvalue = {:.17g}\n\n",
                        checked_name(name), value.get<double>());
  for (const auto& tensor : described.at("outputs"))
    toml += output_text(tensor, described.at("noise"));
  for (std::size_t i = 0; i < described.at("cases").size(); ++i) {
    const bool test = i < problem.tests.size();
    const json arguments =
        json::parse(test ? problem.tests[i] : problem.benchmarks[i - problem.tests.size()]);
    toml +=
        fmt::format("[[case]]  # {}\nname = \"{}\"\nbind = {{ {} }}\n{}\n", arguments.dump(),
                    described.at("cases")[i].at("name").get<std::string>(),
                    bindings_text(described.at("cases")[i], arguments, shared_arguments(problem),
                                  flops_known(described.at("cases"))),
                    test ? "use = \"check\"\n" : "");
  }
  return toml + work_text(described);
}

std::string gpumode_problem(const TaskYml& problem, const json* described) {
  json cases = json::object(), tests = json::array(), benchmarks = json::array();
  for (std::size_t i = 0; i < problem.tests.size(); ++i) {
    cases[case_name(true, i)] = json::parse(problem.tests[i]);
    tests.push_back(case_name(true, i));
  }
  for (std::size_t i = 0; i < problem.benchmarks.size(); ++i) {
    cases[case_name(false, i)] = json::parse(problem.benchmarks[i]);
    benchmarks.push_back(case_name(false, i));
  }
  json text = {{"files", problem.files},
               {"cases", cases},
               {"tests", tests},
               {"benchmarks", benchmarks},
               {"ranking", problem.ranking},
               {"seconds", problem.test_timeout}};
  if (described != nullptr) {
    json buffers = json::array();
    for (const auto& [name, output] : described->at("buffers").items()) buffers.push_back(name);
    text["buffers"] = buffers;
    text["double"] = described->at("double");
    text["unique"] = described->at("unique");
    json facts = json::object(), orders = json::object();
    for (const auto& tensor : described->at("inputs"))
      orders[tensor.at("name").get<std::string>()] = tensor.at("order");
    text["orders"] = orders;
    for (const auto& tensor : described->at("outputs"))
      facts[tensor.at("name").get<std::string>()] = tensor;
    text["output"] = {{"code", described->at("output")}, {"facts", facts}};
    text["notes"] = described->at("notes");
  }
  return text.dump(1);
}

std::string gpumode_interface(const TaskYml& problem, const json& described) {
  json files = json::object(), bools = json::array(), shapes = json::object(),
       orders = json::object(), types = json::object(), buffers = json::object();
  // What submissions import. Not what holds the answer, or the official evaluator.
  for (const auto& [name, text] : problem.files)
    if (name != "reference.py" && name != "eval.py") files[name] = text;
  for (const char* group : {"inputs", "outputs"})
    for (const auto& tensor : described.at(group)) {
      const std::string name = tensor.at("name");
      const json& order = tensor.at("order");
      if (described.at("buffers").contains(name)) {
        buffers[name] = tensor;
        buffers[name]["of"] = described.at("buffers").at(name);
        continue;
      }
      if (order.empty()) shapes[name] = json::array();
      if (!std::is_sorted(order.begin(), order.end())) orders[name] = order;
      if (const std::string type = tensor.at("type"); type == "bool")
        bools.push_back(name);
      else if (!type.empty())
        types[name] = type;
    }
  return json{{"entry", "custom_kernel"},
              {"files", files},
              {"arguments", {with_buffers(described.at("input"), described.at("buffers"))}},
              {"bools", bools},
              {"shapes", shapes},
              {"orders", orders},
              {"types", types},
              {"buffers", buffers},
              {"sequence",
               described.at("output").contains("tuple") || described.at("output").contains("list")},
              {"any_float", true}}  // its official check takes any type whose values are right
      .dump(1);
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
  const json described = runner::describe_python(asked, runner::find_python());
  const std::string toml = gpumode_toml(problem, described);
  base::make_folder(made);
  base::write_file_atomically(made / "reference.py", problem.files.at("reference.py"));
  base::write_file_atomically(made / "problem.json", gpumode_problem(problem, &described));
  base::write_file_atomically(made / "interface.json", gpumode_interface(problem, described));
  base::write_file_atomically(made / "task.toml", toml);  // last: it says that the folder is whole
  return made;
}

}  // namespace hone::adapters
