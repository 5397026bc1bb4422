#include "judge/finding.h"

#include <algorithm>
#include <utility>

namespace hone::judge {
namespace {

// In archives. The words are older than the glossary's.
constexpr const char* stopped_early_text = "given up: hopelessly slower than the best so far";

Finding make_finding(core::Outcome outcome, Guard guard, std::string text) {
  return {outcome, guard, row_of(guard), "", std::move(text)};
}

}  // namespace

Finding conviction(core::Outcome outcome, Guard guard, std::string text) {
  return make_finding(outcome, guard, std::move(text));
}

Finding undecided(Guard guard, std::string text) {
  return make_finding(core::Outcome::undecided, guard, std::move(text));
}

Finding label(Guard guard, std::string text) {
  return make_finding(core::Outcome::accepted, guard, std::move(text));
}

Finding rejection(std::string text) {
  return conviction(core::Outcome::rejected, Guard::none, std::move(text));
}

Finding runner_failure(const runner::Fault& fault) {
  return conviction(fault.outcome, Guard::limits, fault.text);
}

Finding in_case(const std::string& case_name, Finding finding) {
  finding.case_name = case_name;
  return finding;
}

void add(core::Evaluation& evaluation, const Finding& finding) {
  if (finding.decides()) evaluation.outcome = finding.outcome;
  evaluation.evidence.push_back({std::string(name_of(finding.guard)), finding.row,
                                 finding.decides(), finding.case_name, finding.text});
}

void add_metric(core::Evaluation& evaluation, std::string tag, std::string hint,
                std::optional<double> value, std::string case_name, std::string missing) {
  evaluation.metrics.push_back({std::move(tag), std::move(hint), value, std::move(missing),
                                std::move(case_name), std::nullopt, std::nullopt});
}

Finding stopped_early(const std::string& case_name) {
  Finding finding = in_case(case_name, rejection(stopped_early_text));
  finding.is_stopped_early = true;
  return finding;
}

bool was_stopped_early(const core::Evaluation& evaluation) {
  return std::any_of(
      evaluation.evidence.begin(), evaluation.evidence.end(),
      [](const core::Evidence& one) { return one.convicts && one.text == stopped_early_text; });
}

}  // namespace hone::judge
