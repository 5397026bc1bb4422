// The checks of one case that compare the errors of honest single precision, and of narrower
// precisions, with the tolerance.
#include <fmt/format.h>

#include <algorithm>

#include "core/precision.h"
#include "judge/admission_case.h"
#include "judge/admission_values.h"
#include "judge/wrong_element.h"

namespace hone::judge {
namespace {

using core::DType;
using core::Variant;
using Verdict = AdmissionCheck::Verdict;

// The part of an honest error that is not rounding of the result must be this many times smaller
// than what the tolerance leaves for it, because other draws and other orders of summation give
// somewhat larger errors.
constexpr double honest_margin = 2;

// `rounding`: the error that rounding the true result to the output's type makes, which no kernel
// can avoid.
void add_honest(CaseExamination& examined, std::size_t output, const std::string& name,
                const AnswerError& error, const AnswerError& rounding) {
  const double unavoidable =
      error.bound == rounding.bound ? std::min(rounding.figure, error.bound) : 0;
  const bool tight = honest_margin * (error.figure - unavoidable) > error.bound - unavoidable;
  const Verdict verdict = error.fails ? Verdict::failed : tight ? Verdict::doubtful : Verdict::ok;
  auto& check = add_check(examined, 26, name, examined.task.outputs[output].name, verdict, "");
  if (verdict == Verdict::failed)
    check.text = fmt::format(
        "the reference itself, in single precision, fails: its error is {:.3g}, and the tolerance "
        "allows {:.3g}. Honest kernels would be refused. Allow more, or, where a variant makes no "
        "sense for an input, leave it out (variants = [...])",
        error.figure, error.bound);
  if (verdict == Verdict::doubtful)
    check.text = fmt::format(
        "an honest error is {:.3g} and the tolerance {:.3g}: less than a factor of {:.0f} of room, "
        "so other honest kernels may be refused",
        error.figure, error.bound, honest_margin);
  set_figures(check, "must pass", error.figure, error.bound);
}

// The reference in single precision on `inputs`, rounded to the outputs' types, has to pass.
// `expected` must hold the true outputs for the same inputs.
void check_honest(CaseExamination& examined, const std::string& name, const BufferSet& inputs) {
  const auto& outputs = examined.task.outputs;
  set_expected_answer(examined);
  std::vector<AnswerError> rounding;
  for (std::size_t i = 0; i < outputs.size(); ++i) rounding.push_back(tolerance_error(examined, i));
  set_answer(examined, inputs, DType::f32);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (core::is_float(outputs[i].dtype) && outputs[i].dtype != DType::f64)
      add_honest(examined, i, name, tolerance_error(examined, i), rounding[i]);
}

// The same on the inputs in `changed`.
void check_honest_on_changed(CaseExamination& examined, const std::string& name) {
  std::vector<std::vector<unsigned char>> saved;  // the true outputs for the draw
  for (const auto& buffer : examined.expected.all())
    examined.ops.read(buffer.data, saved.emplace_back(buffer.data.bytes).data());
  examined.truth.compute(examined.which, DType::f64, examined.changed.all(),
                         examined.expected.all());
  check_honest(examined, name, examined.changed);
  for (std::size_t i = 0; i < saved.size(); ++i)
    examined.ops.write(examined.expected.all()[i].data, saved[i].data());
}

// Whether narrower precisions than single should be refused in this output: not where TF32 is a
// class of precision.
bool expects_single_precision(const CaseExamination& examined, std::size_t output) {
  return examined.task.outputs[output].dtype == DType::f32 &&
         !examined.bounds[output].narrow_by_tf32;
}

// An answer in a narrower precision than the task's f32 should be refused, or found by its rms
// error.
void add_narrow(CaseExamination& examined, std::size_t output, const std::string& name) {
  const AnswerError error = tolerance_error(examined, output);
  const double narrow = examined.bounds[output].narrow;
  const bool may_pass = core::any_precision(examined.task);
  const bool ok = error.fails || may_pass || (narrow > 0 && error.rms > narrow);
  auto& check = add_check(
      examined, 26, name, examined.task.outputs[output].name, ok ? Verdict::ok : Verdict::doubtful,
      ok ? ""
         : fmt::format("{} passes: its rms error is {:.3g}, an honest one {:.3g}. Make the "
                       "tolerance smaller if the task means single precision",
                       name, error.rms, examined.honest_rms[output]));
  set_figures(check, may_pass ? "may pass" : "should fail", error.figure, error.bound);
  check.one_case_suffices = true;
}

void check_half_precision_answers(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i) {
    if (!expects_single_precision(examined, i)) continue;
    auto values = values_of(examined.ops, examined.expected.all()[i]);
    std::transform(values.begin(), values.end(), values.begin(), rounded_to_half);
    write_values(examined.ops, examined.answer.all()[i], values);
    add_narrow(examined, i, "the answer rounded to half precision");
  }
}

void check_tf32_inputs(CaseExamination& examined) {
  const auto& inputs = examined.task.inputs;
  const auto& outputs = examined.task.outputs;
  const auto is_f32 = [](const auto& tensor) { return tensor.dtype == DType::f32; };
  if (std::none_of(inputs.begin(), inputs.end(), is_f32) ||
      std::none_of(outputs.begin(), outputs.end(), is_f32))
    return;
  copy_inputs(examined);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_f32(inputs[i])) continue;
    auto values = values_of(examined.ops, examined.inputs.all()[i]);
    std::transform(values.begin(), values.end(), values.begin(), rounded_to_tf32);
    write_values(examined.ops, examined.changed.all()[i], values);
  }
  set_answer(examined, examined.changed);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (expects_single_precision(examined, i)) add_narrow(examined, i, "inputs rounded to tf32");
}

}  // namespace

void check_precision(CaseExamination& examined) {
  const core::Task& task = examined.task;
  if (only_own_check_decides(task))
    return;  // errors against one of several right answers mean nothing
  const std::string name = "honest single precision";
  check_honest(examined, name, examined.inputs);
  check_half_precision_answers(examined);
  check_tf32_inputs(examined);
  for (const Variant variant :
       {Variant::shifted, Variant::flipped, Variant::heavy, Variant::large}) {
    const auto has_variant = [&](const core::Input& input) {
      return std::find(input.variants.begin(), input.variants.end(), variant) !=
             input.variants.end();
    };
    if (std::none_of(task.inputs.begin(), task.inputs.end(), has_variant)) continue;
    draw_inputs(task, examined.which, variant, examined.ops, examined.truth, examined.secrets,
                {&examined.changed.all()});
    check_honest_on_changed(examined, fmt::format("{}, {} inputs", name, name_of(variant)));
  }
  copy_inputs(examined);
  for (std::size_t i = 0; i < task.inputs.size(); ++i) change_input(examined, i, 0);
  check_honest_on_changed(examined, name + ", a few elements changed");
}

}  // namespace hone::judge
