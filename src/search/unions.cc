#include "search/unions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/scores.h"

namespace hone::search {

using core::Experiment;
using core::Node;
using core::NodeId;
using core::Tree;

namespace {

struct Finder {
  const Tree& tree;
  const SearchTree& search;
  const std::vector<Basis>& bases;
  NodeId basis;
  std::vector<NodeId> united;  // references of the unions that the basis has or that were tried

  double speed(NodeId number) const { return *search.speeds().of(number); }

  bool is_union(const Node& node) const {
    const core::Intent* intent = tree.intent(node.intent);
    return intent != nullptr && intent->experiment.kind == Experiment::Kind::combination;
  }

  // What was tried on any node of its line is not tried again further down.
  void find_united() {
    for (const Node* at = tree.node(basis); at != nullptr; at = tree.node(at->basis))
      for (const NodeId child : bases[static_cast<std::size_t>(at->number)].children)
        if (is_union(*tree.node(child))) united.push_back(tree.node(child)->reference);
  }

  bool has_united(NodeId branch) const {
    return std::any_of(united.begin(), united.end(), [&](NodeId reference) {
      return reference == branch || core::is_ancestor(tree, branch, reference);
    });
  }

  bool is_of_one_design(NodeId on, core::IntentId one, core::IntentId other) const {
    for (const core::ActionId number : bases[static_cast<std::size_t>(on)].designers) {
      const auto& intents = tree.actions[static_cast<std::size_t>(number) - 1].intents;
      const auto has = [&](core::IntentId intent) {
        return std::find(intents.begin(), intents.end(), intent) != intents.end();
      };
      if (has(one) && has(other)) return true;
    }
    return false;
  }

  // Whether two experiments change different places: they rest on different advice, or are of one
  // design. Where it cannot be told they do not.
  bool are_apart(const Node& mine, const Node& theirs) const {
    const core::Intent *first = tree.intent(mine.intent), *second = tree.intent(theirs.intent);
    if (first == nullptr || second == nullptr) return false;
    const Experiment &one = first->experiment, &other = second->experiment;
    if (one.description == other.description) return false;
    if (!one.advice.empty() && !other.advice.empty())
      return std::none_of(one.advice.begin(), one.advice.end(), [&](const std::string& id) {
        return std::find(other.advice.begin(), other.advice.end(), id) != other.advice.end();
      });
    return mine.basis == theirs.basis &&
           is_of_one_design(mine.basis, first->number, second->number);
  }

  // Percent that the steps of a branch gained whose experiments lie elsewhere than all steps by
  // which the basis came from the same node.
  double gain_apart(NodeId branch_best, NodeId on) const {
    double gained = 0;
    for (const Node* step = tree.node(branch_best); step->number != on;
         step = tree.node(step->basis)) {
      const double gain = speed(step->number) - speed(step->basis);
      if (gain <= search.constants().least_gain) continue;
      bool apart = true;
      for (const Node* mine = tree.node(basis); apart && mine->number != on;
           mine = tree.node(mine->basis))
        apart = are_apart(*mine, *step);
      if (apart) gained += gain;
    }
    return percent_saved(gained);
  }

  // Two rewrites of a node have as little in common as two kernels from nothing.
  bool begin_apart(const Node* common) const {
    return common == nullptr || !common->accepted() ||
           percent_saved(speed(basis) - speed(common->number)) > search.constants().most_united;
  }

  // The best node of another branch of an ancestor.
  void look_at_branches(NodeId on, NodeId step, std::optional<Union>& best) const {
    const MctsConstants& constants = search.constants();
    const double own_step = percent_saved(speed(step) - speed(on));
    if (own_step > constants.most_united || !search.has_gained(basis, on)) return;
    for (const NodeId branch : search.node(on).children) {
      if (branch == step || has_united(branch)) continue;
      const NodeId other = search.node(branch).best;
      if (other == 0 || speed(other) > speed(basis)) continue;
      const double gain = gain_apart(other, on);
      if (gain < constants.least_united || gain > constants.most_united ||
          (best && gain <= best->gain))
        continue;
      best = Union{other,
                   fmt::format("Both come from {:05}; the reference gained {:.1f} % by steps that "
                               "change other places than those of the basis.",
                               on, gain),
                   gain};
    }
  }

