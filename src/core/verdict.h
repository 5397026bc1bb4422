#pragma once
// What a run remembers of an evaluation: enough to rank, to list and to decide by. Samples, metrics
// and the whole evidence stay in the archive, under the evaluation's id.
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/evaluation.h"

namespace hone::core {

struct CaseTime {
  std::string name;
  bool timed = false;
  double median = 0;  // seconds; 0: it has no time
  Interval interval;  // 95 % on the median
  double error_max = 0, error_rms = 0;
  std::optional<double> ceiling_fraction;
  std::string ceiling;
  bool other_units = false;  // its arithmetic runs on units that this ceiling was not measured with
};

struct Verdict {
  std::string evaluation;  // its id in the archive
  Outcome outcome = Outcome::rejected;
  std::optional<double> geomean;  // seconds over the timed cases, only if accepted
  std::vector<CaseTime> cases;
  std::vector<std::string> classes;  // of precision that it solves
  std::string guard, reason;         // what convicted it, in one line; "": nothing did

  bool accepted() const { return outcome == Outcome::accepted && geomean; }
};

Verdict verdict_of(const Evaluation& evaluation, const std::string& id);

// Whether every timed case has reached that fraction of its ceiling. A case that beats its ceiling
// does not count as having reached it: its arithmetic runs on units that the ceiling was not
// measured with (single precision by products of parts on tensor cores), and there may be more to
// gain.
bool reached_ceiling(const Verdict& verdict, double fraction);

void describe(base::Fields& fields, Verdict& verdict);

}  // namespace hone::core
