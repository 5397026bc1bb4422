#include "judge/admission_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "judge/admission_values.h"

namespace hone::judge {
namespace {

using core::DType;
using core::Variant;

constexpr double infinite = std::numeric_limits<double>::infinity();
// A false answer that fails by less than this factor comes near to passing.
constexpr double near_miss = 4;
constexpr int single_trials = 6;

std::size_t elements_of(const Guarded& buffer) { return buffer.shape.bytes / core::size_of(buffer.shape.dtype); }

}  // namespace

double beyond(double figure, double bound) {
  if (bound > 0) return figure / bound;
  return figure > 0 ? infinite : 0;
}

CaseExamination::CaseExamination(const core::Task& task, const core::Case& which, device::Workbench& bench,
                                 Truth& truth, Secrets& secrets, Admission& admission)
    : task_(task),
      case_(which),
      bench_(bench),
      truth_(truth),
      secrets_(secrets),
      admission_(admission),
      shapes_(task_shapes(task, which)),
      inputs_(bench, shapes_.inputs),
      changed_(bench, shapes_.inputs),
      expected_(bench, expected_shapes(shapes_.outputs)),
      other_(bench, expected_shapes(shapes_.outputs)),
      actual_(bench, shapes_.outputs) {
  draw_inputs(task, which, Variant::plain, bench, truth, secrets, inputs_.all());
  truth.compute(which, DType::f64, inputs_.all(), expected_.all());
  honest_rms_ = truth.honest_errors(which, inputs_.all(), shapes_.outputs, expected_.all());
  std::vector<ErrorPair> tf32(task.outputs.size());
  if (has_classes(task)) tf32 = truth.torch_errors(which, "tf32", inputs_.all(), shapes_.outputs, expected_.all());
  for (std::size_t i = 0; i < task.outputs.size(); ++i)
    bounds_.push_back(bounds_for(task.outputs[i], honest_rms_[i], tf32[i]));
}

AdmissionCheck& CaseExamination::add(int row, const std::string& name, const std::string& output, Verdict verdict,
                                     std::string text) {
  AdmissionCheck check;
  check.verdict = verdict;
  check.row = row;
  check.name = name;
  check.case_name = case_.name;
  check.output = output;
  check.text = std::move(text);
  return admission_.checks.emplace_back(std::move(check));
}

CaseExamination::Held CaseExamination::hold(std::size_t output, bool officially) {
  const auto& declared = task_.outputs[output];
  const Bounds& bounds = bounds_[output];
  const auto distance =
      bench_.distance(actual_.all()[output].data, declared.dtype, expected_.all()[output].data, bounds.max);
  Held held;
  held.rms = distance.rms;
  const bool by_rms =
      core::is_float(declared.dtype) && beyond(distance.rms, bounds.rms) > beyond(distance.max, bounds.max);
  held.figure = by_rms ? distance.rms : distance.max;
  held.bound = by_rms ? bounds.rms : bounds.max;
  if (distance.nonfinite > 0) held.figure = infinite;
  held.fails =
      distance.bad > 0 || distance.nonfinite > 0 || (core::is_float(declared.dtype) && distance.rms > bounds.rms);
  if (!officially) return held;
  if (only_official()) {
    held.fails = officially_refused();
    held.figure = held.fails ? infinite : 0;
    held.bound = 1;
  } else if (task_.own_check && !held.fails && officially_refused()) {
    held.fails = true;  // by the problem's own check, which is nearer
    held.figure = infinite;
  }
  return held;
}

void CaseExamination::right_answers() {
  for (std::size_t i = 0; i < task_.outputs.size(); ++i)
    bench_.round_to(expected_.all()[i].data, actual_.all()[i].data, task_.outputs[i].dtype);
}

void CaseExamination::change(std::size_t input, std::uint64_t count) {
  if (!other_inputs_) other_inputs_ = other_draw(task_, case_, Variant::large, bench_, truth_, secrets_);
  change_elements(task_, case_, input, count, changed_.all()[input], other_inputs_.get(), Variant::large, bench_,
                  secrets_);
}

CaseExamination::Held CaseExamination::hold_all(bool officially) {
  Held furthest;
  for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
    const Held held = hold(i, officially);
    if (i == 0 || beyond(held.figure, held.bound) > beyond(furthest.figure, furthest.bound)) furthest = held;
  }
  return furthest;
}

