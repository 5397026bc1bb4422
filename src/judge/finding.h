#pragma once
// What a check found, as a value. A finding whose outcome is not `accepted` decides the verdict: it
// convicts the candidate, or leaves it undecided, which is no conviction. The others are labels:
// things a reader of the verdict should know. Findings become core::Evidence only when they enter
// an evaluation.
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "judge/guards.h"
#include "runner/runner.h"

namespace hone::judge {

struct Finding {
  core::Outcome outcome = core::Outcome::accepted;
  Guard guard = Guard::none;
  int row = 0;  // of docs/trust.md; 0: none
  std::string case_name;
  std::string text;
  bool is_stopped_early = false;  // of a tuning point; see stopped_early()

  bool decides() const { return outcome != core::Outcome::accepted; }
};
using MaybeFinding = std::optional<Finding>;

// All with the row that the guard's findings usually name. A conviction's outcome is neither
// `accepted` nor `undecided`.
Finding conviction(core::Outcome outcome, Guard guard, std::string text);
Finding undecided(Guard guard, std::string text);
Finding label(Guard guard, std::string text);
// The candidate does not fit the task, the device or its memory; no guard is involved.
Finding rejection(std::string text);
// A runner that failed outside of a call: it died, did not answer or exceeded a limit.
Finding runner_failure(const runner::Fault& fault);
Finding in_case(const std::string& case_name, Finding finding);

// Adds the evidence, and the outcome where the finding decides it.
void add(core::Evaluation& evaluation, const Finding& finding);
void add_metric(core::Evaluation& evaluation, std::string tag, std::string hint,
                std::optional<double> value, std::string case_name = "", std::string missing = "");

// A tuning point that was stopped early: not a verdict on the candidate, but not accepted either.
Finding stopped_early(const std::string& case_name);
// The same of an evaluation, which may come from the archive: there evidence is told by its words
// alone, which stay as they are. resources/sql/queries/evaluations.sql has them too.
bool was_stopped_early(const core::Evaluation& evaluation);

}  // namespace hone::judge
