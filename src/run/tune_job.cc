#include "run/tune_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/words.h"
#include "judge/compare.h"
#include "judge/finding.h"
#include "run/early_stopping.h"
#include "run/record.h"
#include "search/point_search.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::run {
namespace {

constexpr std::uint64_t seed = 1;  // of the search: a job that is done again asks the same points

std::string last_words(const core::Evaluation& evaluation) {
  return evaluation.evidence.empty() ? std::string(core::name_of(evaluation.outcome))
                                     : evaluation.evidence.back().text;
}

class JobTuning {
 public:
  JobTuning(const Job& job, double beats, judge::Judge& judge, const JobTools& tools,
            const core::Evaluation& standard)
      : job_(job),
        beats_(beats),
        judge_(judge),
        tools_(tools),
        standard_(core::default_point(job.candidate->plan)),
        best_(standard) {
    best_.key.point = standard_;
    tuning_.before = tuning_.after = standard.geomean.value_or(0);
  }

  void search();
  void conclude(Job& job, JobResult& result);

 private:
  int allowed() const;
  std::string why_not_another() const;
  void measure(const core::Point& point, search::PointSearch& strategy);
  judge::EvaluateOptions options_for(const core::Point& point) const;
  bool wins_side_by_side(JobResult& result);

  const Job& job_;
  const double beats_;
  judge::Judge& judge_;
  const JobTools& tools_;
  const core::Point standard_;
  core::Evaluation best_;
  core::Tuning tuning_;
};

// More for those that are ahead. A text from elsewhere may ask for any number.
int JobTuning::allowed() const {
  const bool ahead = beats_ > 0 && *best_.geomean < beats_;
  return std::min(job_.tune->most, ahead ? more_points : few_points);
}

std::string JobTuning::why_not_another() const {
  if (tools_.cancelled()) return "the run was interrupted";
  if (tools_.wanted()) return "another candidate waited for the device";
  if (tuning_.points >= allowed())
    return fmt::format("{} were allowed", base::counted(tuning_.points, "point"));
  return "";
}

judge::EvaluateOptions JobTuning::options_for(const core::Point& point) const {
  judge::EvaluateOptions options;
  options.case_name = job_.case_name;
  options.point = point;
  return options;
}

void JobTuning::measure(const core::Point& point, search::PointSearch& strategy) {
  EarlyStopping stopping(medians_of(best_), core::clock_of(judge_.info()));
  judge::EvaluateOptions options = options_for(point);
  options.stop_early = [&](const core::CaseResult& latest) { return stopping.should_stop(latest); };
  const core::Evaluation evaluation = judge_.evaluate(*job_.candidate, options);
  ++tuning_.points;
  if (evaluation.outcome != core::Outcome::accepted && !judge::was_stopped_early(evaluation))
    ++tuning_.failed;
  strategy.tell(for_strategy(evaluation, medians_of(best_).size()));
  if (evaluation.geomean && *evaluation.geomean < *best_.geomean) best_ = evaluation;
}

void JobTuning::search() {
  const search::Space space(job_.candidate->plan, core::device_symbols(judge_.info()));
  const auto most = static_cast<std::size_t>(std::clamp(job_.tune->most, 1, more_points));
  // The default is a point too.
  const auto strategy =
      search::make_point_search(search::choose_point_search(space, most + 1, true), space, seed);
  while (true) {
    const auto point = strategy->ask();
    if (!point) {
      tuning_.ended = "every point was tried";
      return;
    }
    if (*point == standard_) {
      strategy->tell({*point, core::Outcome::accepted, best_.geomean});
      continue;
    }
    tuning_.ended = why_not_another();
    if (!tuning_.ended.empty()) return;
    measure(*point, *strategy);
  }
}

bool JobTuning::wins_side_by_side(JobResult& result) {
  const core::Candidate& candidate = *job_.candidate;
  const auto compared = judge::compare(judge_, candidate, candidate, options_for(standard_),
                                       options_for(best_.key.point),
                                       judge::compare_rule(core::clock_of(judge_.info())));
  if (!compared.compared) {
    tuning_.ended += "; the best one could not be compared with the defaults, which stand";
    return false;
  }
  result.beside_default =
      comparison_record(judge_.task(), candidate, candidate, compared, judge_.info());
  tuning_.ratio = compared.ratio_estimate;
  tuning_.interval = compared.ratio;
  if (compared.word == core::Comparison::faster) return true;
  tuning_.ended += compared.word == core::Comparison::cannot_tell
                       ? "; cannot tell whether the best one is faster, and the defaults stand"
                       : "; the best one was not faster side by side, and the defaults stand";
  return false;
}

void JobTuning::conclude(Job& job, JobResult& result) {
  result.tuning = tuning_;
  if (best_.key.point == standard_) {
    result.tuning->ended += "; none was faster than the defaults";
    return;
  }
  const bool wins = !tools_.cancelled() && wins_side_by_side(result);
  result.tuning = tuning_;
  if (!wins) return;
  const core::Candidate tuned = with_defaults(*job_.candidate, best_.key.point);
  judge::EvaluateOptions options = options_for({});
  options.depth = job_.depth;
  core::Evaluation evaluation = judge_.evaluate(tuned, options);
  if (evaluation.outcome != core::Outcome::accepted) {
    result.tuning->ended +=
        fmt::format("; the source with the best one was not accepted, and the defaults stand: {}",
                    last_words(evaluation));
    return;
  }
  result.tuning->point = best_.key.point;
  result.tuning->after = evaluation.geomean.value_or(0);
  result.as_written = std::move(result.evaluation);
  result.evaluation = std::move(evaluation);
  job.candidate = tuned;
}

// The nearer bound of the two, where there are two.
double nearer(double incumbent, double certified) {
  if (incumbent <= 0 || certified <= 0) return std::max(incumbent, certified);
  return std::min(incumbent, certified);
}

}  // namespace

void tune(Job& job, double certified, judge::Judge& judge, const JobTools& tools,
          JobResult& result) {
  const bool tunable = job.tune && job.tune->most > 0 && job.candidate->plan.tunables.size() > 0 &&
                       job.point.empty() && !job.fresh && result.evaluation->geomean;
  if (!tunable) return;
  const double under = nearer(job.tune->under, certified * worth_tuning);
  if (under > 0 && *result.evaluation->geomean > under) return;
  const core::Evaluation standard = *result.evaluation;
  try {
    const Job asked = job;
    JobTuning tuning(asked, nearer(job.tune->beats, certified), judge, tools, standard);
    tuning.search();
    tuning.conclude(job, result);
  } catch (const base::Error& error) {
    // Nothing of a search that broke off is kept but this.
    if (!result.as_written) result.evaluation = standard;
    if (!result.tuning) result.tuning.emplace();
    result.tuning->ended = error.what();
  }
}

core::Candidate with_defaults(const core::Candidate& candidate, const core::Point& point) {
  auto tuned = task::candidate_from(task::set_defaults(candidate.source, point), candidate.language,
                                    candidate.name);
  if (!tuned) base::fail(base::ExitCode::bad_input, "{}", task::render_with_sources(tuned.error()));
  return *std::move(tuned);
}

}  // namespace hone::run
