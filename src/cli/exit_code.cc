#include "cli/exit_code.h"

#include <algorithm>

#include "app/compare.h"

namespace hone::cli {

using base::ExitCode;
using core::Outcome;

namespace {

ExitCode passed(bool it_did) { return it_did ? ExitCode::ok : ExitCode::not_accepted; }

// Where two could not be compared: what one of them has to do with that. A side that was never
// judged, because the other one was refused first, has nothing to do with it.
ExitCode code_against(const core::Evaluation& side) {
  return judge::was_judged(side) ? exit_code(side.outcome) : ExitCode::ok;
}

}  // namespace

ExitCode exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::accepted:
      return ExitCode::ok;
    case Outcome::undecided:
      return ExitCode::undecided;
    default:
      return ExitCode::not_accepted;
  }
}

ExitCode worse(ExitCode a, ExitCode b) {
  for (const auto code : {ExitCode::not_accepted, ExitCode::undecided})
    if (a == code || b == code) return code;
  return a;
}

ExitCode exit_code(const app::EvaluateResult& result) {
  auto code = ExitCode::ok;
  for (const auto& verdict : result.verdicts)
    code = worse(code, exit_code(verdict.evaluation.outcome));
  return code;
}

ExitCode exit_code(const app::ProfileResult& result) {
  return result.profile ? ExitCode::ok : exit_code(result.refusal.outcome);
}

ExitCode exit_code(const judge::ComparisonResult& result) {
  if (!result.refusal.empty()) return ExitCode::environment;
  if (!result.compared) {
    const auto code = worse(code_against(result.a), code_against(result.b));
    return code == ExitCode::ok ? ExitCode::not_accepted : code;
  }
  switch (result.word) {
    case core::Comparison::faster:
      return ExitCode::ok;
    case core::Comparison::slower:
      return ExitCode::slower;
    case core::Comparison::same:
      return ExitCode::same;
    default:
      return ExitCode::cannot_tell;
  }
}

ExitCode exit_code(const run::TuneResult& result) {
  if (result.interrupted) return ExitCode::interrupted;
  if (result.status.best_seconds) return ExitCode::ok;
  return result.status.undecided > 0 ? ExitCode::undecided : ExitCode::not_accepted;
}

ExitCode exit_code(const app::RunDone& done, bool interrupted) {
  const run::RunResult& result = done.result;
  if (result.state == store::RunState::away) return ExitCode::away;
  if (result.state == store::RunState::stopped)
    return interrupted ? ExitCode::interrupted : ExitCode::environment;
  if (done.settings.budget.usd > 0 && result.status.spending.calls == 0)
    base::fail(ExitCode::usage, "nothing was asked: {}. Allow more with --max-usd", result.stopped);
  if (result.best) return ExitCode::ok;
  return result.certification ? exit_code(result.certification->record.evaluation.outcome)
                              : ExitCode::not_accepted;
}

ExitCode exit_code(const app::LearnResult& result) {
  return result.cancelled ? ExitCode::interrupted : passed(result.learned.problems.empty());
}

ExitCode exit_code(const app::Recheck& verdict) {
  using Word = app::Recheck::Word;
  return verdict.word == Word::not_accepted ? ExitCode::not_accepted
         : verdict.word == Word::undecided  ? ExitCode::undecided
         : verdict.word == Word::slower     ? ExitCode::slower
                                            : ExitCode::ok;
}

ExitCode exit_code(const app::BaselineResult& result) {
  if (!result.complete) return ExitCode::unfinished;
  return passed(std::all_of(result.lines.begin(), result.lines.end(),
                            [](const auto& line) { return line.failed.empty(); }));
}

ExitCode exit_code(const app::BundleRunResult& result, bool interrupted) {
  if (interrupted) return ExitCode::interrupted;
  return result.open == 0 ? ExitCode::ok : ExitCode::unfinished;
}

ExitCode exit_code(const app::TaskCheckResult& result) {
  return result.malformed.empty() ? passed(result.admitted()) : ExitCode::bad_input;
}

ExitCode exit_code(const app::WeakProblemsResult& result) {
  return passed(result.weak + result.refused == 0);
}

// A specimen that came through is worse news than a machine that is too busy.
ExitCode exit_code(const app::SelftestResult& result) {
  if (result.bad > 0) return ExitCode::not_accepted;
  return result.undecided > 0 ? ExitCode::undecided : ExitCode::ok;
}

ExitCode exit_code(const app::DoctorResult& result) {
  return result.can_judge() ? ExitCode::ok : ExitCode::environment;
}

}  // namespace hone::cli
