#pragma once
// Tree search. From the root of a run's tree it walks to the child with the best UCB score, or
// stays where one more experiment scores better, and there repairs, unites, probes, writes what was
// designed or asks a designer. Progressive widening bounds how many experiments a node gets before
// its children must be searched; dead ends are left, and come back when nothing else is left. Every
// decision fills the slots: nothing waits for a generation to end.
#include "search/mcts_constants.h"
#include "search/strategy.h"

namespace hone::search {

class Mcts : public Strategy {
 public:
  explicit Mcts(const StrategySettings& settings, const MctsConstants& constants = {})
      : settings_(settings), constants_(constants) {}
  Decision next(const core::Tree& tree, Capacity capacity) const override;
  core::NodeId best(const core::Tree& tree) const override;

 private:
  StrategySettings settings_;
  MctsConstants constants_;
};

}  // namespace hone::search
