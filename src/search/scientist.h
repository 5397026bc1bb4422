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
  Decision first_generation(const core::Tree& tree, Capacity capacity) const;
  Decision bootstrap(const core::Tree& tree, Capacity capacity) const;
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

// Which experiments of a design are written: the most innovative, the one with the highest maximum,
// the one with the highest minimum, and so on through these rules, without replacement. Positions
// in the design, with the rule.
struct Taken {
  std::size_t position = 0;
  std::string_view rule;
};
std::vector<Taken> take_experiments(const std::vector<core::Experiment>& experiments,
                                    std::size_t count);

}  // namespace hone::search
