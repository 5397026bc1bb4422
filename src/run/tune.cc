#include "run/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/words.h"
#include "judge/doubt.h"
#include "judge/finding.h"
#include "run/conclude_tuning.h"
#include "run/early_stopping.h"
#include "run/tune_output.h"
#include "task/plan_parser.h"

namespace hone::run {
namespace {

using base::ExitCode;
using Clock = std::chrono::steady_clock;
using store::TuningState;

double minutes_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count() / 60;
}

class Tuner {
 public:
  Tuner(store::Archive& archive, const core::Task& task, const core::Candidate& candidate,
        const core::DeviceInfo& info, const TuneOptions& options, const TuneWatcher& watcher,
        const std::atomic<bool>& cancelled)
      : archive_(archive),
        task_(task),
        candidate_(candidate),
        info_(info),
        options_(options),
        watcher_(watcher),
        cancelled_(cancelled),
        default_(core::default_point(candidate.plan)),
        run_(open_tuning_run(archive, task, candidate, info, options)),
        judge_(task, info, options.judging) {}

  TuneResult work() {
    result_.run = run_.id;
    try {
      search();
      const Finals finals{archive_, task_, candidate_, info_, options_, run_, cancelled_};
      if (!cancelled_) conclude_tuning(finals, judge_, evaluations_, watcher_, result_);
    } catch (const base::Error& error) {
      // Once it is cancelled, work that was cut off may fail in any way: that is not the run's
      // failure.
      if (!cancelled_) {
        store::set_tuning_state(archive_, run_.id, TuningState::failed, error.what());
        throw;
      }
    }
    result_.interrupted = cancelled_;
    if (result_.interrupted) result_.stopped = result_.conclusion = interrupted_note;
    // A run whose budget was spent can go on with a larger one; one that has tried every point
    // cannot.
    const bool whole = !result_.interrupted && searched_all_;
    // What certification refused is no winner.
    const bool passed =
        result_.certified && result_.certified->evaluation.outcome == core::Outcome::accepted;
    store::set_tuning_state(archive_, run_.id, whole ? TuningState::finished : TuningState::stopped,
                            result_.stopped,
                            passed ? std::optional(result_.certified->id) : std::nullopt,
                            passed ? std::optional(result_.tuned->hash) : std::nullopt);
    return std::move(result_);
  }

 private:
  std::size_t timed_cases() {
    if (!timed_cases_) {
      const auto cases = judge_.get().cases(options_.case_name);
      timed_cases_ = static_cast<std::size_t>(std::count_if(
          cases.begin(), cases.end(), [](const core::Case* which) { return which->timed; }));
      if (*timed_cases_ == 0)
        base::fail(ExitCode::bad_input,
                   "there is no timed case of {} for {}{}: nothing can be tuned", task_.name,
                   info_.id, options_.case_name.empty() ? "" : " named " + options_.case_name);
    }
    return *timed_cases_;
  }

  void search();
  std::string budget_spent(Clock::time_point start) const;
  std::optional<core::Evaluation> measure(const core::Point& point);
  void add(const core::Point& point, const core::Evaluation& evaluation);

