#include "search/scores.h"

#include <algorithm>
#include <cmath>

namespace hone::search {

using core::NodeId;

namespace {

double exploring(const SearchTree& tree, int visits, NodeId parent) {
  const SearchNode& above = tree.node(parent);
  return tree.constants().exploration *
         std::sqrt(std::log(1.0 + above.visits + above.pending) / std::max(1, visits));
}

}  // namespace

double value(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  const int count = one.visits + one.pending;
  if (count == 0) return 0;
  const double best = one.best == 0 ? 0 : tree.node(one.best).reward;
  return tree.constants().blend * best + (1 - tree.constants().blend) * one.rewards / count;
}

double value_of_new(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  const double mean = (one.reward + one.child_rewards) / (1 + one.experiments);
  return tree.constants().blend * one.reward + (1 - tree.constants().blend) * mean;
}

double trend(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  if (one.bests.empty()) return 0;
  const int since = one.visits + one.pending - tree.constants().trend_visits;
  NodeId before = one.bests.front().second;
  for (const auto& [visit, best] : one.bests)
    if (visit <= since) before = best;
  const double gained = *tree.speeds().of(one.best) - *tree.speeds().of(before);
  return std::min(1.0, gained / std::log(tree.constants().window));
}

double score(const SearchTree& tree, NodeId child) {
  const SearchNode& one = tree.node(child);
  return value(tree, child) + tree.constants().trend_weight * trend(tree, child) +
         tree.constants().promise_weight * one.promises +
         exploring(tree, one.visits + one.pending, one.parent);
}

double score_of_new(const SearchTree& tree, NodeId number) {
  return value_of_new(tree, number) +
         tree.constants().promise_weight * tree.node(number).promises_itself +
         (tree.node(number).has_bold && is_bold_due(tree) ? tree.constants().bold_weight : 0) +
         exploring(tree, 1 + tree.node(number).experiments, number);
}

int allowed(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  return std::max(1,
                  static_cast<int>(tree.constants().width *
                                   std::pow(one.visits + one.pending, tree.constants().widening))) +
         one.faster_children;
}

bool is_refuted(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  return one.parent != 0 && !one.promises && !tree.has_gained(one.best, one.parent);
}

bool is_new_design(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  return one.accepted && one.is_bold && one.parent != 0 && tree.speeds().of(one.parent) &&
         *tree.speeds().of(number) < *tree.speeds().of(one.parent) - tree.constants().new_design;
}

bool is_bold_due(const SearchTree& tree) {
  const int since_bold = tree.since_bold();
  return std::min(tree.node(0).since_best, since_bold) >= tree.constants().bold_after ||
         since_bold >= tree.constants().bold_every;
}

bool is_far_behind(const SearchTree& tree, NodeId number) {
  const auto& speed = tree.speeds().of(number);
  return speed && *speed < tree.speeds().best() - tree.constants().far_behind;
}

bool is_dead_end(const SearchTree& tree, NodeId number) {
  const SearchNode& one = tree.node(number);
  if (one.best == tree.node(0).best) return false;
  if (one.promises) return one.since_best >= tree.constants().dead_after;
  return tree.node(one.best).is_designed && one.since_best >= tree.constants().tried_after;
}

}  // namespace hone::search
