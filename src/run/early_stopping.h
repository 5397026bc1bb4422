#pragma once
// Early stopping of a tuning point: after every sample the tuner asks whether the point can still
// become the best, and stops measuring one that cannot. The rule is pure, so that tests ask with
// figures of their own. One EarlyStopping belongs to the measurement of one point; used from one
// thread.
#include <map>
#include <string>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "search/point_search.h"

namespace hone::run {

class EarlyStopping {
 public:
  // `best`: the best point's median for each timed case; empty: there is none yet, and every point
  // is measured whole.
  explicit EarlyStopping(std::map<std::string, double> best,
                         core::ClockKind clock = core::ClockKind::device)
      : best_(std::move(best)), clock_(clock) {}
  // `latest` is the case that is being timed, with the samples so far.
  bool should_stop(const core::CaseResult& latest);

 private:
  std::map<std::string, double> best_;
  core::ClockKind clock_;
  std::map<std::string, double> log_ratios_;  // to the best, by case
};

std::map<std::string, double> medians_of(const core::Evaluation& evaluation);  // by timed case

// What a search strategy learns of an evaluation. A point that was stopped early has a time if
// every timed case had been reached.
search::PointResult for_strategy(const core::Evaluation& evaluation, std::size_t timed_cases);

}  // namespace hone::run
