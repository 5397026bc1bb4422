#include "tables/baseline_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/stats.h"
#include "tables/problems.h"
#include "text/markdown.h"
#include "text/table.h"

namespace hone::tables {
namespace {

using text::markdown;
using Classes = std::map<std::string, const BaselineLine*>;  // of one problem

std::string seconds_text(const BaselineTime& time) {
  return time.median > 0 ? text::format_seconds(time.median) : "-";
}
std::string ms(const BaselineTime& time) {
  return time.median > 0 ? fmt::format("{:.4g}", 1e3 * time.median) : "–";
}
std::string error_text(const BaselineTime& time) {
  return time.median > 0 ? fmt::format("{:.1e}", time.error_rms) : "–";
}

const BaselineTime& best_time(const BaselineLine& line) {
  const auto best = best_of(line);
  return best && best->mode == "compile" ? line.compiled : line.eager;
}

// The ceiling in ms with what limits it, and how much of it the best reaches.
std::vector<std::string> ceiling_cells(const BaselineLine& line) {
  const auto& time = best_time(line);
  if (!time.ceiling_fraction || time.median <= 0) return {"–", "–"};
  return {fmt::format("{:.4g} ({})", 1e3 * *time.ceiling_fraction * time.median,
                      markdown(time.ceiling)),
          text::format_percent(*time.ceiling_fraction)};
}

std::vector<std::string> baseline_row(const std::string& problem, const Classes& classes) {
  static const BaselineLine nothing;
  const auto of = [&](const char* name) -> const BaselineLine& {
    const auto found = classes.find(name);
    return found == classes.end() ? nothing : *found->second;
  };
  const auto &fp32 = of("fp32"), &tf32 = of("tf32");
  std::vector<std::string> cells = {markdown(problem), ms(fp32.eager), ms(fp32.compiled),
                                    ms(tf32.eager), ms(tf32.compiled)};
  for (const auto* line : {&fp32, &tf32}) {
    const auto best = best_of(*line);
    cells.push_back(best ? fmt::format("{:.4g} ({})", 1e3 * best->seconds, best->mode) : "–");
  }
  cells.push_back(ms(of("protocol").eager));
  for (const auto* line : {&fp32, &tf32})
    for (auto& cell : ceiling_cells(*line)) cells.push_back(std::move(cell));
  cells.push_back(error_text(fp32.eager));
  cells.push_back(error_text(tf32.eager));
  std::string weak;
  for (const auto& sentence : fp32.weak) weak += (weak.empty() ? "" : "; ") + markdown(sentence);
  cells.push_back(weak);
  return cells;
}

// Why something is missing, reason by reason.
std::string gaps(const std::vector<std::pair<std::string, Classes>>& problems) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;  // by what and why
  std::size_t measured = 0;
  for (const auto& [name, classes] : problems) {
    bool whole = true;
    for (const auto& [class_name, line] : classes) {
      whole = whole && line->failed.empty();
      if (!line->failed.empty()) {
        if (class_name == "fp32") found[{"", short_reason(line->failed)}].push_back(name);
        continue;
      }
      if (!line->eager.missing.empty())
        found[{class_name + " eager of ", short_reason(line->eager.missing)}].push_back(name);
      if (!line->compiled.missing.empty())
        found[{class_name + " compile of ", short_reason(line->compiled.missing)}].push_back(name);
    }
    measured += whole ? 1 : 0;
  }
  std::string out;
  for (const auto& [what, names] : found) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + markdown(name);
    if (!what.first.empty() && names.size() == measured) list = "all";
    out += fmt::format("- {}{}: {}\n", what.first, list, markdown(what.second));
  }
  return out.empty() ? "" : "\nNot measured:\n\n" + out;
}

// How much faster than eager the best of a class is, over all problems.
std::string summary(const std::vector<std::pair<std::string, Classes>>& problems) {
  std::string out;
  for (const char* name : {"fp32", "tf32"}) {
    std::vector<double> ratios;
    int compiled = 0;
    for (const auto& [problem, classes] : problems) {
      const auto found = classes.find(name);
      if (found == classes.end() || found->second->eager.median <= 0) continue;
      const auto best = best_of(*found->second);
      ratios.push_back(found->second->eager.median / best->seconds);
      compiled += best->mode == "compile" ? 1 : 0;
    }
    if (!ratios.empty())
      out += fmt::format(
          "{}: {} problems, `torch.compile` is the faster on {}; the best is {:.2f} times as fast "
          "as eager (geometric mean).\n",
          name, ratios.size(), compiled, core::geometric_mean(ratios));
  }
  return out;
}

