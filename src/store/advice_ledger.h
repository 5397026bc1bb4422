#pragma once
// The ledger of advice: which of it a designer was shown, which experiments rest on it, and what
// they gained. One for all runs of an archive; `hone tools` and the order of advice read it.
// Append-only, and the first record of a step stands, so that a run may be resumed.
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "store/archive.h"

namespace hone::store {

// The advice of the profile was shown to the designer of this generation, which works on the
// node.
void record_shown(Archive& archive, const std::string& run, int generation, int node,
                  const std::string& profile);
// The experiment (its number in the archive) rests on advice of that profile: "A1", "A3". What the
// profile does not have is passed over.
void record_cited(Archive& archive, std::int64_t experiment, const std::string& profile,
                  const std::vector<std::string>& advice);
// What came of the experiment: its node, and the percent of the basis's time that it saved in the
// profiled case, if it was accepted.
void record_realised(Archive& archive, std::int64_t experiment, int node, core::Outcome outcome,
                     std::optional<double> gain);

struct Shown {
  int generation = 0, node = 0;
  std::string profile;
};
std::vector<Shown> shown_in(Archive& archive, const std::string& run);  // in order

struct Citation {
  std::int64_t experiment = 0;
  int generation = 0;
  std::string advice, tool, title;  // advice: "A1"
  core::Interval predicted;
  std::string profile, case_name;
  std::optional<int> node;
  std::string outcome;             // "": not judged yet
  std::optional<double> realised;  // percent
};
std::vector<Citation> citations_of(Archive& archive, const std::string& run);  // by experiment

// What became of a tool's advice, over all runs.
struct ToolRecord {
  std::string tool;
  int fired = 0;     // advice in all profiles
  int shown = 0;     // to designers
  int cited = 0;     // by experiments
  int followed = 0;  // of these, those that came to an accepted node, so that a gain is known
  int right =
      0;  // of these, gained at least the low end; the middle, where the low end is below 1 %
  int covered = 0;      // of these, the gain was inside the interval
  double width = 0;     // mean width of its intervals, percent points
  double realised = 0;  // mean gain of those followed, percent
};
std::vector<ToolRecord> tool_records(Archive& archive);  // by name; only tools that ever fired

}  // namespace hone::store
