#pragma once
// Every constant of the tree search, with its reason. Values were chosen on the tuning seeds of
// `hone simulate` (docs/strategies.md says how); tests and `hone simulate` may try others.
#include <cstddef>

namespace hone::search {

struct MctsConstants {
  // The reward of an accepted node is 1 for the fastest of the run and falls with the logarithm of
  // its time. One that takes so many times as long (or longer) gets the least reward: beyond it the
  // search does not care how slow a node is, only how often it was tried.
  double window = 1.4;
  // Of that node: above 0, which is what every failure gets, so a slow kernel that works is worth
  // more than any that does not.
  double least_reward = 0.1;
  // How much of a value is the best of a subtree; the rest is the mean. The best alone forgets how
  // often a branch failed, the mean alone punishes a branch for every bold experiment.
  double blend = 0.95;
  // The weight of UCB's term for what was tried seldom. Rewards lie between 0 and 1.
  double exploration = 0.02;
  // Progressive widening: a node may have `width` * visits ^ `widening` experiments before one of
  // its children must be searched, and one more for each child that is faster than it.
  double width = 1.5, widening = 0.5;
  // A step of this part of the time is a gain; anything smaller may be noise.
  double least_gain = 0.005;
  // A subtree without the fastest node is a dead end after so many candidates since its best. Less
  // would prune what takes long to get right (a published search needed 43 failures before its
  // first success), so a dead end is revived when nothing else is left.
  int dead_after = 6;
  // ... or after these where no designer expects `promising` percent at least of an experiment on
  // it that is not begun. Predictions of that size were right in recorded runs, smaller ones said
  // nothing (landscape_constants.h).
  int tried_after = 2;
  double promising = 20, promise_weight = 1;
  // An experiment that is this innovative, as its designer says (0 to 100), may be slower than its
  // basis and still be searched: it is another design, which may come to more than it begins with.
  double bold = 60;
  // A node is far behind where the fastest saves this part of its time. Small changes of it cannot
  // matter: only bold experiments on it are written, and those that promise the whole distance.
  double far_behind = 0.15;
  // What the last visits of a subtree brought counts beside its value: a branch that comes from far
  // behind and gains with every step is worth following.
  int trend_visits = 4;
  double trend_weight = 1;
  // Exploring costs least where the best does not get better: the weight of UCB's term grows with
  // the square of the candidates since the last gain, and doubles with so many.
  int bold_after = 8, bold_every = 16, most_looks_back = 4, looks_at_new = 2;
  double bold_weight = 1;
  double new_design = 0.08;
  // Predictions.
  double usual_error = 12, usual_errors = 5, sure = 2;
  // So many candidates without a new incumbent: a fresh attempt from nothing.
  int stuck_after = 20;
  // A slot stays free rather than be filled with what scores so much less than something that waits
  // for an answer: with many slots a search would else spend its candidates on its worst ideas.
  double slack = 0.1;
  // Two nodes are united where each gained this much, in percent, over the node that both come
  // from, and none more than `most_united`: a rewrite cannot be united with another.
  double least_united = 2, most_united = 30;
  // Nodes that have no line in common are united by telling cases apart, which is worth its price
  // only where the slower one is ahead in a case by this part of the time.
  double apart_margin = 0.10;
  // So many of a node's ancestors are looked at for nodes to unite it with.
  int united_levels = 8;
  // Cases in which one of two nodes is faster by this part of the time are places of their own.
  double case_margin = 0.03;
};

}  // namespace hone::search
