#pragma once
// What a set of problems comes to, as papers have it: how many were solved faster than torch, and by how much. Pure.
#include <optional>
#include <string>
#include <vector>

namespace hone::run {

// One problem in one class of precision.
struct Score {
  std::string problem, class_name;
  bool solved = false;
  std::optional<double> seconds;   // of the fastest candidate that is in the class
  std::optional<double> baseline;  // of torch
  std::string candidate, baseline_mode;
  std::optional<double> ceiling_fraction;
  std::vector<std::string> weak;  // what would pass the problem's own check without computing
  std::optional<double> speedup() const;
};

struct Summary {
  std::size_t problems = 0;                     // that have a baseline, or were not solved
  std::size_t solved = 0, weak = 0;             // weak: of the solved ones, on which a check proves little
  std::size_t without_baseline = 0;             // solved, but nothing to hold it against: left out of all that follows
  double fast_1 = 0, fast_1_5 = 0, fast_2 = 0;  // parts of all problems that were solved more than so many times faster
  double geomean_all = 1;                       // an unsolved one counts as 1
  std::optional<double> geomean_solved, median_solved;
  double median_all = 1;
};
// Of one class; `with_weak` false leaves weak problems out.
Summary summarise(const std::vector<Score>& scores, const std::string& class_name, bool with_weak = true);

}  // namespace hone::run
