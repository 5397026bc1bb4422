// The checks of one case that compare false answers with the tolerance, and that look at the
// outputs themselves.
#include <fmt/format.h>

#include <cmath>

#include "judge/admission_case.h"
#include "judge/admission_values.h"

namespace hone::judge {
namespace {

using core::Variant;
using Verdict = AdmissionCheck::Verdict;

constexpr int single_trials = 6;           // elements of an input that are changed one at a time
constexpr double least_that_matter = 0.5;  // the share of them that must move an output
constexpr double most_constant_lines =
    0.5;  // the share of an output's lines that may hold one value

std::size_t elements_of(const Guarded& buffer) {
  return buffer.shape.bytes / core::size_of(buffer.shape.dtype);
}

void check_output_spread(CaseExamination& examined, std::size_t output,
                         const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  const double tolerance = examined.bounds[output].max;
  const bool wide = spread.deviation > tolerance * spread.rms && spread.high > spread.low;
  auto& check = add_check(
      examined, 31, "spread", examined.task.outputs[output].name,
      wide ? Verdict::ok : Verdict::failed,
      wide ? ""
           : fmt::format("its values lie from {:.4g} to {:.4g} with a deviation of {:.3g}: within "
                         "the tolerance they are all the same, so there is nothing to compute",
                         spread.low, spread.high, spread.deviation));
  set_figures(check, "more than", spread.rms > 0 ? spread.deviation / spread.rms : 0, tolerance);
  check.one_case_suffices = true;
}

void check_constant_axes(CaseExamination& examined, std::size_t output,
                         const std::vector<double>& values) {
  const auto& dims = examined.shapes.outputs[output].dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] < 2) continue;
    const double constant = constant_lines(values, dims, axis, examined.bounds[output].max);
    const Verdict verdict = constant >= 1                    ? Verdict::failed
                            : constant > most_constant_lines ? Verdict::doubtful
                                                             : Verdict::ok;
    auto& check =
        add_check(examined, 31, fmt::format("constant along axis {}", axis),
                  examined.task.outputs[output].name, verdict,
                  verdict == Verdict::ok
                      ? ""
                      : fmt::format("{:.0f} % of its lines along axis {} hold one value from end "
                                    "to end: a kernel can compute one element and repeat it",
                                    100 * constant, axis));
    set_figures(check, "less than", constant, most_constant_lines);
    check.one_case_suffices = true;
  }
}

void check_false_answers_in(CaseExamination& examined, std::size_t output) {
  const std::vector<double> truth = values_of(examined.ops, examined.expected.all()[output]);
  const auto try_answer = [&](int row, const std::string& name, const std::vector<double>& values,
                              const char* meaning) {
    set_expected_answer(examined);  // in the other outputs
    write_values(examined.ops, examined.answer.all()[output], values);
    add_must_fail(examined, row, name, examined.task.outputs[output].name,
                  candidate_error(examined, output), meaning);
  };
  constexpr const char* loose =
      "A tolerance that large accepts any answer: make it smaller, or draw inputs whose answer is "
      "larger.";
  try_answer(27, "zeros", filled(truth.size(), 0), loose);
  // A single element is its own mean and its own shuffle. The answer to another call is checked for
  // it too.
  if (truth.size() > 1) {
    try_answer(27, "the mean of the answer", filled(truth.size(), mean_of(truth)), loose);
    try_answer(
        27, "the answer shuffled", shuffled(truth, examined.secrets.seed()),
        "The elements are too much alike to tell them apart: draw inputs that make them differ.");
  }
  for (std::size_t i = 0; i < examined.task.inputs.size(); ++i) {
    if (elements_of(examined.inputs.all()[i]) < truth.size()) continue;
    std::vector<double> input = values_of(examined.ops, examined.inputs.all()[i]);
    input.resize(truth.size());
    try_answer(3, fmt::format("{} given back", examined.task.inputs[i].name), input,
               "A kernel that copies would be accepted: draw inputs so that f(x) is not x.");
  }
}

// The mean of the values that a draw gives; an integer where it draws integers.
double mean_of_draw(const device::DrawRequest& request) {
  if (request.kind == core::DrawKind::normal) return request.a;
  if (request.kind == core::DrawKind::uniform) return (request.a + request.b) / 2;
  return std::floor((static_cast<double>(request.low) + static_cast<double>(request.high)) / 2);
}

