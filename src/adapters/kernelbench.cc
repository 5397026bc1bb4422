#include "adapters/kernelbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "adapters/task_key.h"
#include "base/error.h"
#include "base/files.h"
#include "core/dtype.h"
#include "core/precision.h"
#include "runner/oracle.h"
#include "runner/python.h"
#include "task/kernelbench_task.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view word = "kernelbench:";
constexpr std::uint64_t largest_problem = 1u << 20;
// Tolerances: the official one for fp32, or four times what torch itself is off in single
// precision, whichever is more.
constexpr double official_max = 1e-4, official_rms = 2e-5, times_torch = 4;

// Names come from a stranger's Python: letters, digits and underscores are what TOML and kernels
// can have.
std::string checked_name(const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 64 &&
                     std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!plain || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    base::fail(ExitCode::bad_input, "\"{}\" cannot be the name of a tensor", name);
  return name;
}

// Texts come from the oracle, which runs a stranger's Python: nothing that could end a string of
// TOML.
std::string quoted(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  return text;
}

std::string shape_text(const json& shape) {
  std::string text;
  for (const std::int64_t extent : shape)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", extent);
  return "[" + (text.empty() ? "1" : text) + "]";  // a single number is a tensor of one
}

std::string draw_text(const json& draw) {
  const std::string kind = draw.at("kind");
  if (kind == "problem")
    return fmt::format("{{ kind = \"problem\", why = \"{}\" }}", quoted(draw.at("why")));
  if (kind == "integers")
    return fmt::format("{{ kind = \"integers\", low = {}, high = {} }}",
                       draw.at("low").get<std::int64_t>(), draw.at("high").get<std::int64_t>());
  const double a = draw.at("a"), b = draw.at("b");
  return kind == "uniform"
             ? fmt::format("{{ kind = \"uniform\", low = {:.9g}, high = {:.9g} }}", a, b)
             : fmt::format("{{ kind = \"normal\", mean = {:.9g}, std = {:.9g} }}", a, b);
}

double bytes_of(const json& tensor) {
  double bytes =
      static_cast<double>(core::size_of(*core::dtype_from(tensor.at("dtype").get<std::string>())));
  for (const std::int64_t extent : tensor.at("shape")) bytes *= static_cast<double>(extent);
  return bytes;
}

// Symbols for the extents of the arguments of forward (`x_0` is the first of x), so that plans need
// not repeat numbers.
constexpr std::size_t most_symbols = 32;  // of a case

std::string bindings_text(const json& tensors) {
  std::string text;
  std::size_t count = 0;
  for (const auto& tensor : tensors) {
    if (tensor.at("weight").get<bool>()) continue;
    int index = 0;
    for (const std::int64_t extent : tensor.at("shape"))
      if (count < most_symbols) {
        text += fmt::format("{}{}_{} = {}", text.empty() ? "" : ", ",
                            tensor.at("name").get<std::string>(), index++, extent);
        ++count;
      }
  }
  return text.empty() ? "one = 1" : text;  // a case binds something
}

std::string tensor_text(const json& tensor, const json& variants) {
  const bool varies = !tensor.at("weight").get<bool>() && tensor.at("dtype") == "f32" &&
                      tensor.at("draw").at("kind") != "problem";
  std::string list;
  if (varies)
    for (const std::string variant : variants)
      list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {}\nvariants = [{}]\n\n",
      checked_name(tensor.at("name")), tensor.at("dtype").get<std::string>(),
      shape_text(tensor.at("shape")), draw_text(tensor.at("draw")), list);
}

}  // namespace

