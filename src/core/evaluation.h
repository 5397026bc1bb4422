#pragma once
// What the judge found. Failures are values here, with the evidence a person (or a model) needs to
// fix them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/plan.h"

namespace hone::core {

enum class Outcome : std::uint8_t {
  accepted,
  build_failed,
  launch_failed,
  wrong,
  timed_out,
  crashed,
  cheating,
  below_floor,
  rejected,
  // The judge could not tell: other programs kept the machine busy, or the candidate could not be
  // observed. Neither accepted nor convicted: it is recorded, stands for nothing, and is judged
  // again the next time it is asked for.
  undecided
};
std::string_view name_of(Outcome outcome);
std::optional<Outcome> outcome_from(std::string_view name);
void describe(base::Fields& fields, Outcome& outcome);

enum class Depth : std::uint8_t { screen, certify };
std::string_view name_of(Depth depth);
std::optional<Depth> depth_from(std::string_view name);
void describe(base::Fields& fields, Depth& depth);

// A value (or why there is none) with a tag and a unit hint. A new tag touches no schema.
struct Metric {
  std::string tag;   // "time.median", "power.average", "build.registers", ...
  std::string hint;  // unit: "s", "B/s", "W", "C", "1", ...
  std::optional<double> value;
  std::string missing;        // why there is no value
  std::string case_name;      // "": the evaluation as a whole
  std::optional<int> launch;  // index in the plan
  std::optional<int> line;    // of the source
};

// Why the outcome is what it is, or something worth knowing about an accepted one.
struct Evidence {
  std::string guard;     // the guard that spoke: "canary", "tolerance", ...; "" for none
  int row = 0;           // of the list in docs/trust.md; 0: none
  bool convicts = true;  // the outcome rests on it; false: a label
  std::string case_name;
  std::string text;  // complete sentences with the figures and the thresholds
};

struct Interval {
  double low = 0, high = 0;
};

struct CaseResult {
  std::string name;
  bool timed = false;
  std::vector<double> samples;       // seconds of device span, in order
  std::vector<double> wall_samples;  // seconds of host wall time
  double median = 0;
  Interval interval;  // 95 % on the median
  double wall_median = 0;
  double first_call = 0;        // seconds
  double bytes = 0, flops = 0;  // by the task's work formulas
  std::map<std::string, double> flops_by_kind;
  double bandwidth = 0, rate = 0;                       // achieved
  std::optional<double> ceiling_fraction;               // of the measured ceiling that binds, 0..1
  std::string ceiling;                                  // which: "memory", "f32", ...
  double error_max = 0, error_rms = 0, honest_rms = 0;  // the worst over outputs and variants
};

// What an evaluation is of. Two evaluations with equal keys measured the same thing.
struct EvaluationKey {
  std::string candidate;  // hash
  Point point;
  std::string task;    // hash
  std::string device;  // UUID
  std::string driver, compiler;
  int protocol = 1;  // version of the judge's rules
  Depth depth = Depth::screen;
  std::vector<std::string>
      cases;  // the cases it was limited to; empty: all of the task's for this device
};

struct Evaluation {
  EvaluationKey key;
  Outcome outcome = Outcome::rejected;
  std::vector<Evidence> evidence;
  std::vector<CaseResult> cases;
  std::vector<Metric> metrics;
  std::optional<double> geomean;  // seconds, over timed cases, only if accepted
  std::string build_log;          // trimmed
  double seconds_total = 0, seconds_build = 0, seconds_kernels = 0, seconds_reference = 0;
};

// What came of one of the evaluation's cases: accepted, or the outcome of the case that the
// evaluation ended in.
Outcome outcome_of(const Evaluation& evaluation, const CaseResult& result);

// In JSON, for the archive, for bundles and for --json: see base/fields.h.
void describe(base::Fields& fields, Interval& interval);  // [low, high]
void describe(base::Fields& fields, EvaluationKey& key);
void describe(base::Fields& fields, Metric& metric);
void describe(base::Fields& fields, Evidence& evidence);
void describe(base::Fields& fields, Evaluation& evaluation);

}  // namespace hone::core
