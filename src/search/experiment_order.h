#pragma once
// In which order the experiments of a design are written: several rules take turns, each takes the
// best by its own measure of those that are left, so that what is written differs in kind. Pure
// functions.
#include <span>
#include <string_view>
#include <vector>

#include "core/experiment.h"

namespace hone::search {

// An experiment by its position in the design, with the rule that took it.
struct Taken {
  std::size_t position = 0;
  std::string_view rule;
};

struct TakingRule {
  std::string_view name;
  double (*measure)(const core::Experiment&);
};

// The scientist's: the most innovative, the highest maximum, the highest minimum.
std::span<const TakingRule> generation_rules();
// For experiments that are written one by one: the best prediction comes first.
std::span<const TakingRule> stock_rules();

// Without replacement; of equals the first, because the designer put them in this order.
std::vector<Taken> take_experiments(const std::vector<core::Experiment>& experiments,
                                    std::size_t count,
                                    std::span<const TakingRule> rules = generation_rules());

}  // namespace hone::search
