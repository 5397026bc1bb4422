#include "judge/admission_case.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace hone::judge {
namespace {

using core::DType;
using core::Variant;
using Verdict = AdmissionCheck::Verdict;

constexpr double infinite = std::numeric_limits<double>::infinity();
// A false answer whose error is less than this many times the bound comes close to passing.
constexpr double near_miss = 4;

bool refused_by_own_check(CaseExamination& examined) {
  return examined.truth
      .official_refusal(examined.which, examined.inputs.all(), examined.answer.all())
      .has_value();
}

}  // namespace

CaseExamination::CaseExamination(const core::Task& task_, const core::Case& which_,
                                 device::TensorOps& ops_, Truth& truth_, Secrets& secrets_)
    : task(task_),
      which(which_),
      ops(ops_),
      truth(truth_),
      secrets(secrets_),
      shapes(task_shapes(task, which)),
      inputs(ops, shapes.inputs),
      changed(ops, shapes.inputs),
      expected(ops, expected_shapes(shapes.outputs)),
      computed(ops, expected_shapes(shapes.outputs)),
      answer(ops, shapes.outputs) {
  // The examination asks what wrong answers look like beside the truth, so it begins with real
  // inputs, the truth in double precision, and the error of an honest kernel.
  draw_inputs(task, which, Variant::plain, ops, truth, secrets, {&inputs.all()});
  truth.compute(which, DType::f64, inputs.all(), expected.all());
  honest_rms = truth.honest_errors(which, inputs.all(), shapes.outputs, expected.all());
  std::vector<ErrorPair> tf32(task.outputs.size());
  if (has_classes(task))
    tf32 = truth.torch_errors(which, "tf32", inputs.all(), shapes.outputs, expected.all());
  for (std::size_t i = 0; i < task.outputs.size(); ++i)
    bounds.push_back(bounds_for(task.outputs[i], honest_rms[i], tf32[i]));
}

// Above 1 is outside the tolerance. A bound of 0 allows nothing.
double relative_to_bound(const AnswerError& error) {
  if (error.bound > 0) return error.figure / error.bound;
  return error.figure > 0 ? infinite : 0;
}

bool only_own_check_decides(const core::Task& task) {
  return task.own_check && !task.own_check->unique;
}

void set_answer(CaseExamination& examined, const BufferSet& inputs, DType real) {
  examined.truth.compute(examined.which, real, inputs.all(), examined.computed.all());
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i)
    examined.ops.round_to(examined.computed.all()[i].data, examined.answer.all()[i].data,
                          examined.task.outputs[i].dtype);
}

void set_expected_answer(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i)
    examined.ops.round_to(examined.expected.all()[i].data, examined.answer.all()[i].data,
                          examined.task.outputs[i].dtype);
}

// By the bound that it exceeds the most: largest error or rms error.
AnswerError tolerance_error(CaseExamination& examined, std::size_t output) {
  const DType dtype = examined.task.outputs[output].dtype;
  const Bounds& bounds = examined.bounds[output];
  const auto distance = examined.ops.distance(examined.answer.all()[output].data, dtype,
                                              examined.expected.all()[output].data, bounds.max);
  const AnswerError by_max{distance.bad > 0, distance.max, bounds.max, distance.rms};
  const AnswerError by_rms{distance.rms > bounds.rms, distance.rms, bounds.rms, distance.rms};
  const bool has_rms_bound = core::is_float(dtype);
  AnswerError error =
      has_rms_bound && relative_to_bound(by_rms) > relative_to_bound(by_max) ? by_rms : by_max;
  error.fails = by_max.fails || (has_rms_bound && by_rms.fails) || distance.nonfinite > 0;
  if (distance.nonfinite > 0) error.figure = infinite;
  return error;
}

AnswerError candidate_error(CaseExamination& examined, std::size_t output) {
  AnswerError error = tolerance_error(examined, output);
  if (only_own_check_decides(examined.task)) {
    error.fails = refused_by_own_check(examined);
    error.figure = error.fails ? infinite : 0;
    error.bound = 1;
  } else if (examined.task.own_check && !error.fails && refused_by_own_check(examined)) {
    error.fails = true;  // the own check is stricter than the tolerance
    error.figure = infinite;
  }
  return error;
}

AnswerError candidate_error_from(CaseExamination& examined, const BufferSet& inputs) {
  set_answer(examined, inputs);
  // An answer is refused where any of its outputs is, so the one that is farthest off says how
  // clearly.
  AnswerError worst;
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i) {
    const AnswerError error = candidate_error(examined, i);
    if (i == 0 || relative_to_bound(error) > relative_to_bound(worst)) worst = error;
  }
  return worst;
}

void copy_inputs(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.inputs.all().size(); ++i)
    examined.ops.copy(examined.inputs.all()[i].data, examined.changed.all()[i].data);
}

void change_input(CaseExamination& examined, std::size_t input, std::uint64_t count) {
  // Large values, so that a changed element is seen in a sum over many.
  if (!examined.other_inputs)
    examined.other_inputs = other_draw(examined.task, examined.which, Variant::large, examined.ops,
                                       examined.truth, examined.secrets);
  constexpr Variant large[] = {Variant::large};
  change_elements(examined.task, examined.which, input, count, examined.changed.all()[input],
                  examined.other_inputs.get(), large, examined.ops, examined.secrets);
}

AdmissionCheck& add_check(CaseExamination& examined, int row, const std::string& name,
                          const std::string& output, Verdict verdict, std::string text) {
  AdmissionCheck& check = examined.found.checks.emplace_back();
  check.verdict = verdict;
  check.row = row;
  check.name = name;
  check.case_name = examined.which.name;
  check.output = output;
  check.text = std::move(text);
  return check;
}

void set_figures(AdmissionCheck& check, const std::string& expectation, double figure,
                 double bound) {
  check.expectation = expectation;
  check.figure = figure;
  check.bound = bound;
  check.has_figures = true;
}

void add_must_fail(CaseExamination& examined, int row, const std::string& name,
                   const std::string& output, const AnswerError& error,
                   const std::string& meaning) {
  Verdict verdict = Verdict::ok;
  std::string text;
  if (!error.fails) {
    verdict = Verdict::failed;
    text = fmt::format("{} passes: its error is {:.3g}, and the tolerance allows {:.3g}. {}", name,
                       error.figure, error.bound, meaning);
  } else if (relative_to_bound(error) < near_miss) {
    verdict = Verdict::doubtful;
    text = fmt::format(
        "{} fails, but not by much: its error is {:.3g}, and the tolerance allows {:.3g}. {}", name,
        error.figure, error.bound, meaning);
  }
  AdmissionCheck& check = add_check(examined, row, name, output, verdict, text);
  set_figures(check, "must fail", error.figure, error.bound);
  // A case may be too small or too smooth to show it, where another one does.
  check.one_case_suffices = true;
}

std::optional<std::string> task_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const base::Error& error) {
    // The task's own mistake becomes part of what was found; a broken machine ends the examination.
    if (error.code() != base::ExitCode::bad_input) throw;
    return error.what();
  }
  return std::nullopt;
}

}  // namespace hone::judge
