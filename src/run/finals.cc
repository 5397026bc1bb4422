#include "run/finals.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "run/fresh_process.h"
#include "run/record.h"

namespace hone::run {
namespace {

using base::ExitCode;
using nlohmann::json;

constexpr std::size_t most_finalists = 3;
// What a screening cannot tell apart; see the sampling rules and the noise in docs/measurements.md.
constexpr double cpu_noise = 0.10, gpu_noise = 0.02;
constexpr int recent = 200;  // comparisons looked through for one of this run

std::optional<store::ComparisonRecord> found(const Finals& finals, const store::Compared& a, const store::Compared& b) {
  for (auto& record : store::comparisons_of(finals.archive, b.candidate, recent))
    if (record.created >= finals.run.created && record.task == finals.task.hash && record.device == finals.info.uuid &&
        record.a.candidate == a.candidate && record.a.point == a.point && record.b.candidate == b.candidate &&
        record.b.point == b.point)
      return std::move(record);
  return std::nullopt;
}

// Its answer as JSON. Throws Error with its own words where it has none.
json ask_fresh_process(const Finals& finals, std::vector<std::string> words) {
  words.insert(words.begin(), finals.options.pass_on.begin(), finals.options.pass_on.end());
  words.insert(words.end(), finals.options.child_options.begin(), finals.options.child_options.end());
  words.insert(words.end(), {"--json", "--device", finals.info.id});
  if (!finals.options.case_name.empty()) words.insert(words.end(), {"--case", finals.options.case_name});
  if (finals.options.judging.unsafe) words.emplace_back("--unsafe");
  const Finished finished = run_hone(words, [&] { return finals.cancelled.load(); });
  json answer = json::parse(finished.out, nullptr, false);
  if (!answer.is_object() || !answer.contains("id"))
    base::fail(ExitCode::environment, "the fresh process that was to measure the winner ended with code {}: {}",
               finished.code, finished.err);
  return answer;
}

}  // namespace

std::vector<Finalist> choose_finalists(const std::map<core::Point, core::Evaluation>& known,
                                       const core::Point& standard, core::ClockKind clock) {
  std::vector<Finalist> finalists;
  double fastest = std::numeric_limits<double>::infinity();  // the default's, it may be
  for (const auto& [point, evaluation] : known) {
    if (!evaluation.geomean) continue;
    fastest = std::min(fastest, *evaluation.geomean);
    if (point != standard) finalists.push_back({point, *evaluation.geomean});
  }
  std::stable_sort(finalists.begin(), finalists.end(),
                   [](const Finalist& a, const Finalist& b) { return a.seconds < b.seconds; });
  std::size_t count = 0;
  while (count < finalists.size() && count < most_finalists &&
         finalists[count].seconds <= fastest * (1 + (clock == core::ClockKind::host ? cpu_noise : gpu_noise)))
    ++count;
  finalists.resize(count);
  return finalists;
}

std::optional<store::ComparisonRecord> compare_with_default(const Finals& finals, judge::Judge& judge,
                                                            const core::Point& point) {
  const core::Candidate& candidate = finals.candidate;
  const store::Compared a{candidate.hash, core::default_point(candidate.plan)}, b{candidate.hash, point};
  if (auto known = found(finals, a, b)) return known;
  judge::EvaluateOptions standard, other;
  standard.case_name = other.case_name = finals.options.case_name;
  standard.point = a.point;
  other.point = b.point;
  const auto rule = judge::compare_rule(core::clock_of(finals.info));
  const auto result = judge::compare(judge, candidate, candidate, standard, other, rule);
  if (record(finals.archive, finals.task, candidate, candidate, result, finals.info).empty()) return std::nullopt;
  return found(finals, a, b);
}

std::optional<store::EvaluationRecord> certify(const Finals& finals, const core::Candidate& tuned,
                                               const std::filesystem::path& file) {
  const auto key = judge::evaluation_key(tuned.hash, core::default_point(tuned.plan), finals.task, finals.info,
                                         core::Depth::certify, finals.options.case_name);
  if (auto known = store::find_evaluation(finals.archive, key); known && known->created >= finals.run.created)
    return known;
  const json answer =
      ask_fresh_process(finals, {"eval", finals.options.task_path.string(), file.string(), "--depth", "certify"});
  return store::get_evaluation(finals.archive, answer["id"].get<std::string>());
}

std::optional<store::ComparisonRecord> compare_afresh(const Finals& finals, const core::Candidate& tuned,
                                                      const std::filesystem::path& file) {
  const store::Compared a{finals.candidate.hash, core::default_point(finals.candidate.plan)},
      b{tuned.hash, core::default_point(tuned.plan)};
  if (auto known = found(finals, a, b)) return known;
  ask_fresh_process(
      finals, {"compare", finals.options.task_path.string(), finals.options.candidate_path.string(), file.string()});
  return found(finals, a, b);
}

}  // namespace hone::run
