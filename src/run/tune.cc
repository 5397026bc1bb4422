#include "run/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/files.h"
#include "base/words.h"
#include "judge/compare.h"
#include "judge/doubt.h"
#include "judge/finding.h"
#include "run/finals.h"
#include "run/outlook.h"
#include "run/record.h"
#include "run/tune_output.h"
#include "task/candidate_loader.h"
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
  Tuner(store::Archive& archive, const core::Task& task, const core::Candidate& candidate, const core::DeviceInfo& info,
        const TuneOptions& options, const TuneWatcher& watcher, const Interrupt& interrupt)
      : archive_(archive),
        task_(task),
        candidate_(candidate),
        info_(info),
        options_(options),
        watcher_(watcher),
        interrupt_(interrupt),
        default_(core::default_point(candidate.plan)),
        run_(open_tuning_run(archive, task, candidate, info, options)) {}

  TuneResult work() {
    result_.run = run_.id;
    try {
      search();
      if (!interrupt_.requested()) conclude();
    } catch (const base::Error& error) {
      if (!interrupt_.requested()) {
        store::set_tuning_state(archive_, run_.id, TuningState::failed, error.what());
        throw;
      }
    }
    result_.interrupted = interrupt_.requested();
    if (result_.interrupted) result_.stopped = result_.conclusion = interrupted_note;
    const bool whole = !result_.interrupted && searched_all_;
    // What certification refused is no winner.
    const bool passed = result_.certified && result_.certified->evaluation.outcome == core::Outcome::accepted;
    store::set_tuning_state(archive_, run_.id, whole ? TuningState::finished : TuningState::stopped, result_.stopped,
                            passed ? std::optional(result_.certified->id) : std::nullopt,
                            passed ? std::optional(result_.tuned->hash) : std::nullopt);
    return std::move(result_);
  }

 private:
  judge::Judge& judge() {
    if (!judge_) {
      auto judging = options_.judging;
      judging.spare_runners =
          core::capabilities(info_).native_code ? 0 : 2;  // where starting one costs more than the memory it holds
      judge_.emplace(task_, info_, judging);
    }
    return *judge_;
  }

  std::size_t timed_cases() {
    if (!timed_cases_) {
      const auto cases = judge().cases(options_.case_name);
      timed_cases_ = static_cast<std::size_t>(
          std::count_if(cases.begin(), cases.end(), [](const core::Case* which) { return which->timed; }));
      if (*timed_cases_ == 0)
        base::fail(ExitCode::bad_input, "there is no timed case of {} for {}{}: nothing can be tuned", task_.name,
                   info_.id, options_.case_name.empty() ? "" : " named " + options_.case_name);
    }
    return *timed_cases_;
  }

  void search();
  std::string budget_spent(Clock::time_point start) const;
  std::optional<core::Evaluation> measure(const core::Point& point);
  void note(const core::Point& point, const core::Evaluation& evaluation);
  void conclude();
  bool crown(const core::Point& point);
  void write(const core::Candidate& tuned);
  std::vector<core::Point> ranked_points();

  store::Archive& archive_;
  const core::Task& task_;
  const core::Candidate& candidate_;
  const core::DeviceInfo& info_;
  const TuneOptions& options_;
  const TuneWatcher& watcher_;
  const Interrupt& interrupt_;
  const core::Point default_;
  TuningRun run_;
  std::map<core::Point, core::Evaluation> met_;  // every point of this run
  std::optional<judge::Judge> judge_;
  std::optional<std::size_t> timed_cases_;
  bool searched_all_ = false;
  TuneResult result_;
};

std::string Tuner::budget_spent(Clock::time_point start) const {
  if (result_.status.allowed > 0 && result_.status.done >= result_.status.allowed)
    return fmt::format("the limit of {} is reached",
                       base::counted(static_cast<std::int64_t>(result_.status.allowed), "evaluation"));
  if (options_.max_minutes > 0 && minutes_since(start) >= options_.max_minutes)
    return fmt::format("{:g} minutes were allowed", options_.max_minutes);
  return "";
}

