#pragma once
// Experiments that a strategy makes itself, where no designer wrote one. Writers get their texts
// as they get a designer's. Pure functions.
#include "core/tree.h"

namespace hone::search {

// Where a designer gave no usable answer.
core::Experiment general_experiment();

// What made the basis fast and what made the reference fast, in one kernel. `places` says where
// the gains of each lie; `gain` is the percent of the basis's time that is hoped for.
core::Experiment combination_of(const core::Tree& tree, core::NodeId basis, core::NodeId reference,
                                const std::string& places, double gain);

// A question to the device, where two designs predict what cannot both be.
core::Experiment probe_between(const core::Experiment& one, const core::Experiment& other);

}  // namespace hone::search