  std::optional<Union> by_experiments() const {
    std::optional<Union> best;
    NodeId step = basis;
    for (int level = 0; level < search.constants().united_levels; ++level) {
      const NodeId on = search.node(step).parent;
      if (on == 0 || !search.node(on).accepted) break;
      look_at_branches(on, step, best);
      step = on;
    }
    return best;
  }
};

// Log of the time of each timed case; empty where one has no time.
std::vector<double> log_times(const Node& node) {
  std::vector<double> times;
  for (const auto& c : node.verdict->cases)
    if (c.timed) {
      if (c.median <= 0) return {};
      times.push_back(std::log(c.median));
    }
  return times;
}

// The node that both come from; null: they begin apart.
const Node* common_basis(const Tree& tree, NodeId one, NodeId other) {
  for (const Node* at = tree.node(tree.node(one)->basis); at != nullptr; at = tree.node(at->basis))
    if (core::is_ancestor(tree, at->number, other)) return at;
  return nullptr;
}

// Two nodes by the logarithms of their times in each case, beside the node that both come from.
struct Cases {
  std::vector<double> basis, other, common;  // common: empty where they begin apart

  double lead(std::size_t i) const { return basis[i] - other[i]; }
  // The other gained in this case, and did not only keep what the basis lost.
  bool is_place(std::size_t i, double margin) const {
    return lead(i) >= margin && (common.empty() || common[i] - other[i] >= margin);
  }
  double percent_to_gain(double margin) const {
    double saved = 0;
    for (std::size_t i = 0; i < basis.size(); ++i)
      if (is_place(i, margin)) saved += lead(i);
    return percent_saved(saved / static_cast<double>(basis.size()));
  }
};

std::string names_of_places(const Node& node, const Cases& cases, double margin) {
  std::string names;
  std::size_t i = 0;
  for (const auto& c : node.verdict->cases) {
    if (!c.timed) continue;
    if (cases.is_place(i, margin)) names += (names.empty() ? "" : ", ") + c.name;
    ++i;
  }
  return names;
}

// A node that is faster in a case, though the basis is faster in all.
std::optional<Union> by_cases(const Finder& finder) {
  const Tree& tree = finder.tree;
  const Node& basis = *tree.node(finder.basis);
  Cases cases{log_times(basis), {}, {}};
  if (cases.basis.size() < 2) return std::nullopt;
  std::optional<Union> best;
  for (const Node& other : tree.nodes) {
    const SearchNode& placed = finder.search.node(other.number);
    if (!placed.accepted || placed.same != 0 || other.number == basis.number ||
        finder.speed(other.number) > finder.speed(basis.number))
      continue;
    cases.other = log_times(other);
    cases.common.clear();
    if (cases.other.size() != cases.basis.size()) continue;
    const double at_most = cases.percent_to_gain(finder.search.constants().case_margin);
    if (at_most <= 0 || (best && at_most <= best->gain) ||
        core::is_ancestor(tree, other.number, basis.number) ||
        core::is_ancestor(tree, basis.number, other.number) || finder.has_united(other.number))
      continue;
    const Node* common = common_basis(tree, basis.number, other.number);
    const bool apart = finder.begin_apart(common);
    if (!apart) cases.common = log_times(*common);
    const double margin =
        apart ? finder.search.constants().apart_margin : finder.search.constants().case_margin;
    const double gain = cases.percent_to_gain(margin);
    if (gain < finder.search.constants().least_united || (best && gain <= best->gain)) continue;
    best = Union{
        other.number,
        fmt::format("The reference is faster in {}.", names_of_places(other, cases, margin)), gain};
  }
  return best;
}

}  // namespace

std::optional<Union> union_for(const Tree& tree, const SearchTree& search,
                               const std::vector<Basis>& bases, NodeId basis) {
  if (is_far_behind(search, basis)) return std::nullopt;
  Finder finder{tree, search, bases, basis, {}};
  finder.find_united();
  const auto cases = by_cases(finder), experiments = finder.by_experiments();
  if (!cases) return experiments;
  return !experiments || cases->gain >= experiments->gain ? cases : experiments;
}

}  // namespace hone::search
