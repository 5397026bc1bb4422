#pragma once
// Every constant of the tree search, with its reason. Values were chosen on the tuning seeds of
// `hone simulate` (docs/strategies.md says how); tests and `hone simulate` may try others.
#include <cstddef>

namespace hone::search {

struct MctsConstants {
  // The reward of an accepted node is 1 for the fastest of the run and falls with the logarithm of
  // its time. One that takes so many times as long (or longer) gets the least reward: beyond it the
  // search does not care how slow a node is, only how often it was tried.
  double window = 4;
  // Of that node: above 0, which is what every failure gets, so a slow kernel that works is worth
  // more than any that does not.
  double least_reward = 0.1;
  // How much of a value is the best of a subtree; the rest is the mean. The best alone forgets how
  // often a branch failed, the mean alone punishes a branch for every bold experiment.
  double blend = 0.7;
  // The weight of UCB's term for what was tried seldom. Rewards lie between 0 and 1.
  double exploration = 0.3;
  // Progressive widening: a node may have `width` * visits ^ `widening` experiments before one of
  // its children must be searched, and one more for each child that is faster than it.
  double width = 1.5, widening = 0.5;
  // A step of this part of the time is a gain; anything smaller may be noise.
  double least_gain = 0.005;
  // A subtree is a dead end after so many candidates since its best. Less would prune what takes
  // long to get right (a published search needed 43 failures before its first success), so a dead
  // end is revived when nothing else is left.
  int dead_after = 12;
  // ... and if these are this part of all its candidates: so the search leaves a branch step by
  // step, first the newest node, then its siblings, and not the whole branch at once.
  double dead_share = 0.4;
  // So many candidates without a new incumbent: a fresh attempt from nothing.
  int stuck_after = 20;
  // Two nodes are united where each gained this much, in percent, over the node that both come
  // from, and none more than `most_united`: a rewrite cannot be united with another.
  double least_united = 1, most_united = 30;
  // So many of a node's ancestors are looked at for nodes to unite it with.
  int united_levels = 8;
  // Cases in which one of two nodes is faster by this part of the time are places of their own.
  double case_margin = 0.03;
};

}  // namespace hone::search
