#pragma once
// What explaining a kernel's time comes to: where it is bound, and advice by tools. Plain values;
// src/profile makes them, the archive keeps them, prompts and people read them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields_fwd.h"
#include "core/evaluation.h"

namespace hone::core {

// What limits a kernel. launch: most of the call is not spent in kernels; mixed: two limits within
// a quarter of each other.
enum class Bound : std::uint8_t { memory, compute, latency, launch, mixed };
std::string_view name_of(Bound bound);

enum class Severity : std::uint8_t { critical, major, minor, note };  // in this order
std::string_view name_of(Severity severity);
std::optional<Severity> severity_from(std::string_view name);

// Stage one: the class, from the task's work formulas against the measured ceilings (theory) and
// from what was measured on the device. Where they disagree theory decides, and the disagreement is
// worth a sentence.
struct Diagnosis {
  Bound bound = Bound::mixed;
  std::optional<Bound> theory, measured;
  std::string reason;        // the figures, in sentences
  std::string disagreement;  // "": they agree, or one of them is not known
};

// One tool's words. Gains are percent of the call's time that would be saved, as everywhere in
// Hone.
struct Advice {
  std::string id;    // "A1", in the order shown; given by the profile
  std::string tool;  // "register-spill"
  Severity severity = Severity::minor;
  std::string title;           // five to ten words
  std::string evidence;        // sentences with the figures and the thresholds
  std::string cause;           // one sentence
  std::string recommendation;  // concrete, with the kernel's own names and lines
  std::optional<int> launch;   // index of the [[launch]]; absent: the whole call
  std::vector<int> lines;      // of the source, hottest first
  Interval gain;               // percent of the call's time, low to high
  std::string model;           // how the gain follows: "if the spilled bytes were not moved, ..."
};

struct HotLine {
  int line = 0;  // of the candidate's own source; 0: not from it (a header)
  std::string text;
  double share = 0;  // of all samples, 0..1
  std::vector<std::pair<std::string, double>>
      stalls;  // reason and its share of this line's samples, largest first
};

struct Profile {
  EvaluationKey key;      // of what was profiled: candidate, point, task, device, driver, compiler
  std::string case_name;  // the case
  double seconds = 0;     // of one call, as timed without any profiler
  Diagnosis diagnosis;
  std::vector<Metric> metrics;
  std::vector<HotLine> hot_lines;  // the five hottest at most
  std::vector<Advice> advice;      // in order
  struct LeftOut {
    std::string tool, why;  // "coalescing": "needs kernel.global.load.sectors_per_request: ncu was
                            // not allowed to ..."
  };
  std::vector<LeftOut> left_out;
  std::vector<std::string> notes;  // what could not be measured and how to fix that, in sentences
  struct Part {
    std::string name;  // "build", "sass", "time", "kernel", "source", "system", "energy", "tools"
    double seconds = 0;
  };
  std::vector<Part> parts;  // what explaining cost
};

// In JSON: see base/fields.h. The body is what has no columns of its own in the archive: diagnosis,
// hot lines, what was left out, notes, costs.
void describe(base::Fields& fields, Bound& bound);
void describe(base::Fields& fields, Diagnosis& diagnosis);
void describe(base::Fields& fields, Advice& advice);
void describe(base::Fields& fields, Profile& profile);
void describe_body(base::Fields& fields, Profile& profile);

}  // namespace hone::core