std::string section(const std::vector<const BaselineLine*>& lines) {
  std::map<std::string, Classes> by_problem;
  std::set<std::string> devices;
  std::string first = lines.front()->when, last = first;
  for (const auto* line : lines) {
    auto& known = by_problem[line->problem][line->class_name];
    if (known == nullptr || line->failed.empty() || !known->failed.empty()) known = line;
    devices.insert(line->device);
    first = std::min(first, line->when);
    last = std::max(last, line->when);
  }
  std::vector<std::pair<std::string, Classes>> problems(by_problem.begin(), by_problem.end());
  std::sort(problems.begin(), problems.end(),
            [](const auto& a, const auto& b) { return problem_before(a.first, b.first); });
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, classes] : problems) {
    const bool measured = std::any_of(classes.begin(), classes.end(),
                                      [](const auto& one) { return one.second->failed.empty(); });
    if (measured) rows.push_back(baseline_row(name, classes));
  }
  const auto* any = lines.back();
  return fmt::format(
             "{}{}, driver {}, {}; {} of {} problems measured, {} to {}.\n\n",
             markdown(any->device_name),
             devices.size() > 1 ? fmt::format(" ({} of them, in turn)", devices.size()) : "",
             markdown(any->driver), markdown(any->torch.empty() ? any->python : any->torch),
             rows.size(), problems.size(), markdown(first), markdown(last)) +
         text::markdown_table(
             {"problem", "fp32 eager", "fp32 compile", "tf32 eager", "tf32 compile", "best fp32",
              "best tf32", "protocol", "ceiling fp32", "reached", "ceiling tf32", "reached",
              "error fp32", "error tf32", "would pass KernelBench's check"},
             rows) +
         gaps(problems) + "\n" + summary(problems);
}

}  // namespace

std::string baselines_text(const std::vector<BaselineLine>& lines, const text::Screen& screen) {
  using Align = text::Column::Align;
  text::Table table({{"problem"},
                     {"class"},
                     {"eager", Align::right},
                     {"compile", Align::right},
                     {"best", Align::left, 2},
                     {"of the ceiling", Align::right},
                     {"error", Align::right},
                     {"", Align::left, 1}});
  for (const auto& line : lines) {
    const auto best = best_of(line);
    const auto& time = best_time(line);
    table.add(
        {text::printable(line.problem), line.class_name, seconds_text(line.eager),
         seconds_text(line.compiled), best ? best->mode : "",
         time.ceiling_fraction
             ? fmt::format("{} of {}", text::format_percent(*time.ceiling_fraction), time.ceiling)
             : "",
         best ? fmt::format("{:.1e}", time.error_rms) : "",
         text::printable(line.failed.empty() ? line.weak.empty() ? "" : "weak: " + line.weak.front()
                                             : "failed: " + short_reason(line.failed))});
  }
  return table.text(screen);
}

std::string baselines_markdown(const std::vector<BaselineLine>& lines, const std::string& command) {
  std::string out =
      "# What torch itself takes on KernelBench's problems\n\nMade by `" +
      text::printable(command) +
      "` (kernelbench.md says how it measures). Times are medians in ms. *fp32*: TF32 off; *tf32*: "
      "on for products and convolutions; *protocol*: eager as torch is set by itself. A ceiling is "
      "the least time that this device's own measured rates allow for the bytes and operations of "
      "the problem, and *reached* is how much of it the best of the class attains. Errors are "
      "eager's against double precision, rms of |y − t| over the larger of |t| and the rms of t.\n";
  std::vector<std::string> models;
  for (const auto& line : lines)
    if (std::find(models.begin(), models.end(), line.device_name) == models.end())
      models.push_back(line.device_name);
  for (const auto& model : models) {
    std::vector<const BaselineLine*> mine;
    for (const auto& line : lines)
      if (line.device_name == model) mine.push_back(&line);
    out += "\n" + section(mine);
  }
  return out;
}

}  // namespace hone::tables
