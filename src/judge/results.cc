#include "judge/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/precision.h"
#include "judge/wrong_element.h"

namespace hone::judge {

using base::Failure;
using core::Outcome;

namespace {

constexpr int rms_too_large = 27;  // row of docs/trust.md: a tolerance larger than the output

std::string narrower_text(const std::string& output, double rms, double honest,
                          const ErrorPair& tf32, const Bounds& bounds) {
  if (bounds.narrow_by_tf32)
    return fmt::format(
        "{}: the rms error is {:.3g}, the bound {:.3g}; torch is off by {:.3g} with TF32 and "
        "{:.3g} without: this is a narrower precision than TF32",
        output, rms, bounds.narrow, tf32.rms, honest);
  return fmt::format(
      "{}: the rms error is {:.3g}, {:.0f} times the {:.3g} of an honest single-precision kernel; "
      "more than {:.0f} times means a narrower precision",
      output, rms, rms / honest, honest, precision_factor);
}

std::string by_tf32_text(bool by_tf32, double error) {
  return by_tf32 ? fmt::format(" (torch with TF32 is off by {:.3g})", error) : "";
}

}  // namespace

void CallErrors::add(const ErrorPair& error, double honest) {
  by_output.push_back(error);
  max = std::max(max, error.max);
  if (error.rms < rms) return;
  rms = error.rms;
  honest_rms = honest;
}

void ResultChecker::forget(const Entry& entry) {
  known_.erase(&entry);
  asked_.erase(&entry);
}

bool ResultChecker::only_the_problem_decides() const {
  return task_.own_check && !task_.own_check->unique;
}

base::Result<bool, Finding> ResultChecker::check(const Entry& entry, const BufferSet& working,
                                                 std::span<const std::uint64_t> fingerprints,
                                                 CallErrors& errors) {
  // By the entry's address: it is forgotten before its entry goes away (forget()). An output that
  // was found right on these inputs has the same bytes or is looked at again.
  auto& known = known_[&entry];
  const bool is_known =
      std::equal(fingerprints.begin(), fingerprints.end(), known.begin(), known.end(),
                 [](std::uint64_t fingerprint, const KnownResult& one) {
                   return fingerprint == one.fingerprint;
                 });
  if (!is_known) {
    known.clear();
    std::vector<KnownResult> compared;
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      auto output = check_output(i, entry, working);
      if (!output) return Failure{output.error()};
      output->fingerprint = fingerprints[i];
      compared.push_back(*output);
    }
    if (auto problem = check_by_problem(entry, working)) return Failure{*std::move(problem)};
    known = std::move(compared);
  }
  if (!only_the_problem_decides())
    for (std::size_t i = 0; i < known.size(); ++i) {
      errors.add(known[i].error, entry.honest_rms[i]);
      worst_error_ = std::max(worst_error_, known[i].error.max);
    }
  note_class(entry, known);
  return !is_known;
}

void ResultChecker::note_class(const Entry& entry, const std::vector<KnownResult>& results) {
  if (entry.fp32.empty()) return;
  std::vector<ErrorPair> errors;
  std::int64_t refused = 0;
  for (const auto& one : results) {
    errors.push_back(one.error);
    refused += one.refused;
  }
  classes_.add(errors, entry, refused);
}

// The problem's own check on the bytes that are here now. Where there is one right answer the
// judge's comparison sees every call, and the problem is asked once for each input; otherwise its
// check is the only one.
MaybeFinding ResultChecker::check_by_problem(const Entry& entry, const BufferSet& working) {
  if (!entry.official || !guards_.on(Guard::tolerance)) return std::nullopt;
  if (!asked_.insert(&entry).second && task_.own_check->unique) return std::nullopt;
  const auto first = working.all().begin() + static_cast<std::ptrdiff_t>(task_.inputs.size());
  const auto refusal =
      entry.official({first, first + static_cast<std::ptrdiff_t>(task_.outputs.size())});
  if (!refusal) return std::nullopt;
  return conviction(Outcome::wrong, Guard::tolerance,
                    fmt::format("the problem's own check_implementation refuses the result{}{}",
                                refusal->empty() ? "" : ": ", *refusal));
}

// One output of one call beside the truth.
struct ResultChecker::Measured {
  const core::Output& output;
  const Entry& entry;
  const Guarded &actual, &expected;
  double honest;
  ErrorPair tf32;
  Bounds bounds;
  device::Distance distance;
  device::TensorOps& ops;

