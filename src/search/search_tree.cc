#include "search/search_tree.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "search/generations.h"

namespace hone::search {

using core::Node;
using core::NodeId;

namespace {

// An answer without a candidate and a candidate that was refused are failures. A question without
// an answer and an undecided candidate say nothing.
bool is_failure(const Node& node) {
  return has_failed(node) && node.state != Node::State::unanswered;
}

// Which node stands for all with one source: the first from which something was made, else the
// first. One with a larger number may be written, and built upon, before one with a smaller.
std::unordered_map<std::string_view, NodeId> first_of_each(const core::Tree& tree) {
  std::vector<char> is_basis(tree.nodes.size() + 1);
  for (const core::DecidedAction& act : tree.actions)
    is_basis[static_cast<std::size_t>(act.action.basis)] = 1;
  std::unordered_map<std::string_view, NodeId> first;
  for (const bool built_upon : {true, false})
    for (const Node& one : tree.nodes)
      if (!one.candidate.empty() &&
          (!built_upon || is_basis[static_cast<std::size_t>(one.number)] != 0))
        first.try_emplace(one.candidate, one.number);
  return first;
}

}  // namespace

SearchTree::SearchTree(const core::Tree& tree, const MctsConstants& constants)
    : constants_(constants),
      speeds_(speeds_of(tree)),
      nodes_(tree.nodes.size() + 1),
      seen_(tree.nodes.size() + 1) {
  place(tree);
  const double window = std::log(constants_.window);
  for (const Node& one : tree.nodes) {
    const auto& speed = speeds_.of(one.number);
    SearchNode& placed = at(one.number);
    if (speed) {
      const double height = std::clamp(1 - (speeds_.best() - *speed) / window, 0.0, 1.0);
      placed.reward = constants_.least_reward + (1 - constants_.least_reward) * height;
    }
    if (placed.accepted || is_failure(one)) visit(one.number, placed.reward);
    if (is_pending(one))
      one.repairs == 0 ? add_pending(placed.parent) : add_question(placed.parent);
  }
  for (const core::DecidedAction& act : tree.actions)
    if (act.state == core::DecidedAction::State::under_way &&
        act.action.kind != core::Action::Kind::write && act.action.basis != 0)
      add_question(act.action.basis);
}

void SearchTree::place(const core::Tree& tree) {
  const std::unordered_map<std::string_view, NodeId> first = first_of_each(tree);
  for (const Node& one : tree.nodes) {
    SearchNode& placed = at(one.number);
    placed.parent = one.basis;
    placed.accepted = speeds_.of(one.number).has_value();
    if (const auto known = first.find(one.candidate);
        known != first.end() && known->second != one.number)
      placed.same = known->second;
    const core::Intent* intent = tree.intent(one.intent);
    placed.is_bold = intent == nullptr || intent->experiment.innovation >= constants_.bold;
    SearchNode& parent = at(placed.parent);
    const bool counts = placed.accepted || is_failure(one);
    if (counts && one.repairs == 0) ++parent.experiments;
    if (intent != nullptr && placed.is_bold && one.basis != one.rival) last_bold_ = one.number;
    if (placed.accepted && placed.same == 0) {
      parent.children.push_back(one.number);
      parent.faster_children += placed.parent != 0 && has_gained(one.number, placed.parent);
    }
  }
}

// Counts on the way from the node to the root, and for a node that is the same as an earlier one on
// the way from that one too, each place once.
void SearchTree::visit(NodeId number, double reward) {
  SearchNode& self = at(number);
  if (self.parent != number) at(self.parent).child_rewards += reward;
  for (const NodeId from : {number, self.same}) {
    if (from == 0) continue;
    for (NodeId on_way = from;; on_way = at(on_way).parent) {
      SearchNode& one = at(on_way);
      if (seen_[static_cast<std::size_t>(on_way)] == number) break;
      seen_[static_cast<std::size_t>(on_way)] = number;
      ++one.visits;
      one.rewards += reward;
      if (self.accepted && self.same == 0 && (one.best == 0 || has_gained(number, one.best))) {
        one.best = number;
        one.since_best = 0;
        one.bests.emplace_back(one.visits, number);
      } else {
        ++one.since_best;
      }
      if (on_way == 0) break;
    }
  }
}

bool SearchTree::has_gained(NodeId node, NodeId over) const {
  const auto &mine = speeds_.of(node), &theirs = speeds_.of(over);
  return mine && theirs && *mine > *theirs + constants_.least_gain;
}

int SearchTree::since_bold() const { return static_cast<int>(nodes_.size()) - 1 - last_bold_; }

void SearchTree::add_promise(NodeId number) {
  at(number).promises_itself = true;
  for (NodeId on_way = number; on_way != 0 && !at(on_way).promises; on_way = at(on_way).parent)
    at(on_way).promises = true;
}

void SearchTree::add_pending(NodeId number) {
  ++at(number).experiments;
  add_question(number);
}

void SearchTree::add_question(NodeId number) {
  for (NodeId on_way = number;; on_way = at(on_way).parent) {
    ++at(on_way).pending;
    if (on_way == 0) return;
  }
}

}  // namespace hone::search
