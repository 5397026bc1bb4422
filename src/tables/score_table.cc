#include "tables/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "judge/torch/baseline.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/standing.h"
#include "tables/problems.h"
#include "text/format.h"

namespace hone::tables {
namespace {

constexpr int most_evaluations = 1'000'000;
// What every evaluation has that placed its candidate in classes. A tuner's points are accepted
// without that, and are no reason to forget where the candidate was placed before.
constexpr const char* placed = "class.fp32.solved";

// KernelBench's problems are called so; others are known by their classes or baselines.
bool is_problem_name(const std::string& name) {
  for (const char* level : {"level1_", "level2_", "level3_"})
    if (name.starts_with(level) && name.find_first_not_of("0123456789", 7) == std::string::npos)
      return true;
  return false;
}

// Evaluations and baselines of one kind of device, problem by problem.
class Gathering {
 public:
  Gathering(store::Archive& archive, const ScoreTableOptions& options)
      : archive_(archive), options_(options) {}

  ScoreTable gather() {
    store::EvaluationFilter filter;
    filter.limit = most_evaluations;
    std::vector<store::EvaluationLine> evaluations;
    for (auto& line : store::list_evaluations(archive_, filter))
      if (is_wanted(line.task_name)) evaluations.push_back(std::move(line));
    choose_device(evaluations);
    for (const auto& line : evaluations)
      if (line.device_name == device_) take_evaluation(line);
    for (const auto& line : options_.baselines) take_baseline(line);
    ScoreTable table{{}, std::move(other_versions_)};
    std::set<std::string> names = options_.problems;
    for (const auto& [name, classes] : scores_) names.insert(name);
    std::vector<std::string> ordered(names.begin(), names.end());
    std::sort(ordered.begin(), ordered.end(), problem_before);
    for (const auto& name : ordered)
      for (const auto& class_name : judge::class_names)
        table.scores.push_back(score(name, class_name));
    return table;
  }

 private:
  // Without a list, everything that was evaluated.
  bool is_wanted(const std::string& name) const {
    if (!options_.problems.empty()) return options_.problems.contains(name);
    return is_problem_name(name) ||
           std::any_of(options_.baselines.begin(), options_.baselines.end(),
                       [&](const BaselineLine& line) { return line.problem == name; });
  }

  // Times of different kinds of devices do not belong in one table.
  void choose_device(const std::vector<store::EvaluationLine>& evaluations) {
    std::set<std::string> names;
    for (const auto& line : evaluations) names.insert(line.device_name);
    if (names.empty())
      for (const auto& line : options_.baselines)
        if (options_.problems.contains(line.problem)) names.insert(line.device_name);
    std::vector<std::string> fitting;
    for (const auto& name : names)
      if (name.find(options_.device) != std::string::npos) fitting.push_back(name);
    if (fitting.size() == 1) device_ = fitting.front();
    if (fitting.size() == 1 || names.empty()) return;
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + text::printable(name);
    base::fail(base::ExitCode::usage,
               "a table is of one kind of device, and there are evaluations or baselines of {}: "
               "name one with --device (its name or a part of it, or cuda:0)",
               list);
  }

  Score& score(const std::string& problem, const std::string& class_name) {
    Score& one = scores_[problem][class_name];
    one.problem = problem;
    one.class_name = class_name;
    return one;
  }

  void take_evaluation(const store::EvaluationLine& line) {
    const auto record = store::get_evaluation(archive_, line.id);
    if (!same_version(line.task_name, reference_of(record.evaluation.key.task))) return;
    for (const auto& name : judge::class_names) {
      Score& one = score(line.task_name, name);
      note_tried(record.evaluation, one);
      if (stands(line)) take(record.evaluation, record.candidate_name, one);
    }
  }

  // Whether it is the one evaluation of its candidate and point that counts: store/standing.h.
  bool stands(const store::EvaluationLine& line) {
    if (asked_.insert(line.candidate).second)
      for (const auto& one :
           store::standing_evaluations(archive_, line.candidate, {.metric = placed}))
        standing_.insert(one.id);
    return standing_.contains(line.id);
  }

  void take_baseline(const BaselineLine& line) {
    if (line.device_name != device_) return;
    if (options_.problems.empty() ? !scores_.contains(line.problem)
                                  : !options_.problems.contains(line.problem))
      return;
    if (!same_version(line.problem, line.reference)) return;
    Score& one = score(line.problem, line.class_name);
    if (!line.weak.empty()) one.weak = line.weak;
    const auto best = best_of(line, one.python);
    // The same device's is better than another's of the same kind.
    if (!best || (one.baseline && one.baseline_device == one.device && line.device != one.device))
      return;
    one.baseline = best->seconds;
    one.baseline_mode = best->mode;
    one.baseline_device = line.device;
  }

  // The newest evaluation says which version of the problem is meant; "" is one that cannot be
  // told.
  bool same_version(const std::string& problem, const std::string& reference) {
    if (reference.empty()) return true;
    if (versions_.try_emplace(problem, reference).first->second == reference) return true;
    other_versions_.insert(problem);
    return false;
  }

  // Hash of the reference.py of an archived task, as long as its folder is there.
  std::string reference_of(const std::string& task) {
    const auto [found, is_new] = references_.try_emplace(task);
    if (!is_new) return found->second;
    const std::filesystem::path file =
        std::filesystem::path(store::get_task(archive_, task).folder) / "reference.py";
    std::error_code ec;
    if (!std::filesystem::is_regular_file(file, ec)) return "";
    return found->second = source_hash(base::read_file(file, base::largest_text_file));
  }

  store::Archive& archive_;
  const ScoreTableOptions& options_;
  std::string device_;
  std::map<std::string, std::map<std::string, Score>> scores_;  // by problem, by class
  std::map<std::string, std::string> versions_, references_;    // by problem; by task
  std::set<std::string> other_versions_;
  std::set<std::string> asked_, standing_;  // hashes of candidates; ids of evaluations of theirs
};

}  // namespace

ScoreTable score_table(store::Archive& archive, const ScoreTableOptions& options) {
  return Gathering(archive, options).gather();
}

}  // namespace hone::tables
