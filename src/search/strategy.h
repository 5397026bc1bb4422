#pragma once
// What a run does next. A strategy is a pure function of the run's tree: the same tree always gets
// the same decision, so that a strategy can be tested and simulated without a model or a device.
// What it decides is recorded before it is done, so a resumed run never decides again. A strategy
// sees core types only; any thread.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tree.h"

namespace hone::search {

// How much more may be under way.
struct Capacity {
  int model = 0;  // questions, those of writers and probes included
  int judge = 0;  // explanations
};

// Nothing in it: wait for what is under way.
struct Decision {
  std::vector<core::Action> actions;
  std::string finished;  // why the run is over
  std::string stopped;   // why it cannot go on now; it may when it is resumed
};

struct StrategySettings {
  int width = 3;           // experiments of a generation; first kernels that are tried at once
  int tries = 3;           // answers of a writer for one place, until one is accepted
  int attempts = 0;        // from nothing, beside seeds and translation
  int max_candidates = 0;  // written by models; 0: any number
  double stop_at_ceiling = 0.95;
  int stop_after_flat = 5;  // generations, or `width` candidates each where there are none
  bool translates = false;  // there is a reference that can be translated
  bool explains = true;     // profiles are wanted, and can be had
  bool probes = true;       // programs that ask the device can be run
  bool compares = true;     // nodes are compared side by side; without it by their times
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual Decision next(const core::Tree& tree, Capacity capacity) const = 0;
  // The node that the run would be concluded with now; 0: none was accepted.
  virtual core::NodeId best(const core::Tree& tree) const = 0;
};

inline constexpr std::string_view strategy_names[] = {"scientist", "mcts", "greedy", "oneshot"};
// Throws Error (usage) for a name that is none of these.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const StrategySettings& settings);
// Whether a strategy works in generations that end before others begin. In the others every action
// has a generation of its own, its number.
bool has_generations(std::string_view name);

}  // namespace hone::search
