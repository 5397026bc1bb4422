#pragma once
// When a search without generations ends by itself: where nothing is left that is worth its price.
// The rule weighs the distance to the reachable floor, what the last candidates brought and what
// they cost. A kernel near its ceiling gets few more candidates, one far from it many: KernelBench
// 1/85 stood at 80 % of its ceiling after its first attempt, 2/24 at 10 %. Pure functions.
#include <optional>
#include <string>

#include "search/strategy.h"

namespace hone::search {

struct StopFigures {
  core::NodeId incumbent = 0;
  std::optional<double> reached;  // of the ceiling, in the timed case that is farthest from it
  std::optional<double> left;     // part of the incumbent's time above the reachable floor, 0..1
  int window = 0;                 // candidates that are looked at; 0: there is no such rule
  int judged = 0;                 // candidates that came to something
  double gained = 0;              // by the window, as part of the time before it, 0..1
  double usd = 0;                 // what the window cost
  std::int64_t tokens = 0;
  double price = 1;  // of a candidate of the window over one before it
};
StopFigures stop_figures(const core::Tree& tree, const StrategySettings& settings);

// Why the search is over, with its figures; "": it goes on.
std::string nothing_left(const core::Tree& tree, const StrategySettings& settings);

}  // namespace hone::search
