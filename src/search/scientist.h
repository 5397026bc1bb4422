#pragma once
// The scientist: generations in which a selector chooses a basis, a designer designs experiments on
// it, writers implement those that were taken, the judge decides, and a learner draws conclusions.
// A generation begins when the one before is over.
#include "search/strategy.h"

namespace hone::search {

class Scientist : public Strategy {
 public:
  explicit Scientist(const StrategySettings& settings) : settings_(settings) {}
  Decision next(const core::Tree& tree, Capacity capacity) const override;
  core::NodeId best(const core::Tree& tree) const override;

 private:
  Decision later_generation(const core::Tree& tree, int generation, Capacity capacity) const;
  Decision write(const core::Tree& tree, int generation, const core::Selection& selection,
                 Capacity capacity) const;
  std::string stop_rule(const core::Tree& tree,
                        int generation) const;  // why it is over; "": it goes on

  StrategySettings settings_;
};

// The rule that selects where no model does: the incumbent is the basis; the reference is the
// fastest that is neither its ancestor nor its descendant, else its own basis, else none.
core::Selection select_by_rule(const core::Tree& tree, int before_generation);

}  // namespace hone::search
