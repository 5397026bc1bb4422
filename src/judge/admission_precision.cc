// What a task's tolerance makes of honest errors, and of those of narrower precisions.
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

// What an honest error has besides the rounding of its result must stay this far inside what the tolerance leaves:
// other draws are a little worse, and so are other orders of summation.
constexpr double honest_room = 2;

}  // namespace

void CaseExamination::precision() {
  if (only_official()) return;  // no one answer, no one error
  const std::string what = "honest single precision";
  honest(what);
  narrower();
  for (const Variant variant : {Variant::shifted, Variant::flipped, Variant::heavy, Variant::large}) {
    const auto takes = [&](const core::Input& input) {
      return std::find(input.variants.begin(), input.variants.end(), variant) != input.variants.end();
    };
    if (std::none_of(task_.inputs.begin(), task_.inputs.end(), takes)) continue;
    honest(fmt::format("{}, {} inputs", what, name_of(variant)),
           [&] { draw_inputs(task_, case_, variant, bench_, truth_, secrets_, changed_.all()); });
  }
  honest(what + ", a few elements changed", [&] {
    copy_inputs();
    for (std::size_t i = 0; i < task_.inputs.size(); ++i) change(i, 0);
  });
}

// What the reference makes in single precision, rounded to the output's type, has to pass.
void CaseExamination::honest(const std::string& what, const std::function<void()>& lay_out) {
  std::vector<std::vector<unsigned char>> own_truth;
  if (lay_out) {
    for (const auto& buffer : expected_.all())
      bench_.read(buffer.data, own_truth.emplace_back(buffer.data.bytes).data());
    lay_out();
    truth_.compute(case_, DType::f64, changed_.all(), expected_.all());
  }
  // The true answer in the output's own type: nobody comes nearer.
  std::vector<Held> rounding;
  for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
    bench_.round_to(expected_.all()[i].data, actual_.all()[i].data, task_.outputs[i].dtype);
    rounding.push_back(hold(i));
  }
  (void)answer_for(lay_out ? changed_ : inputs_, DType::f32, false);
  for (std::size_t i = 0; i < task_.outputs.size(); ++i)
    if (const DType dtype = task_.outputs[i].dtype; core::is_float(dtype) && dtype != DType::f64)
      judge_honest(i, what, hold(i), rounding[i]);
  for (std::size_t i = 0; i < own_truth.size(); ++i) bench_.write(expected_.all()[i].data, own_truth[i].data());
}

void CaseExamination::judge_honest(std::size_t output, const std::string& what, const Held& held,
                                   const Held& rounding) {
  const double unavoidable = held.bound == rounding.bound ? std::min(rounding.figure, held.bound) : 0;
  const bool tight = honest_room * (held.figure - unavoidable) > held.bound - unavoidable;
  const Verdict verdict = held.fails ? Verdict::failed : tight ? Verdict::doubtful : Verdict::ok;
  auto& check = add(26, what, task_.outputs[output].name, verdict, "");
  if (verdict == Verdict::failed)
    check.text = fmt::format(
        "the reference itself, in single precision, fails: its error is {:.3g}, and the tolerance allows {:.3g}. "
        "Honest kernels would be refused. Allow more, or, where a variant makes no sense for an input, leave it out "
        "(variants = [...])",
        held.figure, held.bound);
  if (verdict == Verdict::doubtful)
    check.text = fmt::format(
        "an honest error is {:.3g} and the tolerance {:.3g}: less than a factor of {:.0f} of room, so other honest "
        "kernels may be refused",
        held.figure, held.bound, honest_room);
  check.expectation = "must pass";
  check.figure = held.figure;
  check.bound = held.bound;
  check.has_figures = true;
}

// A kernel that computes in half precision or with tf32 operands where the task says f32 should not be accepted.
void CaseExamination::narrower() {
  const auto caught = [&](std::size_t i, const Held& held) {
    return held.fails || (bounds_[i].narrow > 0 && held.rms > bounds_[i].narrow && !core::any_precision(task_));
  };
  const bool may_pass = core::any_precision(task_);
  const auto report = [&](std::size_t i, const std::string& what, const Held& held) {
    const bool found = caught(i, held);
    auto& check = add(26, what, task_.outputs[i].name, found || may_pass ? Verdict::ok : Verdict::doubtful,
                      found || may_pass
                          ? ""
                          : fmt::format("{} passes: its rms error is {:.3g}, an honest one {:.3g}. Make the tolerance "
                                        "smaller if the task means single precision",
                                        what, held.rms, honest_rms_[i]));
    check.expectation = may_pass ? "may pass" : "should fail";
    check.one_case_will_do = true;
    check.figure = held.figure;
    check.bound = held.bound;
    check.has_figures = true;
  };
  bool any = false;
  for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
    if (task_.outputs[i].dtype != DType::f32) continue;
    any = true;
    if (bounds_[i].narrow_by_tf32) continue;  // where TF32 is a class, what is as near as that may pass
    auto values = values_of(bench_, expected_.all()[i]);
    std::transform(values.begin(), values.end(), values.begin(), rounded_to_half);
    write_values(bench_, actual_.all()[i], values);
    report(i, "the answer rounded to half precision", hold(i));
  }
  if (!any) return;
  copy_inputs();
  bool narrowed = false;
  for (std::size_t k = 0; k < task_.inputs.size(); ++k) {
    if (task_.inputs[k].dtype != DType::f32) continue;
    auto values = values_of(bench_, inputs_.all()[k]);
    std::transform(values.begin(), values.end(), values.begin(), rounded_to_tf32);
    write_values(bench_, changed_.all()[k], values);
    narrowed = true;
  }
  if (!narrowed) return;
  (void)answer_for(changed_, DType::f64, false);
  for (std::size_t i = 0; i < task_.outputs.size(); ++i)
    if (task_.outputs[i].dtype == DType::f32 && !bounds_[i].narrow_by_tf32)
      report(i, "inputs rounded to tf32", hold(i));
}

}  // namespace hone::judge
