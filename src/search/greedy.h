#pragma once
// The plain search to hold others against: every experiment changes the incumbent, what failed is
// repaired, and nothing else is done. It fills its slots like the tree search and ends by the same
// rule, so the two differ in where they look and in nothing else.
#include "search/strategy.h"

namespace hone::search {

class Greedy : public Strategy {
 public:
  explicit Greedy(const StrategySettings& settings) : settings_(settings) {}
  Decision next(const core::Tree& tree, Capacity capacity) const override;
  core::NodeId best(const core::Tree& tree) const override;

 private:
  StrategySettings settings_;
};

}  // namespace hone::search