  store::Archive& archive_;
  const core::Task& task_;
  const core::Candidate& candidate_;
  const core::DeviceInfo& info_;
  const TuneOptions& options_;
  const TuneWatcher& watcher_;
  const std::atomic<bool>& cancelled_;
  const core::Point default_;
  TuningRun run_;
  TuningJudge judge_;
  std::map<core::Point, core::Evaluation> evaluations_;  // every point of this run
  std::optional<std::size_t> timed_cases_;
  bool searched_all_ = false;
  TuneResult result_;
};

std::string Tuner::budget_spent(Clock::time_point start) const {
  if (result_.status.allowed > 0 && result_.status.done >= result_.status.allowed)
    return fmt::format(
        "the limit of {} is reached",
        base::counted(static_cast<std::int64_t>(result_.status.allowed), "evaluation"));
  if (options_.max_minutes > 0 && minutes_since(start) >= options_.max_minutes)
    return fmt::format("{:g} minutes were allowed", options_.max_minutes);
  return "";
}

void Tuner::search() {
  const search::Space space(candidate_.plan, core::device_symbols(info_));
  const auto strategy =
      search::make_point_search(run_.settings.strategy, space, run_.settings.seed);
  if (strategy->done())
    base::fail(ExitCode::bad_input,
               "no point of the [tune] space of {} satisfies its `where` on {}", candidate_.name,
               info_.id);
  TuneStatus& status = result_.status;
  status.total = strategy->total();
  status.allowed = options_.max_evals > 0                                     ? options_.max_evals
                   : run_.settings.strategy == search::PointSearchKind::local ? most_evals
                                                                              : 0;
  result_.strategy = strategy->describe();
  watcher_.say(run_.known.empty() ? fmt::format("tuning run {}: {}", run_.id, result_.strategy)
                                  : fmt::format("tuning run {}: {}; goes on, {} points are known",
                                                run_.id, result_.strategy, run_.known.size()));
  timed_cases();
  const auto start = Clock::now();
  while (!cancelled_ && (result_.stopped = budget_spent(start)).empty()) {
    const auto point = strategy->ask();
    if (!point) break;
    const auto known = run_.known.find(*point);
    if (known != run_.known.end()) ++status.known;
    const auto evaluation =
        known != run_.known.end() ? std::optional(known->second) : measure(*point);
    if (!evaluation) return;  // cancelled: it is not known what the point would have done
    // Points that are known are told too: the strategy asks the same questions again when it gets
    // the same answers, which is how a run goes on.
    strategy->tell(for_strategy(*evaluation, timed_cases()));
    add(*point, *evaluation);
  }
  searched_all_ = strategy->done() || (status.total && status.done >= *status.total);
  if (searched_all_) result_.stopped = "every point was tried";
}

std::optional<core::Evaluation> Tuner::measure(const core::Point& point) {
  const auto best = evaluations_.find(result_.status.best);
  EarlyStopping stopping(
      result_.status.best_seconds ? medians_of(best->second) : std::map<std::string, double>{},
      core::clock_of(info_));
  judge::EvaluateOptions evaluate;
  evaluate.case_name = options_.case_name;
  evaluate.point = point;
  evaluate.stop_early = [&](const core::CaseResult& latest) {
    return stopping.should_stop(latest);
  };
  auto evaluation = judge::evaluate_twice_if_undecided(judge_.get(), candidate_, evaluate);
  // A runner that was ended with this process says nothing about the point.
  if (cancelled_ && evaluation.outcome == core::Outcome::crashed) return std::nullopt;
  // At once: a run that is killed has lost the point that it was measuring, and no other.
  store::record_evaluation(archive_, evaluation, info_.name, run_.id);
  return evaluation;
}

void Tuner::add(const core::Point& point, const core::Evaluation& evaluation) {
  TuneStatus& status = result_.status;
  evaluations_[point] = evaluation;
  ++status.done;
  if (judge::was_stopped_early(evaluation))
    ++status.stopped_early;
  else if (evaluation.outcome == core::Outcome::undecided)
    ++status.undecided;
  else if (evaluation.outcome != core::Outcome::accepted)
    ++status.failed;
  if (evaluation.geomean) {
    if (point == default_) status.default_seconds = evaluation.geomean;
    if (!status.best_seconds || *evaluation.geomean < *status.best_seconds) {
      status.best_seconds = evaluation.geomean;
      status.best = point;
    }
  }
  status.latest = evaluation;
  watcher_.point(status);
}

}  // namespace

TuneResult tune(store::Archive& archive, const core::Task& task, const core::Candidate& candidate,
                const core::DeviceInfo& info, const TuneOptions& options,
                const TuneWatcher& watcher, const std::atomic<bool>& cancelled) {
  core::Candidate checked = candidate;
  if (checked.language == core::Language::python)
    base::fail(ExitCode::bad_input,
               "{} is Python, which has no [tune] table: there is nothing to tune", candidate.name);
  if (checked.language != info.language)
    base::fail(ExitCode::bad_input, "{} is {} source and cannot run on {}", candidate.name,
               core::name_of(candidate.language), info.id);
  if (const auto problems = task::check_plan(checked.plan, task, candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  if (checked.plan.tunables.empty())
    base::fail(ExitCode::bad_input, "the plan of {} has no [tune] table: there is nothing to tune",
               candidate.name);
  if (!options.force)
    (void)earlier_result(archive, options.out);  // said before anything is measured
  return Tuner(archive, task, candidate, info, options, watcher, cancelled).work();
}

}  // namespace hone::run
