#pragma once
// What a set of problems comes to, as papers have it: how many were solved faster than torch, and
// by how much. Pure.
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation.h"

namespace hone::tables {

// One problem in one class of precision.
struct Score {
  std::string problem, class_name;
  bool tried = false, solved = false;
  bool python = false;             // the candidate is, and is compared with torch as it is timed
  std::optional<double> seconds;   // of the fastest candidate that is in the class
  std::optional<double> baseline;  // of torch
  std::string candidate, hash, baseline_mode;  // `hone show HASH` has its source
  core::Point point;                           // of its tunables
  std::string device, baseline_device;         // that they were measured on
  std::optional<double> ceiling_fraction;  // of what the device reaches in the class's precision
  std::string precision;                   // that the candidate used, in words
  std::optional<double> own_share;         // of the device's time, in kernels of its own
  std::optional<double> error_rms, eager_rms;  // what the class goes by
  std::vector<std::string> weak;  // what would pass the problem's own check without computing
  std::optional<double> speedup() const;
};

// Notes that the problem was tried, and what is known of it by the evaluation, whatever its
// verdict.
void note_tried(const core::Evaluation& evaluation, Score& score);
// Takes the evaluation for the class if it is in it and faster than what is there. Only for
// evaluations that stand (store/standing.h).
void take(const core::Evaluation& evaluation, const std::string& candidate, Score& score);

struct Summary {
  std::size_t problems = 0;          // that have a baseline, or were not solved
  std::size_t solved = 0, weak = 0;  // weak: of the solved ones, on which a check proves little
  std::size_t without_baseline =
      0;  // solved, but nothing to compare it with: left out of all that follows
  double fast_1 = 0, fast_1_5 = 0,
         fast_2 = 0;       // parts of all problems that were solved more than so many times faster
  double geomean_all = 1;  // an unsolved one counts as 1
  std::optional<double> geomean_solved, median_solved;
  double median_all = 1;
};
// Of one class; `with_weak` false leaves weak problems out.
Summary summarise(const std::vector<Score>& scores, const std::string& class_name,
                  bool with_weak = true);

}  // namespace hone::tables
