#include "judge/precision/classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/floors.h"
#include "judge/room.h"
#include "judge/since.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;

namespace {

constexpr std::size_t draws = 2;  // of the problem's own inputs

// Errors on all draws of the problem's own inputs, beside those of torch.
struct ClassErrors {
  ErrorPair candidate, fp32, tf32;  // the worst over outputs and draws
  Placing in;
  std::int64_t refused = 0;  // elements that the problem's own check would refuse

  bool in_any() const { return in.fp32 || in.tf32 || refused == 0; }
  bool is_in(const std::string& wanted) const {
    return wanted == "fp32" ? in.fp32 : wanted == "tf32" ? in.tf32 : wanted == "protocol" ? refused == 0 : in_any();
  }
};

void widen(ErrorPair& worst, const std::vector<ErrorPair>& errors) {
  for (const auto& error : errors) {
    worst.max = std::max(worst.max, error.max);
    worst.rms = std::max(worst.rms, error.rms);
  }
}

std::string pair_text(const ErrorPair& error) { return fmt::format("rms {:.2g} and max {:.2g}", error.rms, error.max); }

void note(Evaluation& evaluation, const std::string& case_name, const std::string& tag, std::optional<double> value,
          const std::string& missing = "") {
  add_metric(evaluation, "class." + tag, "1", value, case_name, missing);
}

// Calls the candidate on each draw.
base::Result<ClassErrors, Finding> errors_on(CandidateTrial& trial, const std::vector<OwnInputs>& own) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  const core::Task& task = judge.task();
  ClassErrors errors;
  for (const auto& one : own) {
    const auto called = trial.call(one.entry, usual_call(judge));
    caller.forget(one.entry);
    if (!called) return base::Failure{called.error()};
    const Placing now = placed(called->errors.by_output, one);
    errors.in = {errors.in.fp32 && now.fp32, errors.in.tf32 && now.tf32};
    widen(errors.candidate, called->errors.by_output);
    widen(errors.fp32, one.fp32);
    widen(errors.tf32, one.entry.tf32);
    for (std::size_t i = 0; i < task.outputs.size(); ++i)
      errors.refused += judge.bench().not_close(working->all()[task.inputs.size() + i].data, task.outputs[i].dtype,
                                                one.eager->all()[i].data, official_tolerance);
  }
  return errors;
}

void note_errors(const ClassErrors& errors, const std::string& name, Evaluation& evaluation) {
  note(evaluation, name, "fp32.solved", errors.in.fp32 ? 1 : 0);
  note(evaluation, name, "tf32.solved", errors.in.tf32 ? 1 : 0);
  note(evaluation, name, "protocol.solved", errors.refused == 0 ? 1 : 0);
  note(evaluation, name, "error.max", errors.candidate.max);
  note(evaluation, name, "error.rms", errors.candidate.rms);
  note(evaluation, name, "fp32.eager.max", errors.fp32.max);
  note(evaluation, name, "fp32.eager.rms", errors.fp32.rms);
  note(evaluation, name, "tf32.eager.max", errors.tf32.max);
  note(evaluation, name, "tf32.eager.rms", errors.tf32.rms);
  note(evaluation, name, "protocol.refused", static_cast<double>(errors.refused));
}

// Each class beside what the device reaches in its precision; the case itself beside that of the precision it has.
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

MaybeFinding without_memory(const Judge& judge, const core::Case& which, Evaluation& evaluation) {
  const std::uint64_t needed = own_inputs_bytes(judge.task(), which) + torch_bytes(judge.task(), which);
  for (const char* tag : {"fp32.solved", "tf32.solved", "protocol.solved"})
    note(evaluation, which.name, tag, std::nullopt,
         fmt::format("{} MiB for the problem's own inputs and what torch makes of them cannot be had beside the rest",
                     needed >> 20));
  if (judge.task().wanted_class.empty()) return std::nullopt;
  return in_case(which.name, rejection(fmt::format("whether it is in class {} is not known for want of memory",
                                                   judge.task().wanted_class)));
}

}  // namespace

MaybeFinding place_in_classes(CandidateTrial& trial, CaseResult& result, Evaluation& evaluation) {
  auto& [judge, which, plan, working, bound, caller] = trial.parts();
  const core::Task& task = judge.task();
  const auto start = Clock::now();
  for (const auto& sentence : task.weak)
    add(evaluation,
        in_case(which.name, label(Guard::weak_check, fmt::format("{} {}{}", sentence, task.benchmark, proves_little))));
  const auto* own = &judge.inputs().own(which, draws);
  if (own->empty()) {  // the case's inputs have been used, and are drawn anew for the next candidate
    trial.give_up_known();
    own = &judge.inputs().own(which, draws);
  }
  if (own->empty()) return without_memory(judge, which, evaluation);
  const auto errors = errors_on(trial, *own);
  if (!errors) return errors.error();
  note_errors(*errors, which.name, evaluation);
  note_ceilings(judge, which, errors->in.fp32, result, evaluation);
  add_metric(evaluation, "seconds.classes", "s", since(start), which.name);
  if (errors->is_in(task.wanted_class) || !judge.options().guards.on(Guard::precision)) return std::nullopt;
  return in_case(
      which.name,
      conviction(
          Outcome::wrong, Guard::precision,
          fmt::format("{}: on the problem's own inputs its errors are {}, eager's {} in single precision, {} "
                      "with TF32, and {} element(s) are further from eager's than {}'s own check allows",
                      errors->in_any() ? fmt::format("not in class {}, which is asked for here", task.wanted_class)
                                       : "in no class of precision",
                      pair_text(errors->candidate), pair_text(errors->fp32), pair_text(errors->tf32), errors->refused,
                      task.benchmark)));
}

}  // namespace hone::judge