std::optional<Problem> kernelbench_problem(const std::string& text) {
  if (!text.starts_with(word)) return std::nullopt;
  const std::string rest = text.substr(word.size());
  const auto slash = rest.find('/');
  const auto at = rest.find('@');
  Problem problem{rest.substr(0, slash), 0, at == std::string::npos ? "" : rest.substr(at + 1)};
  const std::string number = slash == std::string::npos ? "" : rest.substr(0, at).substr(slash + 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), problem.number);
  const bool whole =
      read.ec == std::errc() && read.ptr == number.data() + number.size() && problem.number > 0;
  if (!whole ||
      (problem.level != "level1" && problem.level != "level2" && problem.level != "level3"))
    base::fail(ExitCode::usage, "{}: a problem is named like kernelbench:level1/23 (levels 1 to 3)",
               text);
  if (at != std::string::npos && !core::is_precision_class(problem.wanted_class))
    base::fail(ExitCode::usage, "{}: the classes of precision are @fp32, @tf32 and @protocol",
               text);
  return problem;
}

std::vector<Problem> kernelbench_problems(const std::string& text, const fs::path& checkout) {
  if (!text.starts_with(word)) return {};
  const std::string rest = text.substr(word.size());
  const auto slash = rest.find('/');
  const std::string level = rest.substr(0, slash),
                    range = slash == std::string::npos ? "" : rest.substr(slash + 1);
  int first = 1, last = std::numeric_limits<int>::max();
  if (slash != std::string::npos) {
    const auto dash = range.find('-');
    if (dash == std::string::npos) return {};
    const auto number = [&](std::size_t begin, std::size_t end, int& to) {
      const auto read = std::from_chars(range.data() + begin, range.data() + end, to);
      return read.ec == std::errc() && read.ptr == range.data() + end && to > 0;
    };
    if (!number(0, dash, first) || !number(dash + 1, range.size(), last) || first > last)
      base::fail(ExitCode::usage, "{}: a range of problems is written like kernelbench:level1/1-20",
                 text);
  }
  if (level != "level1" && level != "level2" && level != "level3")
    base::fail(ExitCode::usage, "{}: the levels are level1, level2 and level3", text);
  std::vector<Problem> problems;
  std::error_code ec;
  for (const auto& folder : {checkout / "KernelBench" / level, checkout / level}) {
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
      const std::string name = entry.path().filename().string();
      int number = 0;
      const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
      if (read.ec == std::errc() && *read.ptr == '_' && name.ends_with(".py") && number >= first &&
          number <= last)
        problems.push_back({level, number, ""});
    }
    if (!problems.empty()) break;
  }
  if (problems.empty())
    base::fail(ExitCode::bad_input, "{}: {} has no such problems", text, checkout.string());
  std::sort(problems.begin(), problems.end(),
            [](const Problem& a, const Problem& b) { return a.number < b.number; });
  return problems;
}

fs::path problem_file(const fs::path& checkout, const Problem& problem) {
  std::error_code ec;
  for (const auto& folder : {checkout / "KernelBench" / problem.level, checkout / problem.level}) {
    if (!fs::is_directory(folder, ec)) continue;
    const std::string prefix = std::to_string(problem.number) + "_";
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(prefix) && name.ends_with(".py")) return entry.path();
    }
    base::fail(ExitCode::bad_input, "{} has no problem {} (no file {}*.py)", folder.string(),
               problem.number, prefix);
  }
  base::fail(ExitCode::bad_input,
             "{} is no checkout of KernelBench: it has no folder KernelBench/{} (name one with "
             "--kernelbench or $HONE_KERNELBENCH)",
             checkout.string(), problem.level);
}

