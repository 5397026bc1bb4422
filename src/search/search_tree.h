#pragma once
// The statistics of a tree search over a run's nodes: how often each subtree was visited, what came
// of it, what is under way in it, and which subtrees are dead ends. They follow from the run's tree
// alone, so they are the same in the run, when it is resumed, and in `hone show`. What a search
// makes of them is in scores.h.
//
// A node's parent is its basis; what was written from nothing hangs on node 0. A visit is a
// candidate that came to something. A node with the source of an earlier one is that one: its visit
// counts on the way to both. Nodes that are being written or judged are visits with the reward of a
// failure, so a search with many slots spreads (virtual loss). Plain values; one thread.
#include <vector>

#include "search/mcts_constants.h"
#include "search/speeds.h"

namespace hone::search {

struct SearchNode {
  core::NodeId parent = 0;
  core::NodeId same = 0;  // the earlier node with the same source; 0: it is the first
  bool accepted = false;
  bool is_bold = false;   // another design, as its designer says, or from nothing
  bool has_bold = false;  // a bold experiment on it is not begun
  bool is_designed = false, promises_itself = false;
  bool promises = false;  // an experiment in its subtree, not begun, should gain much
  double reward = 0;      // of the node itself; 0: it failed, or nothing is known yet
  int visits = 0;         // of its subtree, the node itself included
  int pending = 0;        // nodes and questions under way in its subtree
  double rewards = 0;     // of all these visits
  core::NodeId best = 0;  // the fastest of its subtree; 0: none was accepted
  int since_best = 0;     // visits of the subtree after its best was decided
  std::vector<std::pair<int, core::NodeId>> bests;  // visit of the subtree at which each came
  int experiments = 0;  // children, those under way too; a repair belongs to its experiment
  int faster_children = 0;
  double child_rewards = 0;            // of its children themselves
  std::vector<core::NodeId> children;  // accepted, without those that are the same as another
};

class SearchTree {
 public:
  SearchTree(const core::Tree& tree, const MctsConstants& constants);

  const SearchNode& node(core::NodeId number) const {
    return nodes_[static_cast<std::size_t>(number)];
  }
  std::size_t size() const { return nodes_.size(); }  // node 0 too
  const Speeds& speeds() const { return speeds_; }
  const MctsConstants& constants() const { return constants_; }

  bool has_gained(core::NodeId node, core::NodeId over) const;  // faster by more than noise
  // Nodes after the last bold experiment elsewhere than on the incumbent.
  int since_bold() const;

  void add_design(core::NodeId number) { at(number).is_designed = true; }
  // A designer expects much of an experiment on this node, or should be asked what it promises.
  void add_promise(core::NodeId number);
  void add_bold(core::NodeId number) { at(number).has_bold = true; }
  // One more experiment on a node is under way.
  void add_pending(core::NodeId number);
  // One more question about it is.
  void add_question(core::NodeId number);

 private:
  SearchNode& at(core::NodeId number) { return nodes_[static_cast<std::size_t>(number)]; }
  void place(const core::Tree& tree);
  void visit(core::NodeId number, double reward);

  MctsConstants constants_;
  Speeds speeds_;
  std::vector<SearchNode> nodes_;   // by number
  std::vector<core::NodeId> seen_;  // by node: which visit reached it last
  core::NodeId last_bold_ = 0;      // the last that was tried elsewhere than on the incumbent
};

}  // namespace hone::search
