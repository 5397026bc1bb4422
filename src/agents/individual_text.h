#pragma once
// Members of a population in words: their times, where they come from, and lists of them.
#include <string>
#include <vector>

#include "agents/prompts.h"

namespace hone::agents {

std::string verdict_text(const Individual& individual);  // "accepted, geometric mean 43.1 µs"; or what happened to it
std::string times_text(const Individual& individual);    // a line for each timed case, with its fraction of the ceiling
std::string source_text(const Mission& mission, const Individual& individual);  // fenced
std::string experiment_text(const Experiment& experiment);
// The experiment that made it, its parent's times beside its own, and what its writer says was done.
std::string history_text(const Individual* individual, const Individual* parent);
// One row for each member: id, parents, verdict, times by case, experiment. Never code.
std::string listing_text(const std::vector<const Individual*>& members);
std::string fruitless_text(const std::vector<Fruitless>& experiments);  // likewise, the newest (last) first

}  // namespace hone::agents
