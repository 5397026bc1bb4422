#include "run/finals.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "run/job.h"
#include "run/record.h"

namespace hone::run {
namespace {

using base::ExitCode;

constexpr std::size_t most_finalists = 3;
// What a screening cannot tell apart; see the sampling rules and the noise in
// bench/results/judge.md.
constexpr double cpu_noise = 0.10, gpu_noise = 0.02;
constexpr int recent = 200;  // comparisons looked through for one of this run

std::optional<store::ComparisonRecord> found(const Finals& finals, const store::Compared& a,
                                             const store::Compared& b) {
  for (auto& record : store::comparisons_of(finals.archive, b.candidate, recent))
    if (record.created >= finals.run.created && record.task == finals.task.hash &&
        record.device == finals.info.uuid && record.a.candidate == a.candidate &&
        record.a.point == a.point && record.b.candidate == b.candidate && record.b.point == b.point)
      return std::move(record);
  return std::nullopt;
}

// The winner certified by a process that has seen nothing, and compared there with the default
// where that is asked for.
JobResult do_afresh(const Finals& finals, const core::Candidate& tuned, bool compare) {
  Job job;
  job.name = finals.run.id + "-" + store::short_hash(tuned.hash) + "-final";
  job.task_folder = finals.options.task_path;
  job.task = finals.task.hash;
  job.candidate = tuned;
  job.case_name = finals.options.case_name;
  job.depth = core::Depth::certify;
  job.call_seconds = finals.options.judging.call_seconds;
  job.fresh = true;
  if (compare) job.compare_with = finals.candidate;
  JobResult result =
      execute_afresh(job, finals.info, finals.options.judging,
                     {finals.options.pass_on, [&] { return finals.cancelled.load(); }});
  if (!result.error.empty()) base::fail(ExitCode::environment, "{}", result.error);
  return result;
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
         finalists[count].seconds <=
             fastest * (1 + (clock == core::ClockKind::host ? cpu_noise : gpu_noise)))
    ++count;
  finalists.resize(count);
  return finalists;
}

std::optional<store::ComparisonRecord> compare_with_default(const Finals& finals,
                                                            judge::Judge& judge,
                                                            const core::Point& point) {
  const core::Candidate& candidate = finals.candidate;
  const store::Compared a{candidate.hash, core::default_point(candidate.plan)},
      b{candidate.hash, point};
  if (auto known = found(finals, a, b)) return known;
  judge::EvaluateOptions standard, other;
  standard.case_name = other.case_name = finals.options.case_name;
  standard.point = a.point;
  other.point = b.point;
  const auto rule = judge::compare_rule(core::clock_of(finals.info));
  const auto result = judge::compare(judge, candidate, candidate, standard, other, rule);
  if (record(finals.archive, finals.task, candidate, candidate, result, finals.info).empty())
    return std::nullopt;
  return found(finals, a, b);
}

Confirmation confirm_afresh(const Finals& finals, const core::Candidate& tuned, bool compare) {
  Confirmation known;
  const auto key =
      judge::evaluation_key(tuned.hash, core::default_point(tuned.plan), finals.task, finals.info,
                            core::Depth::certify, finals.options.case_name);
  known.certified = store::find_evaluation(finals.archive, key);
  if (known.certified && known.certified->created < finals.run.created) known.certified.reset();
  const store::Compared a{finals.candidate.hash, core::default_point(finals.candidate.plan)},
      b{tuned.hash, core::default_point(tuned.plan)};
  if (compare) known.compared = found(finals, a, b);
  const bool refused =
      known.certified && known.certified->evaluation.outcome != core::Outcome::accepted;
  if (known.certified && (refused || !compare || known.compared)) return known;
  const JobResult result = do_afresh(finals, tuned, compare);
  if (finals.cancelled || !result.evaluation) return {};
  const std::string id =
      record(finals.archive, finals.task, tuned, *result.evaluation, finals.info);
  Confirmation made{store::get_evaluation(finals.archive, id), {}};
  if (result.comparison) {
    store::record_comparison(finals.archive, *result.comparison);
    made.compared = found(finals, a, b);
  }
  return made;
}

}  // namespace hone::run
