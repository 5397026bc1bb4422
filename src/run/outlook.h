#pragma once
// Whether a point that is being timed can still become the best. Pure: the tuner asks after every sample, tests ask
// with figures of their own.
#include <map>
#include <optional>
#include <string>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "search/point_search.h"

namespace hone::run {

class Outlook {
 public:
  // `best`: the best point's median for each timed case; empty: there is none yet, and nothing is hopeless.
  explicit Outlook(std::map<std::string, double> best, core::ClockKind clock = core::ClockKind::device)
      : best_(std::move(best)), clock_(clock) {}
  // `latest` is the case that is being timed, with the samples so far.
  bool hopeless(const core::CaseResult& latest);

 private:
  std::map<std::string, double> best_;
  core::ClockKind clock_;
  std::map<std::string, double> log_ratios_;  // to the best, by case
};

std::map<std::string, double> medians_of(const core::Evaluation& evaluation);  // by timed case

// What a strategy is told of an evaluation. A point that was given up has a time if every timed case had been reached.
search::PointResult told_from(const core::Evaluation& evaluation, std::size_t timed_cases);

}  // namespace hone::run