void Tuner::search() {
  const search::Space space(candidate_.plan, core::device_symbols(info_));
  const auto strategy = search::make_point_search(run_.settings.strategy, space, run_.settings.seed);
  if (strategy->done())
    base::fail(ExitCode::bad_input, "no point of the [tune] space of {} satisfies its `where` on {}", candidate_.name,
               info_.id);
  TuneStatus& status = result_.status;
  status.total = strategy->total();
  status.allowed = options_.max_evals > 0                                  ? options_.max_evals
                   : run_.settings.strategy == search::PointSearchKind::local ? most_evals
                                                                           : 0;
  result_.strategy = strategy->describe();
  watcher_.say(run_.known.empty() ? fmt::format("tuning run {}: {}", run_.id, result_.strategy)
                                  : fmt::format("tuning run {}: {}; goes on, {} points are known", run_.id,
                                                result_.strategy, run_.known.size()));
  timed_cases();
  const auto start = Clock::now();
  while (!interrupt_.requested() && (result_.stopped = budget_spent(start)).empty()) {
    const auto point = strategy->ask();
    if (!point) break;
    const auto known = run_.known.find(*point);
    if (known != run_.known.end()) ++status.known;
    const auto evaluation = known != run_.known.end() ? std::optional(known->second) : measure(*point);
    if (!evaluation) return;  // interrupted: it is not known what the point would have done
    strategy->tell(told_from(*evaluation, timed_cases()));
    note(*point, *evaluation);
  }
  searched_all_ = strategy->done() || (status.total && status.done >= *status.total);
  if (searched_all_) result_.stopped = "every point was tried";
}

std::optional<core::Evaluation> Tuner::measure(const core::Point& point) {
  const auto best = met_.find(result_.status.best);
  Outlook outlook(result_.status.best_seconds ? medians_of(best->second) : std::map<std::string, double>{},
                  core::clock_of(info_));
  judge::EvaluateOptions evaluate;
  evaluate.case_name = options_.case_name;
  evaluate.point = point;
  evaluate.stop_early = [&](const core::CaseResult& latest) { return outlook.hopeless(latest); };
  auto evaluation = judge::evaluate_in_doubt(judge(), candidate_, evaluate);
  // A runner that went down with us says nothing about the point.
  if (interrupt_.requested() && evaluation.outcome == core::Outcome::crashed) return std::nullopt;
  store::record_evaluation(archive_, evaluation, info_.name, run_.id);
  return evaluation;
}