bool can_draw(const device::DrawRequest& request, double value) {
  return request.kind != core::DrawKind::integers ||
         (value >= static_cast<double>(request.low) && value <= static_cast<double>(request.high));
}

void check_ignored_input(CaseExamination& examined, std::size_t input) {
  const std::string& name = examined.task.inputs[input].name;
  const auto check_changed = [&](const std::string& how) {
    add_must_fail(examined, 31, fmt::format("{} ignored: {}", name, how), "",
                  candidate_error_from(examined, examined.changed),
                  fmt::format("A kernel that never reads {} would be accepted: make it matter, or "
                              "leave it out of the task.",
                              name));
  };
  const auto request = draw_request(examined.task.inputs[input], examined.which, Variant::plain);
  copy_inputs(examined);
  draw_input(examined.task, examined.which, input, examined.ops, examined.truth, examined.secrets,
             examined.changed.all());
  if (request.kind == core::DrawKind::problem) {
    // Inputs of one draw may depend on each other (indices, offsets), so the reference may refuse a
    // mix of two draws.
    if (task_error([&] { check_changed("drawn anew"); }))
      examined.found.notes.push_back(
          fmt::format("case {}: whether {} can be ignored is not known; the reference cannot take "
                      "it from another draw",
                      examined.which.name, name));
    return;  // the problem may not be meant for constants
  }
  check_changed("drawn anew");
  if (request.kind == core::DrawKind::ends) return;  // a constant is not where ranges end
  const auto check_constant = [&](double value, const std::string& how) {
    if (!can_draw(request, value)) return;
    copy_inputs(examined);
    const Guarded& buffer = examined.changed.all()[input];
    write_values(examined.ops, buffer, filled(elements_of(buffer), value));
    check_changed(how);
  };
  const double mean = mean_of_draw(request);
  if (mean != 0) check_constant(mean, "its mean");
  check_constant(0, "zeros");
}

}  // namespace

void check_spread(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i) {
    const std::vector<double> values = values_of(examined.ops, examined.expected.all()[i]);
    if (values.size() < 2) continue;
    check_output_spread(examined, i, values);
    check_constant_axes(examined, i, values);
  }
}

void check_false_answers(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.outputs.size(); ++i)
    check_false_answers_in(examined, i);
  if (examined.task.inputs.empty()) return;
  draw_inputs(examined.task, examined.which, Variant::plain, examined.ops, examined.truth,
              examined.secrets, {&examined.changed.all()});
  add_must_fail(examined, 31, "the answer to another call", "",
                candidate_error_from(examined, examined.changed),
                "The output hardly depends on the inputs: a constant would be accepted.");
}

void check_ignored_inputs(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.inputs.size(); ++i) check_ignored_input(examined, i);
}

void check_changed_elements(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.inputs.size(); ++i) {
    const core::Input& input = examined.task.inputs[i];
    if (!has_elements_to_change(input)) continue;
    copy_inputs(examined);
    change_input(examined, i, 0);
    add_must_fail(
        examined, 28, fmt::format("{} with a few elements changed", input.name), "",
        candidate_error_from(examined, examined.changed),
        fmt::format(
            "A kernel that reads only a part of {}, or caches answers, could not be detected.",
            input.name));
  }
}

void check_single_elements(CaseExamination& examined) {
  for (std::size_t i = 0; i < examined.task.inputs.size(); ++i) {
    const core::Input& input = examined.task.inputs[i];
    if (!has_elements_to_change(input)) continue;
    int seen = 0;
    for (int trial = 0; trial < single_trials; ++trial) {
      copy_inputs(examined);
      change_input(examined, i, 1);
      seen += candidate_error_from(examined, examined.changed).fails ? 1 : 0;
    }
    const double share = static_cast<double>(seen) / single_trials;
    const bool most = share >= least_that_matter;
    auto& check = add_check(
        examined, 28, fmt::format("single elements of {} that matter", input.name), "",
        most ? Verdict::ok : Verdict::doubtful,
        most ? ""
             : fmt::format("only {} of {} elements of {}, changed one at a time, move an output "
                           "beyond the tolerance: a kernel that skips some may be accepted",
                           seen, single_trials, input.name));
    set_figures(check, "at least", share, least_that_matter);
    check.one_case_suffices = true;
  }
}

}  // namespace hone::judge
