#include "judge/precision/classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "judge/floors.h"
#include "judge/precision/placing.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

// Whether a candidate with these calls has solved the problem in the wanted class; "" takes any.
bool is_in(const ClassTally& calls, const std::string& wanted) {
  const Placing in = calls.placed();
  const bool protocol = calls.refused() == 0;
  if (wanted.empty()) return in.fp32 || in.tf32 || protocol;
  return wanted == "fp32" ? in.fp32 : wanted == "tf32" ? in.tf32 : protocol;
}

std::string pair_text(const ErrorPair& error) {
  return fmt::format("rms {:.2g} and max {:.2g}", error.rms, error.max);
}

void note(Evaluation& evaluation, const std::string& case_name, const std::string& tag,
          std::optional<double> value, const std::string& missing = "") {
  add_metric(evaluation, "class." + tag, "1", value, case_name, missing);
}

// Without the guard timed-class: two calls after timing decide, as if nothing told them from timed
// ones.
MaybeFinding call_twice_more(CandidateTrial& trial) {
  constexpr std::size_t own_draws[] = {
      0, 2};  // every second input is another one with a few elements changed
  trial.parts().caller.restart_classes();
  for (const std::size_t i : own_draws)
    if (i < trial.known().size())
      if (const auto called = trial.call(*trial.known()[i], usual_call(trial.parts().judge));
          !called)
        return called.error();
  return std::nullopt;
}

void note_errors(const ClassTally& calls, const std::string& name, Evaluation& evaluation) {
  const Placing in = calls.placed();
  note(evaluation, name, "fp32.solved", in.fp32 ? 1 : 0);
  note(evaluation, name, "tf32.solved", in.tf32 ? 1 : 0);
  note(evaluation, name, "protocol.solved", calls.refused() == 0 ? 1 : 0);
  note(evaluation, name, "error.max", calls.candidate().max);
  note(evaluation, name, "error.rms", calls.candidate().rms);
  note(evaluation, name, "fp32.eager.max", calls.fp32().max);
  note(evaluation, name, "fp32.eager.rms", calls.fp32().rms);
  note(evaluation, name, "tf32.eager.max", calls.tf32().max);
  note(evaluation, name, "tf32.eager.rms", calls.tf32().rms);
  note(evaluation, name, "protocol.refused", static_cast<double>(calls.refused()));
}

// Each class beside what the device reaches in its precision; the case itself beside that of the
// precision it has.
void note_ceilings(const Judge& judge, const core::Case& which, bool as_fp32, CaseResult& result,
                   Evaluation& evaluation) {
  CaseResult as_tf32 = result;
  apply_work(with_tf32_work(judge.task()), which, judge.info(), judge.options().ceilings, as_tf32);
  const auto note_one = [&](const char* name, const CaseResult& one) {
    note(evaluation, which.name, fmt::format("{}.ceiling", name), one.ceiling_fraction,
         one.ceiling_fraction ? "" : "the device's ceilings are not known");
  };
  note_one("fp32", result);
  note_one("tf32", as_tf32);
  if (!as_fp32) result = as_tf32;
  note_one("protocol", result);
}

}  // namespace

MaybeFinding place_in_classes(CandidateTrial& trial, CaseResult& result, Evaluation& evaluation) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  const core::Task& task = judge.task();
  for (const auto& sentence : task.weak)
    add(evaluation,
        in_case(which.name, label(Guard::weak_check, fmt::format("{} {}{}", sentence,
                                                                 task.benchmark, proves_little))));
  if (!trial.guards().on(Guard::timed_class))
    if (auto problem = call_twice_more(trial)) return problem;
  const ClassTally& calls = caller.results().classes();
  note_errors(calls, which.name, evaluation);
  note_ceilings(judge, which, calls.placed().fp32, result, evaluation);
  if (is_in(calls, task.wanted_class) || !judge.options().guards.on(Guard::precision))
    return std::nullopt;
  return in_case(
      which.name,
      conviction(
          Outcome::wrong, Guard::precision,
          fmt::format(
              "{}: over {} calls its errors are {}, eager's {} in single precision, {} with TF32, "
              "and {} further from eager's than {}'s own check allows",
              is_in(calls, "")
                  ? fmt::format("not in class {}, which is asked for here", task.wanted_class)
                  : "in no class of precision",
              calls.calls(), pair_text(calls.candidate()), pair_text(calls.fp32()),
              pair_text(calls.tf32()), base::counted(calls.refused(), "element"), task.benchmark)));
}

}  // namespace hone::judge
