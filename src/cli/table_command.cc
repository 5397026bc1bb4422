// `hone table`: every problem and class, who was fastest, and what it comes to. See cli/baseline.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "adapters/kernelbench.h"
#include "base/files.h"
#include "cli/baseline.h"
#include "cli/evaluation_text.h"
#include "cli/inputs.h"
#include "judge/baseline.h"
#include "run/baselines.h"
#include "run/scores.h"
#include "store/evaluations.h"

namespace hone::cli {
namespace {

using nlohmann::json;
using run::Score;

constexpr int most_evaluations = 1'000'000;

using Scores = std::map<std::string, std::map<std::string, Score>>;  // by problem, by class

std::optional<double> metric(const core::Evaluation& evaluation, const std::string& tag) {
  for (const auto& one : evaluation.metrics)
    if (one.tag == tag) return one.value;
  return std::nullopt;
}

void take(const store::EvaluationRecord& record, Scores& scores) {
  const auto& evaluation = record.evaluation;
  if (!evaluation.geomean) return;
  for (const auto& name : judge::class_names) {
    const auto solved = metric(evaluation, fmt::format("class.{}.solved", name));
    if (!solved) continue;
    Score& score = scores[record.task_name][name];
    if (*solved <= 0 || (score.seconds && *score.seconds <= *evaluation.geomean)) continue;
    score.solved = true;
    score.seconds = evaluation.geomean;
    score.candidate = record.candidate_name;
    for (const auto& result : evaluation.cases)
      if (result.timed) score.ceiling_fraction = result.ceiling_fraction;
  }
}

std::vector<Score> collect(const TableOptions& options) {
  std::set<std::string> wanted;
  for (const auto& text : single_tasks(options.tasks)) {
    const auto problem = adapters::kernelbench_problem(text);
    wanted.insert(problem ? fmt::format("{}_{}", problem->level, problem->number) : task_from(text).name);
  }
  std::vector<run::BaselineLine> lines;
  if (options.baselines.empty()) lines = run::read_baselines(run::home_baselines());
  for (const auto& file : options.baselines)
    for (auto& line : run::read_baselines(file)) lines.push_back(std::move(line));

  Scores scores;
  auto archive = archive_to_read(options);
  store::EvaluationFilter filter;
  filter.outcome = core::Outcome::accepted;
  filter.limit = most_evaluations;
  std::set<std::string> devices;
  for (const auto& line : store::list_evaluations(archive, filter)) {
    if (!wanted.empty() && !wanted.contains(line.task_name)) continue;
    const auto record = store::get_evaluation(archive, line.id);
    if (metric(record.evaluation, "class.fp32.solved")) devices.insert(record.evaluation.key.device);
    take(record, scores);
  }
  for (const auto& line : lines) {
    if (!wanted.empty() && !wanted.contains(line.problem)) continue;
    if (!devices.empty() && !devices.contains(line.device)) continue;  // of another machine
    Score& score = scores[line.problem][line.class_name];
    if (!line.weak.empty()) score.weak = line.weak;
    if (const auto best = run::best_of(line)) {
      score.baseline = best->seconds;
      score.baseline_mode = best->mode;
    }
  }
  for (const auto& name : wanted)
    for (const auto& class_name : judge::class_names) scores[name][class_name];

  std::vector<std::string> names;
  for (const auto& [name, classes] : scores) names.push_back(name);
  std::sort(names.begin(), names.end(), problem_before);
  std::vector<Score> list;
  for (const auto& name : names)
    for (const auto& class_name : judge::class_names) {
      const auto found = scores[name].find(class_name);
      if (found == scores[name].end()) continue;
      list.push_back(found->second);
      list.back().problem = name;
      list.back().class_name = class_name;
    }
  return list;
}

std::string ms(const std::optional<double>& seconds) { return seconds ? fmt::format("{:.4g}", 1e3 * *seconds) : "–"; }
std::string ratio(const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "–"; }

std::string markdown_of(const std::vector<Score>& scores) {
  std::string out =
      "| problem | class | ms | torch ms | torch's best | × | of the ceiling | solved | candidate |\n"
      "| --- | --- | ---: | ---: | --- | ---: | ---: | --- | --- |\n";
  std::map<std::string, std::vector<std::string>> weak;
  for (const auto& one : scores) {
    if (!one.weak.empty()) weak[one.problem] = one.weak;
    out += fmt::format("| {}{} | {} | {} | {} | {} | {} | {} | {} | {} |\n", printable(one.problem),
                       one.weak.empty() ? "" : " \\*", one.class_name, ms(one.seconds), ms(one.baseline),
                       one.baseline_mode, ratio(one.speedup()),
                       one.ceiling_fraction ? format_percent(*one.ceiling_fraction) : "–", one.solved ? "yes" : "no",
                       printable(one.candidate));
  }
  if (!weak.empty()) {
    out += "\n\\* KernelBench's own check proves little there:";
    const char* separator = " ";
    for (const auto& [name, sentences] : weak) {
      out += fmt::format("{}{} ({})", separator, printable(name), printable(sentences.front()));
      separator = "; ";
    }
    out += ".\n";
  }
  out +=
      "\n| class | problems | solved | of them weak | fast_1 | fast_1.5 | fast_2 | geomean, all | geomean, solved | "
      "median, all | median, solved |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const bool with_weak : {true, false}) {
    if (!with_weak && weak.empty()) continue;
    for (const auto& name : judge::class_names) {
      const auto s = run::summarise(scores, name, with_weak);
      out += fmt::format("| {}{} | {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.2f} | {} |\n", name,
                         with_weak ? "" : ", without weak ones", s.problems, s.solved, s.weak, s.fast_1, s.fast_1_5,
                         s.fast_2, s.geomean_all, ratio(s.geomean_solved), s.median_all, ratio(s.median_solved));
    }
  }
  return out +
         "\nAn unsolved problem counts as 1 in \"all\". fast_p is the part of all problems that were solved more "
         "than p times faster.\n";
}

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json json_of(const std::vector<Score>& scores) {
  json list = json::array(), summaries = json::array();
  for (const auto& one : scores)
    list.push_back({{"problem", one.problem},
                    {"class", one.class_name},
                    {"solved", one.solved},
                    {"weak", one.weak},
                    {"seconds", or_null(one.seconds)},
                    {"baseline_s", or_null(one.baseline)},
                    {"baseline_mode", one.baseline_mode},
                    {"speedup", or_null(one.speedup())},
                    {"ceiling_fraction", or_null(one.ceiling_fraction)},
                    {"candidate", one.candidate}});
  for (const bool with_weak : {true, false})
    for (const auto& name : judge::class_names) {
      const auto s = run::summarise(scores, name, with_weak);
      summaries.push_back({{"class", name},
                           {"with_weak", with_weak},
                           {"problems", s.problems},
                           {"solved", s.solved},
                           {"weak", s.weak},
                           {"without_baseline", s.without_baseline},
                           {"fast_1", s.fast_1},
                           {"fast_1.5", s.fast_1_5},
                           {"fast_2", s.fast_2},
                           {"geomean_all", s.geomean_all},
                           {"geomean_solved", or_null(s.geomean_solved)},
                           {"median_all", s.median_all},
                           {"median_solved", or_null(s.median_solved)}});
    }
  return {{"scores", list}, {"summaries", summaries}};
}

}  // namespace

int table(const TableOptions& options) {
  const auto scores = collect(options);
  if (!options.markdown.empty()) base::write_file_atomically(options.markdown, markdown_of(scores));
  std::fputs((options.json ? json_text(json_of(scores)) : markdown_of(scores)).c_str(), stdout);
  return 0;
}

}  // namespace hone::cli
