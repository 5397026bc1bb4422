#pragma once
// Independent first attempts, the control arm: no writer sees what another did, and nothing goes
// back to one.
#include "search/strategy.h"

namespace hone::search {

class OneShot : public Strategy {
 public:
  explicit OneShot(const StrategySettings& settings) : settings_(settings) { settings_.tries = 1; }
  Decision next(const core::Tree& tree, Capacity capacity) const override;
  core::NodeId best(const core::Tree& tree) const override;

 private:
  StrategySettings settings_;
};

}  // namespace hone::search