CaseExamination::Held CaseExamination::answer_for(const BufferSet& inputs, DType real, bool officially) {
  truth_.compute(case_, real, inputs.all(), other_.all());
  for (std::size_t i = 0; i < task_.outputs.size(); ++i)
    bench_.round_to(other_.all()[i].data, actual_.all()[i].data, task_.outputs[i].dtype);
  return hold_all(officially);
}

void CaseExamination::must_fail(int row, const std::string& name, const std::string& output, const Held& held,
                                const std::string& meaning) {
  Verdict verdict = Verdict::ok;
  std::string text;
  if (!held.fails) {
    verdict = Verdict::failed;
    text = fmt::format("{} passes: its error is {:.3g}, and the tolerance allows {:.3g}. {}", name, held.figure,
                       held.bound, meaning);
  } else if (beyond(held.figure, held.bound) < near_miss) {
    verdict = Verdict::doubtful;
    text = fmt::format("{} fails, but not by much: its error is {:.3g}, and the tolerance allows {:.3g}. {}", name,
                       held.figure, held.bound, meaning);
  }
  AdmissionCheck& check = add(row, name, output, verdict, text);
  check.expectation = "must fail";
  check.one_case_will_do = true;
  check.figure = held.figure;
  check.bound = held.bound;
  check.has_figures = true;
}

void CaseExamination::false_answers() {
  for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
    const Guarded& actual = actual_.all()[i];
    const std::string& name = task_.outputs[i].name;
    const std::vector<double> truth = values_of(bench_, expected_.all()[i]);
    const auto try_answer = [&](int row, const std::string& what, const std::vector<double>& values,
                                const char* meaning) {
      right_answers();
      write_values(bench_, actual, values);
      must_fail(row, what, name, hold(i, true), meaning);
    };
    constexpr const char* loose =
        "A tolerance that large accepts any answer: make it smaller, or draw inputs whose answer is larger.";
    try_answer(27, "zeros", filled(truth.size(), 0), loose);
    // A single element is its own mean and its own shuffle; for it the answer to another call stands in, below.
    if (truth.size() > 1) {
      try_answer(27, "the mean of the answer", filled(truth.size(), mean_of(truth)), loose);
      try_answer(27, "the answer shuffled", shuffled(truth, secrets_.seed()),
                 "The elements are too much alike to tell them apart: draw inputs that make them differ.");
    }
    for (std::size_t k = 0; k < task_.inputs.size(); ++k) {
      if (elements_of(inputs_.all()[k]) < truth.size()) continue;
      std::vector<double> given = values_of(bench_, inputs_.all()[k]);
      given.resize(truth.size());
      try_answer(3, fmt::format("{} given back", task_.inputs[k].name), given,
                 "A kernel that copies would be accepted: draw inputs so that f(x) is not x.");
    }
  }
  draw_inputs(task_, case_, Variant::plain, bench_, truth_, secrets_, changed_.all());
  if (!task_.inputs.empty())
    must_fail(31, "the answer to another call", "", answer_for(changed_),
              "The output hardly depends on the inputs: a constant would be accepted.");
}

void CaseExamination::copy_inputs() {
  for (std::size_t i = 0; i < inputs_.all().size(); ++i) bench_.copy(inputs_.all()[i].data, changed_.all()[i].data);
}

// Fills the input with a value that its draw could give; false if it could not.
bool CaseExamination::drawn_constant(std::size_t input, double value) {
  const auto request = draw_request(task_.inputs[input], case_, Variant::plain);
  if (request.kind == core::DrawKind::integers &&
      (value < static_cast<double>(request.low) || value > static_cast<double>(request.high)))
    return false;
  write_values(bench_, changed_.all()[input], filled(elements_of(inputs_.all()[input]), value));
  return true;
}