void Tuner::note(const core::Point& point, const core::Evaluation& evaluation) {
  TuneStatus& status = result_.status;
  met_[point] = evaluation;
  ++status.done;
  if (judge::was_stopped_early(evaluation))
    ++status.given_up;
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

// The points that may be the best, the best first, as far as this process can tell. Empty: none is better than the
// default.
std::vector<core::Point> Tuner::ranked_points() {
  const auto finalists = choose_finalists(met_, default_, core::clock_of(info_));
  std::vector<core::Point> ranked;
  if (!result_.status.default_seconds) {
    for (const auto& finalist : finalists) ranked.push_back(finalist.point);
    return ranked;
  }
  const Finals finals{archive_, task_, candidate_, info_, options_, run_, interrupt_};
  for (const auto& finalist : finalists) {
    if (interrupt_.requested()) return {};
    watcher_.say(
        fmt::format("comparing with the default: finalist {} of {}", result_.finals.size() + 1, finalists.size()));
    if (auto compared = compare_with_default(finals, judge(), finalist.point))
      result_.finals.push_back(*std::move(compared));
  }
  std::stable_sort(result_.finals.begin(), result_.finals.end(),
                   [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
  for (const auto& final : result_.finals)
    if (final.word == core::Comparison::faster) ranked.push_back(final.b.point);
  return ranked;
}

// True: the point is the winner, or the end of the matter; false: the next one may try.
bool Tuner::crown(const core::Point& point) {
  const Finals finals{archive_, task_, candidate_, info_, options_, run_, interrupt_};
  const std::string source = task::set_defaults(candidate_.source, point);
  const auto tuned = task::candidate_from(source, candidate_.language, options_.out.filename().string());
  if (!tuned) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(tuned.error()));
  record_candidate(archive_, *tuned, {{candidate_.hash}, tuner_name, "tuning run " + run_.id});
  const base::TemporaryFolder folder("hone-tuned");
  const auto file = folder.path() / options_.out.filename();
  base::write_file_atomically(file, source);
  judge_.reset();             // its memory is not needed any more, and may be by the fresh process
  result_.certified.reset();  // of the point before
  watcher_.say("certifying the winner in a fresh process");
  result_.tuned = *tuned;
  result_.certified = certify(finals, *tuned, file);
  if (interrupt_.requested()) return true;
  if (result_.certified->evaluation.outcome != core::Outcome::accepted) {
    watcher_.say(fmt::format("the best point did not pass certification: {}",
                             core::name_of(result_.certified->evaluation.outcome)));
    return false;
  }
  if (result_.status.default_seconds) {
    watcher_.say("comparing it with the default in a fresh process");
    result_.compared = compare_afresh(finals, *tuned, file);
    if (interrupt_.requested()) return true;
    if (!result_.compared || result_.compared->word != core::Comparison::faster) {
      result_.conclusion = fmt::format(
          "the best point's lead over the default was not confirmed in a fresh process ({}): the default stands",
          result_.compared ? core::sentence(result_.compared->word, "the point", "the default")
                           : "one of the two was not accepted");
      return true;
    }
  }
  result_.winner = point;
  result_.conclusion = result_.status.default_seconds
                           ? "a faster point was found and confirmed in a fresh process"
                           : "the default was not accepted; the best point that was is certified";
  write(*tuned);
  return true;
}

// Where an earlier result stands, the faster of the two stays there.
void Tuner::write(const core::Candidate& tuned) {
  std::filesystem::path out = options_.out;
  std::optional<core::Candidate> earlier;
  try {
    if (!options_.force) earlier = earlier_result(archive_, out);
  } catch (const base::Error&) {
    out = free_name_like(out);  // it was changed while this run was searching
  }
  if (earlier && earlier->hash != tuned.hash) {
    watcher_.say(fmt::format("comparing it with the earlier result in {}", out.string()));
    const auto compared = judge::compare(judge(), *earlier, tuned, {}, {}, judge::compare_rule(core::clock_of(info_)));
    if (compared.a.outcome == core::Outcome::accepted &&
        (!compared.compared || compared.word != core::Comparison::faster)) {
      result_.conclusion += fmt::format(
          "; {} has an earlier result that is no slower, and stays as it is (--force overwrites it)", out.string());
      return;
    }
  }
  base::write_file_atomically(out, tuned.source);
  result_.written = out;
}

void Tuner::conclude() {
  if (!result_.status.best_seconds) {
    result_.conclusion = "no point was accepted";
    return;
  }
  const auto ranked = ranked_points();
  for (const auto& point : ranked)
    if (interrupt_.requested() || crown(point)) return;
  if (!ranked.empty()) {
    result_.conclusion = "none of the best points passed certification: the default stands";
  } else if (result_.finals.empty()) {
    result_.conclusion =
        result_.status.default_seconds ? "no other point came near the default: it stands" : "no point was accepted";
  } else {
    result_.conclusion = default_stands_text(result_.finals.front());
  }
}

}  // namespace

std::string default_stands_text(const store::ComparisonRecord& closest) {
  const std::string numbers = fmt::format("{:.4f} of its time, 99 %: {:.4f} to {:.4f}", closest.ratio,
                                          closest.interval.low, closest.interval.high);
  if (closest.word == core::Comparison::cannot_tell)
    return fmt::format(
        "it could not be told whether the best other point is faster than the default ({}), which stands: tune again "
        "with --fresh when the machine is idle",
        numbers);
  return fmt::format("nothing beat the default: {} ({})",
                     core::sentence(closest.word, "the best other point", "the default"), numbers);
}

TuneResult tune(store::Archive& archive, const core::Task& task, const core::Candidate& candidate,
                const core::DeviceInfo& info, const TuneOptions& options, const TuneWatcher& watcher,
                const Interrupt& interrupt) {
  core::Candidate checked = candidate;
  if (checked.language == core::Language::python)
    base::fail(ExitCode::bad_input, "{} is Python, which has no [tune] table: there is nothing to tune",
               candidate.name);
  if (checked.language != info.language)
    base::fail(ExitCode::bad_input, "{} is {} source and cannot run on {}", candidate.name,
               core::name_of(candidate.language), info.id);
  if (const auto problems = task::check_plan(checked.plan, task, candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  if (checked.plan.tunables.empty())
    base::fail(ExitCode::bad_input, "the plan of {} has no [tune] table: there is nothing to tune", candidate.name);
  if (!options.force) (void)earlier_result(archive, options.out);  // said before anything is measured
  return Tuner(archive, task, candidate, info, options, watcher, interrupt).work();
}

}  // namespace hone::run
