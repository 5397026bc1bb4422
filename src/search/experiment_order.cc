#include "search/experiment_order.h"

#include <algorithm>

namespace hone::search {
namespace {

double innovation(const core::Experiment& one) { return one.innovation; }
double highest(const core::Experiment& one) { return one.gain_high; }
double lowest(const core::Experiment& one) { return one.gain_low; }
double middle(const core::Experiment& one) { return (one.gain_low + one.gain_high) / 2; }

}  // namespace

std::span<const TakingRule> generation_rules() {
  static constexpr TakingRule rules[] = {
      {"most innovative", innovation}, {"highest maximum", highest}, {"highest minimum", lowest}};
  return rules;
}

std::span<const TakingRule> stock_rules() {
  static constexpr TakingRule rules[] = {
      {"best prediction", middle}, {"most innovative", innovation}, {"highest maximum", highest}};
  return rules;
}

std::vector<Taken> take_experiments(const std::vector<core::Experiment>& experiments,
                                    std::size_t count, std::span<const TakingRule> rules) {
  std::vector<std::size_t> left(experiments.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::vector<Taken> taken;
  while (taken.size() < count && !left.empty()) {
    const TakingRule& rule = rules[taken.size() % rules.size()];
    const auto best = std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      return rule.measure(experiments[a]) < rule.measure(experiments[b]);
    });
    taken.push_back({*best, rule.name});
    left.erase(best);
  }
  return taken;
}

}  // namespace hone::search