void CaseExamination::ignored_inputs() {
  for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
    const auto& input = task_.inputs[i];
    const std::string meaning = fmt::format(
        "A kernel that never reads {} would be accepted: make it matter, or leave it out of the task.", input.name);
    const auto try_inputs = [&](const std::string& how) {
      must_fail(31, fmt::format("{} ignored: {}", input.name, how), "", answer_for(changed_), meaning);
    };
    const auto request = draw_request(input, case_, Variant::plain);
    copy_inputs();
    draw_input(task_, case_, i, bench_, truth_, secrets_, changed_.all());
    if (request.kind == core::DrawKind::problem) {
      // The problem may not be meant for anything else, and inputs of one draw may hang together (indices, offsets).
      try {
        try_inputs("drawn anew");
      } catch (const base::Error& error) {
        if (error.code() != base::ExitCode::bad_input) throw;
        admission_.notes.push_back(fmt::format(
            "case {}: whether {} can be ignored is not known; the reference cannot take it from another draw",
            case_.name, input.name));
      }
      continue;
    }
    try_inputs("drawn anew");
    const double mean = request.kind == core::DrawKind::normal ? request.a
                        : request.kind == core::DrawKind::uniform
                            ? (request.a + request.b) / 2
                            : std::floor((static_cast<double>(request.low) + static_cast<double>(request.high)) / 2);
    copy_inputs();
    if (drawn_constant(i, mean)) try_inputs(mean == 0 ? "zeros" : "its mean");
    if (mean == 0) continue;
    copy_inputs();
    if (drawn_constant(i, 0)) try_inputs("zeros");
  }
}

void CaseExamination::changed_elements() {
  for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
    const std::string& name = task_.inputs[i].name;
    if (!has_elements_to_change(task_.inputs[i])) continue;
    copy_inputs();
    change(i, 0);
    must_fail(
        28, fmt::format("{} with a few elements changed", name), "", answer_for(changed_),
        fmt::format("A kernel that reads only a part of {}, or remembers an answer, could not be found out.", name));
  }
}

void CaseExamination::single_elements() {
  for (std::size_t i = 0; i < task_.inputs.size(); ++i) {
    if (!has_elements_to_change(task_.inputs[i])) continue;
    int seen = 0;
    for (int trial = 0; trial < single_trials; ++trial) {
      copy_inputs();
      change(i, 1);
      seen += answer_for(changed_).fails ? 1 : 0;
    }
    const bool most = 2 * seen >= single_trials;
    auto& check = add(28, fmt::format("single elements of {} that matter", task_.inputs[i].name), "",
                      most ? Verdict::ok : Verdict::doubtful,
                      most ? ""
                           : fmt::format("only {} of {} elements of {}, changed one at a time, move an output beyond "
                                         "the tolerance: a kernel that skips some may be accepted",
                                         seen, single_trials, task_.inputs[i].name));
    check.figure = static_cast<double>(seen) / single_trials;
    check.bound = 0.5;
    check.has_figures = true;
    check.expectation = "at least";
    check.one_case_will_do = true;
  }
}

void CaseExamination::spread() {
  for (std::size_t i = 0; i < task_.outputs.size(); ++i) {
    const auto& output = task_.outputs[i];
    const std::vector<double> truth = values_of(bench_, expected_.all()[i]);
    const Spread found = spread_of(truth);
    if (truth.size() > 1) {
      const bool wide = found.deviation > bounds_[i].max * found.rms && found.high > found.low;
      auto& check = add(31, "spread", output.name, wide ? Verdict::ok : Verdict::failed,
                        wide ? ""
                             : fmt::format("its values lie from {:.4g} to {:.4g} with a deviation of {:.3g}: within "
                                           "the tolerance they are all the same, so there is nothing to compute",
                                           found.low, found.high, found.deviation));
      check.figure = found.rms > 0 ? found.deviation / found.rms : 0;
      check.bound = bounds_[i].max;
      check.has_figures = true;
      check.expectation = "more than";
      check.one_case_will_do = true;
    }
    const auto& dims = shapes_.outputs[i].dims;
    for (std::size_t axis = 0; axis < dims.size() && truth.size() > 1; ++axis) {
      if (dims[axis] < 2) continue;
      const double same = constant_lines(truth, dims, axis, bounds_[i].max);
      const Verdict verdict = same >= 1 ? Verdict::failed : same > 0.5 ? Verdict::doubtful : Verdict::ok;
      auto& check =
          add(31, fmt::format("constant along axis {}", axis), output.name, verdict,
              verdict == Verdict::ok ? ""
                                     : fmt::format("{:.0f} % of its lines along axis {} hold one value from end to "
                                                   "end: a kernel can compute one element and repeat it",
                                                   100 * same, axis));
      check.figure = same;
      check.bound = 0.5;
      check.has_figures = true;
      check.expectation = "less than";
      check.one_case_will_do = true;
    }
  }
}

}  // namespace hone::judge