  std::uint64_t elements() const { return actual.shape.bytes / core::size_of(output.dtype); }
  std::string at(std::int64_t element) const {
    return describe_element(ops, actual, expected, element);
  }
  std::string narrower() const {
    return narrower_text(output.name, distance.rms, honest, tf32, bounds) +
           variant_note(entry.variant);
  }
};

base::Result<ResultChecker::KnownResult, Finding> ResultChecker::check_output(
    std::size_t index, const Entry& entry, const BufferSet& working) {
  const auto& output = task_.outputs[index];
  const Guarded& actual = working.all()[task_.inputs.size() + index];
  const Guarded& expected = entry.expected->all()[index];
  const double honest = entry.honest_rms[index];
  const ErrorPair tf32 = entry.tf32.empty() ? ErrorPair{} : entry.tf32[index];
  const Bounds bounds = bounds_for(output, honest, tf32);
  const Measured measured{
      output,
      entry,
      actual,
      expected,
      honest,
      tf32,
      bounds,
      ops_.distance(actual.data, output.dtype, expected.data, entry.scales[index], bounds.max),
      ops_};
  const auto& distance = measured.distance;
  if (distance.nonfinite > 0 && guards_.on(Guard::finite))
    return Failure{
        conviction(Outcome::wrong, Guard::finite,
                   fmt::format("{}: {} of {} elements are not finite where the truth is. {}{}",
                               output.name, distance.nonfinite, measured.elements(),
                               measured.at(distance.first_bad), nan_hint(measured)))};
  if (only_the_problem_decides()) return KnownResult{};
  if (auto problem = check_error(measured)) return Failure{*std::move(problem)};
  note_precision(measured);
  KnownResult result{0, {distance.max, distance.rms}, 0};
  if (entry.eager)
    result.refused = ops_.not_close(actual.data, output.dtype, entry.eager->all()[index].data,
                                    official_tolerance);
  return result;
}

// Where most of the wrong elements are NaN: what a newcomer's in-place kernel looks like.
std::string ResultChecker::nan_hint(const Measured& measured) const {
  const auto& distance = measured.distance;
  if (!outputs_held_nan_ || 2 * distance.nonfinite < distance.bad ||
      !has_nans_from(ops_, measured.actual, distance.first_bad))
    return "";
  return ". Outputs hold NaN before a call, so an element that is read before it is written, or "
         "never written, shows like that";
}

MaybeFinding ResultChecker::check_error(const Measured& measured) const {
  const auto& [output, entry, actual, expected, honest, tf32, bounds, distance, ops] = measured;
  const std::int64_t too_far = distance.bad - distance.nonfinite;
  if (too_far > 0 && guards_.on(Guard::tolerance))
    return conviction(Outcome::wrong, Guard::tolerance,
                      fmt::format("{}: {} of {} elements are wrong; the largest scaled error is "
                                  "{:.3g}, the bound {:.3g}{}{}. {}",
                                  output.name, too_far, measured.elements(), distance.max,
                                  bounds.max, by_tf32_text(bounds.max_by_tf32, tf32.max),
                                  variant_note(entry.variant), measured.at(distance.first_bad)));
  if (honest > 0 && distance.rms > bounds.narrow && !core::any_precision(task_) &&
      guards_.on(Guard::precision))
    return conviction(Outcome::wrong, Guard::precision, measured.narrower());
  if (core::is_float(output.dtype) && distance.rms > bounds.rms && guards_.on(Guard::tolerance)) {
    Finding finding = conviction(
        Outcome::wrong, Guard::tolerance,
        fmt::format("{}: the rms of the scaled errors is {:.3g}, the bound {:.3g}{}{}. {}",
                    output.name, distance.rms, bounds.rms,
                    by_tf32_text(bounds.rms_by_tf32, tf32.rms), variant_note(entry.variant),
                    measured.at(distance.worst)));
    finding.row = rms_too_large;
    return finding;
  }
  return std::nullopt;
}

void ResultChecker::note_precision(const Measured& measured) {
  const double honest = measured.honest, rms = measured.distance.rms;
  if (!(honest > 0) || !guards_.on(Guard::precision)) return;
  if (rms <= std::max(measured.bounds.narrow, narrowest_ * honest)) return;
  narrowest_ = rms / honest;
  narrow_ = measured.narrower();
}

}  // namespace hone::judge
