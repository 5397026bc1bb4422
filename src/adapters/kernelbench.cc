#include "adapters/kernelbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "adapters/task_key.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "core/dtype.h"
#include "core/precision.h"
#include "runner/oracle.h"
#include "runner/python.h"
#include "task/kernelbench_task.h"

namespace hone::adapters {
namespace {

using base::ExitCode;
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

double bytes_of(const DescribedTensor& tensor) {
  auto bytes = static_cast<double>(core::size_of(dtype_of(tensor)));
  for (const auto& extent : tensor.shape) bytes *= static_cast<double>(whole(extent));
  return bytes;
}

// Symbols for the extents of the arguments of forward (`x_0` is the first of x), so that plans need
// not repeat numbers.
constexpr std::size_t most_symbols = 32;  // of a case
std::string bindings_text(const std::vector<DescribedTensor>& tensors) {
  std::string text;
  std::size_t count = 0;
  for (const auto& tensor : tensors) {
    if (tensor.weight) continue;
    for (std::size_t i = 0; i < tensor.shape.size() && count < most_symbols; ++i, ++count)
      text += fmt::format("{}{}_{} = {}", text.empty() ? "" : ", ", tensor.name, i,
                          whole(tensor.shape[i]));
  }
  return text.empty() ? "one = 1" : text;  // a case binds something
}

std::string tensor_text(const DescribedTensor& tensor, const std::vector<std::string>& variants) {
  const bool varies = !tensor.weight && tensor.dtype == "f32" && tensor.draw.kind != "problem";
  std::string list;
  if (varies)
    for (const auto& variant : variants)
      list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", variant);
  return fmt::format(
      "[[input]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\ndraw = {}\nvariants = [{}]\n\n",
      checked_name(tensor.name), tensor.dtype, shape_text(tensor.shape),
      draw_text(tensor.draw, "\"" + quoted(tensor.draw.why) + "\""), list);
}

std::string scalar_text(const DescribedScalar& scalar) {
  const bool integer = scalar.integer;
  const auto number = base::from_json<double>(scalar.value.text);
  if (!number) base::fail(ExitCode::bad_input, "a scalar is no number: {}", number.error());
  return fmt::format(
      "[[scalar]]\nname = \"{}\"\ndtype = \"{}\"\nvalue = {}\n\n", checked_name(scalar.name),
      integer ? "i64" : "f32",
      integer ? std::to_string(whole(scalar.value)) : fmt::format("{:.9g}", *number));
}

std::string output_text(const DescribedTensor& output) {
  std::string text = fmt::format("[[output]]\nname = \"{}\"\ndtype = \"{}\"\nshape = {}\n",
                                 checked_name(output.name), output.dtype, shape_text(output.shape));
  if (core::is_float(dtype_of(output)))
    text += fmt::format("tolerance = {{ max = {:.3g}, rms = {:.3g} }}\n",
                        std::max(official_max, times_torch * output.error_max),
                        std::max(official_rms, times_torch * output.error_rms));
  return text + "\n";
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

std::string task_toml(const std::string& name, const std::string& summary,
                      const DescribedModule& described) {
  std::string toml = fmt::format(
      "# Made by Hone of reference.py, with torch {}.\nhone = 1\nname = \"{}\"\nsummary = \"{}\"\n",
      described.torch, name, summary);
  std::string weak;
  for (const auto& sentence : described.weak)
    weak += fmt::format("{}\"{}\"", weak.empty() ? "" : ", ", quoted(sentence));
  toml += weak.empty() ? "\n" : fmt::format("weak = [{}]\n\n", weak);
  double bytes = 0;
  for (const auto& tensor : described.tensors) {
    toml += tensor_text(tensor, described.variants);
    bytes += bytes_of(tensor);
  }
  for (const auto& scalar : described.scalars) toml += scalar_text(scalar);
  for (const auto& output : described.outputs) {
    toml += output_text(output);
    bytes += bytes_of(output);
  }
  toml += fmt::format("[[case]]\nname = \"official\"\nbind = {{ {} }}\n\n",
                      bindings_text(described.tensors));
  toml += fmt::format("[work]\nbytes = \"{:.0f}\"\n", bytes);
  std::map<std::string, std::string> flops;
  for (const auto& [kind, operations] : described.flops) flops[kind] = std::to_string(operations);
  return toml + operations_text(flops, described.uncounted);
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
  const auto said = described<DescribedModule>(
      runner::describe_python(asked, runner::find_python(), seconds, progress), name);
  const std::string toml =
      task_toml(name, fmt::format("KernelBench {}, {}", problem.level, file.stem().string()), said);
  base::make_folder(folder);
  base::write_file_atomically(folder / "reference.py", source);
  if (base::is_json_object(said.interface.text))
    base::write_file_atomically(folder / "interface.json", base::json_text(said.interface, 1));
  base::write_file_atomically(folder / "task.toml",
                              toml);  // last: it says that the folder is whole
  return folder;
}

}  // namespace hone::adapters
