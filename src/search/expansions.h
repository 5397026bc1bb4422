#pragma once
// The actions of one decision of a strategy without generations, inside its capacity and budget.
// Every action gets a generation of its own, its number; what was added is seen by what comes
// after it, so that one decision can fill all slots. A value of one decision; one thread.
#include <string>
#include <vector>

#include "search/bases.h"
#include "search/generations.h"

namespace hone::search {

class Expansions {
 public:
  Expansions(const core::Tree& tree, const StrategySettings& settings, Capacity capacity);

  const Basis& basis(core::NodeId number) const { return bases_[static_cast<std::size_t>(number)]; }
  // Leaves the experiments on a node that are this innovative or predict that much (percent); of
  // each design at least one, so that a designer is not asked in vain.
  void keep_bold(core::NodeId number, double innovation, double gain);
  // Leaves the experiments on a node of which that much (percent) is predicted.
  void keep_promising(core::NodeId number, double gain);
  const std::vector<Basis>& bases() const { return bases_; }
  Next next_on(core::NodeId number) const;
  // Does what is next on an accepted node. False: there is nothing, or no room for it. `why` is
  // how the strategy came to this node.
  bool expand(core::NodeId number, const std::string& why);
  bool repair(core::NodeId failed, const std::string& why);
  bool ask_designer(core::NodeId number, const std::string& why);
  // Takes one of its stock. An experiment that is not in the stock is the strategy's own.
  bool take_stock(core::NodeId basis, std::size_t position, const std::string& why);
  bool own_experiment(core::NodeId basis, core::NodeId reference, core::Experiment experiment,
                      const std::string& taken_as, const std::string& why);
  bool attempt(core::Origin origin, const std::string& why);  // from nothing
  void learn(std::vector<core::NodeId> about);

  bool may_write() const { return actions_.may_write(); }
  bool has_places() const { return actions_.has_places(); }
  bool empty() const { return actions_.empty(); }
  std::vector<core::Action> take() { return actions_.take(); }

 private:
  void begin(core::Action action, bool is_probe);  // an experiment
  core::Action numbered(core::Action action);

  const core::Tree& tree_;
  Actions actions_;
  int explanations_;  // that may still begin
  int added_ = 0, attempts_ = 0;
  std::vector<Basis> bases_;
  std::vector<int> writers_;  // indices of what is being written
};

// What helps to look at beside a basis: the fastest node that is neither its ancestor nor made from
// it, else its own basis; 0: none.
core::NodeId reference_for(const core::Tree& tree, core::NodeId basis);

}  // namespace hone::search