std::string task_toml(const std::string& name, const std::string& summary, const json& described) {
  std::string toml = fmt::format(
      "# Made by Hone of reference.py, with torch {}.\nhone = 1\nname = \"{}\"\nsummary = \"{}\"\n",
      described.at("torch").get<std::string>(), name, summary);
  std::string weak;
  for (const std::string sentence : described.at("weak"))
    weak += fmt::format("{}\"{}\"", weak.empty() ? "" : ", ", quoted(sentence));
  toml += weak.empty() ? "\n" : fmt::format("weak = [{}]\n\n", weak);
  double bytes = 0;
  for (const auto& tensor : described.at("tensors")) {
    toml += tensor_text(tensor, described.at("variants"));
    bytes += bytes_of(tensor);
  }
  for (const auto& scalar : described.at("scalars"))
    toml +=
        scalar.at("integer").get<bool>()
            ? fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"i64\"\nvalue = {}\n\n",
                          checked_name(scalar.at("name")), scalar.at("value").get<std::int64_t>())
            : fmt::format("[[scalar]]\nname = \"{}\"\ndtype = \"f32\"\nvalue = {:.9g}\n\n",
                          checked_name(scalar.at("name")), scalar.at("value").get<double>());
  for (const auto& output : described.at("outputs")) {
    const std::string dtype = output.at("dtype");
    toml += fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                        checked_name(output.at("name")), dtype, shape_text(output.at("shape")));
    if (core::is_float(*core::dtype_from(dtype)))
      toml +=
          fmt::format("tolerance = {{ max = {:.3g}, rms = {:.3g} }}\n",
                      std::max(official_max, times_torch * output.at("error_max").get<double>()),
                      std::max(official_rms, times_torch * output.at("error_rms").get<double>()));
    toml += "\n";
    bytes += bytes_of(output);
  }
  toml += fmt::format("[[case]]\nname = \"official\"\nbind = {{ {} }}\n\n",
                      bindings_text(described.at("tensors")));
  toml += fmt::format("[work]\nbytes = \"{:.0f}\"\n", bytes);
  if (const double flops = described.at("flops"); flops > 0)
    toml += fmt::format("flops = {{ f32 = \"{:.0f}\" }}\n", flops);
  return toml;
}

namespace {

// The same task, where only one class will do.
fs::path narrowed(const fs::path& folder, const std::string& wanted_class) {
  const fs::path place = folder.string() + "@" + wanted_class;
  std::error_code ec;
  if (fs::is_regular_file(place / "task.toml", ec)) return place;
  base::make_folder(place);
  for (const char* name : {"reference.py", "interface.json"})
    if (fs::is_regular_file(folder / name, ec))
      base::write_file_atomically(place / name,
                                  base::read_file(folder / name, base::largest_text_file));
  std::string toml = base::read_file(folder / "task.toml", base::largest_text_file);
  const std::string before = "\nname = ";
  toml.insert(toml.find(before) + 1, fmt::format("class = \"{}\"\n", wanted_class));
  base::write_file_atomically(place / "task.toml", toml);
  return place;
}

}  // namespace

fs::path kernelbench_task(const fs::path& checkout, const Problem& problem, double seconds,
                          const std::function<void(const std::string&)>& say) {
  if (!problem.wanted_class.empty())
    return narrowed(kernelbench_task(checkout, {problem.level, problem.number, ""}, seconds, say),
                    problem.wanted_class);
  const fs::path file = problem_file(checkout, problem);
  const std::string source = base::read_file(file, largest_problem);
  const std::string name = fmt::format("{}_{}", problem.level, problem.number);
  const fs::path folder = base::home_folder() / "tasks" / "kernelbench" /
                          fmt::format("{}-{}", name, task_key("kernelbench 5", {source}));
  std::error_code ec;
  if (fs::is_regular_file(folder / "task.toml", ec)) return folder;
  core::Task asked;
  asked.name = name;
  asked.folder = file.parent_path();
  asked.reference_py = source;
  task::set_kernelbench(asked);
  if (say) say(fmt::format("asking torch about {}, once for this problem", name));
  const auto progress = [&](const std::string& text) {
    if (say) say(fmt::format("asking torch about {}: {}", name, text));
  };
  const json described = runner::describe_python(asked, runner::find_python(), seconds, progress);
  const std::string toml = task_toml(
      name, fmt::format("KernelBench {}, {}", problem.level, file.stem().string()), described);
  base::make_folder(folder);
  base::write_file_atomically(folder / "reference.py", source);
  if (const auto& interface = described.at("interface"); interface.is_object())
    base::write_file_atomically(folder / "interface.json", interface.dump(1) + "\n");
  base::write_file_atomically(folder / "task.toml",
                              toml);  // last: it says that the folder is whole
  return folder;
}

}  // namespace hone::adapters
