#pragma once
// Nodes in words for prompts: their times, where they come from, and tables of them. Prompts
// (agents/prompts.h) are put together from such pieces. Pure functions.
#include <string>
#include <vector>

#include "agents/prompts.h"

namespace hone::agents {

std::string verdict_text(
    const core::Node& node);  // "accepted, geometric mean 43.1 µs"; or what was wrong with it
// What tuning came to: "its [tune] table was searched: WG 4 -> 1; 1.31 times as fast ...".
std::string tuning_text(const core::Tuning& tuning);
std::string times_text(
    const ShownNode& shown);  // a line for each timed case, with its fraction of the ceiling
std::string source_text(const Mission& mission, const ShownNode& shown);  // fenced
std::string experiment_text(const core::Experiment& experiment);
// The experiment that made it, its parent's times beside its own, and what its writer says was
// done.
std::string history_text(const ShownNode* shown, const ShownNode* parent);
// One row for each node: id, parents, verdict, times by case, experiment. Never code.
std::string listing_text(const std::vector<const ListedNode*>& nodes);
// What earlier experiments on a line rested on, and what it brought.
std::string followed_text(const std::vector<FollowedAdvice>& followed);
std::string no_candidate_text(
    const std::vector<NoCandidate>& experiments);  // likewise, the newest (last) first

}  // namespace hone::agents
