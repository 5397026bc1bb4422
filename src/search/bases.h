#pragma once
// What is known of each node of a run as a basis: what was made from it, which of that failed and
// may be repaired, which experiments were designed on it and not begun, and whether a designer
// should be asked. Gathered in one pass over a tree; pure functions.
#include <string_view>
#include <vector>

#include "search/strategy.h"

namespace hone::search {

// An experiment that was designed and is not begun.
struct Stocked {
  core::IntentId intent = 0;
  std::string_view rule;  // that takes it
  core::ActionId designer = 0;
};

struct Basis {
  std::vector<core::NodeId> children;     // made from it, failures and repairs too, by number
  std::vector<core::NodeId> broken;       // children that failed and whose writers may repair them
  std::vector<Stocked> stock;             // in the order in which they are taken
  std::vector<core::ActionId> designers;  // that were asked about it
  int experiments = 0;                    // begun on it, whatever became of them
  int unfinished = 0;              // of those that were begun since the last design: under way
  int designed = 0;                // by the last design; 0: it failed, or there is none
  bool has_question = false;       // a designer or an explanation is under way
  bool is_unexplained = false;     // its profile is wanted, and was never tried
  bool has_newer_profile = false;  // than its last design
  bool needs_general = false;      // its last design failed, and nothing took its place
};

// By number; [0] is for what is written from nothing.
std::vector<Basis> bases_of(const core::Tree& tree, const StrategySettings& settings);

// What is done next on a basis, if it is an accepted node. Nothing: it waits for what is under way.
enum class Next : std::uint8_t { nothing, repair, experiment, general, explain, design };
Next next_on(const Basis& basis, bool may_explain);

}  // namespace hone::search
