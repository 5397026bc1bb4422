#pragma once
// What strategies that work in generations share: writing from nothing, repairs, and the choice of
// the incumbent. Pure functions.
#include <optional>
#include <string>
#include <vector>

#include "search/strategy.h"

namespace hone::search {

// The actions of one decision, inside the capacity and the places of the budget.
class Actions {
 public:
  Actions(const core::Tree& tree, const StrategySettings& settings, Capacity capacity);

  bool may_write() const { return places_ > 0 && capacity_.model > 0; }
  bool has_places() const { return places_ > 0; }
  void write(core::Action action);  // one more candidate; only if may_write()
  void ask(core::Action action);
  void add(core::Action action) { actions_.push_back(std::move(action)); }
  int questions_left() const { return capacity_.model; }
  std::vector<core::Action> take() { return std::move(actions_); }
  bool empty() const { return actions_.empty(); }

 private:
  Capacity capacity_;
  int places_;  // of the budget of candidates
  std::vector<core::Action> actions_;
};

inline Decision only(core::Action action) { return {{std::move(action)}, "", ""}; }
inline Decision finished(std::string why) { return {{}, std::move(why), ""}; }
inline Decision wait() { return {}; }

std::string places_spent(const StrategySettings& settings);  // "8 candidates were allowed"

bool is_pending(const core::Node& node);  // being written or judged
bool anything_pending(const core::Tree& tree,
                      int generation);  // nodes and actions of the generation
// Whether there is a node for the place, whatever became of it.
bool is_taken(const core::Tree& tree, const core::NodePosition& place);

// Whether its writer can be asked again with what went wrong. Of an undecided one there is nothing
// to say.
bool has_failed(const core::Node& node);
// A repair for each failed node of the generation whose tries are not spent and that has none yet.
void add_repairs(const core::Tree& tree, const StrategySettings& settings, int generation,
                 Actions& actions);
// Where there is no kernel that works, writers make one from nothing.
struct FromNothing {
  int at_once = 1;
  int most = 3;  // that are answered, each with its repairs, until the run is over
};
// The first generation: translation, attempts and repairs beside what was given, until the fastest
// is the incumbent.
Decision first_generation(const core::Tree& tree, const StrategySettings& settings,
                          Capacity capacity, const FromNothing& from_nothing);
// Another question from nothing, with this origin.
core::Action from_nothing(core::Origin origin, int generation, int index);
// The incumbent after a generation: of the nodes that beat the one before in a comparison and
// passed certification, the fastest. Where there is none before, or nothing compares, the fastest
// by its own time. Nothing: nothing was accepted.
std::optional<core::Action> promotion(const core::Tree& tree, const StrategySettings& settings,
                                      int generation);

// The incumbent as it would be after the generation that is at work.
core::NodeId best_of(const core::Tree& tree, const StrategySettings& settings);

// How many questions for candidates got no answer since the last one that did; those before a
// resumption do not count.
int unanswered_lately(const core::Tree& tree);
inline constexpr const char* no_answers =
    "no writer gave an answer any more; once one does, `hone resume` goes on";

}  // namespace hone::search
