#pragma once
// What a tree search makes of a tree's statistics: which node is worth one more experiment, and
// which subtrees are dead ends. Pure functions; every constant is named in mcts_constants.h.
#include "search/search_tree.h"

namespace hone::search {

// Blends the best and the mean of the subtree.
double value(const SearchTree& tree, core::NodeId number);
// Of one more experiment on the node itself, by what came of its experiments so far.
double value_of_new(const SearchTree& tree, core::NodeId number);
// UCB: the value, and what it lacks in visits beside its siblings.
double score(const SearchTree& tree, core::NodeId child);
double score_of_new(const SearchTree& tree, core::NodeId number);
// How many experiments it may have now.
int allowed(const SearchTree& tree, core::NodeId number);
// What the last visits of the subtree brought, 0 to 1.
double trend(const SearchTree& tree, core::NodeId number);
// Slower than its basis, nothing in its subtree is faster, and nothing in it promises to be.
bool is_refuted(const SearchTree& tree, core::NodeId number);
// So much slower than its basis that its experiment must have been another design, which may come
// to more than it begins with: a designer should look at it.
bool is_new_design(const SearchTree& tree, core::NodeId number);
bool is_dead_end(const SearchTree& tree, core::NodeId number);
// Whether it is time for a bold experiment elsewhere than on the fastest.
bool is_bold_due(const SearchTree& tree);
// The fastest of the run.
bool is_far_behind(const SearchTree& tree, core::NodeId number);

}  // namespace hone::search
