#pragma once
// What strategies without generations share: how they begin, which node becomes the incumbent while
// other candidates are under way, when something is learned, and how they end. Nothing here waits
// for a generation to be complete. Pure functions.
#include "search/expansions.h"

namespace hone::search {

// Nodes made it without a kernel that works: so many questions from nothing are tried, because a
// published search needed 43 failures before its first success (KernelPro on NetVLAD).
inline constexpr int most_from_nothing = 20;  // each with its repairs: 60 answers by default
// A learner is asked when so many experiments were judged since the last one: two generations of
// the scientist, because without generations nothing waits for its answer.
inline constexpr int learns_after = 6;

// Until there is an incumbent. Nothing: there is one.
std::optional<Decision> beginning(const core::Tree& tree, const StrategySettings& settings,
                                  Capacity capacity);
// Of the nodes that beat the incumbent side by side, or beat a node that it descends from by more
// than it does, the fastest. Nothing: none does.
std::optional<core::Action> promotion_due(const core::Tree& tree, const StrategySettings& settings);
// The incumbent as it would be now; 0: nothing was accepted.
core::NodeId best_without_generations(const core::Tree& tree, const StrategySettings& settings);

// Translation and first attempts that were asked for and are not begun.
void add_first_attempts(const core::Tree& tree, const StrategySettings& settings,
                        Expansions& expansions);
// A learner, if enough was judged since the last.
void add_learner(const core::Tree& tree, Expansions& expansions, int after = learns_after);
// After the last candidate: waits for what is under way, learns from the rest, and ends.
Decision ending(const core::Tree& tree, const StrategySettings& settings, Capacity capacity,
                const std::string& why);
// Why nothing more may be written; "": more may be.
std::string reason_to_end(const core::Tree& tree, const StrategySettings& settings);

}  // namespace hone::search
