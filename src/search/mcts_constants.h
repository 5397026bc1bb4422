#pragma once
// Every constant of the tree search, with its reason. Values were chosen on seeds 1 to 300 of
// `hone simulate`; docs/search.md says how, and what they come to on held-out seeds. Tests and the
// simulator may try others.

namespace hone::search {

struct MctsConstants {
  // ---- what a node is worth

  // The reward of an accepted node is 1 for the fastest of the run and falls with the logarithm of
  // its time. One that takes so many times as long (or longer) gets the least reward. Experiments
  // save 5 % on the average, so half a dozen of them are all that a branch can hope to catch up
  // with: with a window of 4 a branch 20 % behind was searched as if it were level.
  double window = 1.4;
  // Of that node: above 0, which is what every failure gets, so a slow kernel that works is worth
  // more than any that does not.
  double least_reward = 0.1;
  // How much of a value is the best of a subtree; the rest is the mean. Four of five experiments
  // bring nothing, so a mean says little of what the next may bring; without it a branch would
  // never pay for its failures.
  double blend = 0.95;
  // The weight of UCB's term for what was tried seldom. Rewards lie between 0 and 1, and 5 % of
  // the time are 0.15 of that; larger weights spread a search over siblings that are alike.
  double exploration = 0.02;
  // Progressive widening: a node may have `width` * visits ^ `widening` experiments before one of
  // its children must be searched, and one more for each child that is faster than it.
  double width = 1.5, widening = 0.5;
  // A step of this part of the time is a gain; anything smaller may be noise.
  double least_gain = 0.005;
  // What the last visits of a subtree brought counts beside its value: a branch that comes from far
  // behind and gains with every step is worth following.
  int trend_visits = 4;
  double trend_weight = 1;

  // ---- other designs

  // An experiment that is this innovative, as its designer says (0 to 100), may be another design,
  // which may come to more than it begins with. It is one if its time is off by this part of its
  // basis's: a small change is not, whatever it is called.
  double bold = 60, new_design = 0.08;
  // Designers look so often at a slower new design before it is refuted: questions, not candidates.
  // Each shows five of its possible experiments, and the good ones may not be among the first.
  int looks_at_new = 3;
  // An experiment promises much where its predicted gain is `sure` times what predictions of this
  // run were wrong by (root mean square); a run begins with so many usual errors of so many percent
  // (landscape_constants.h). A promise is worth as much as being the fastest.
  double usual_error = 12, usual_errors = 5, sure = 2;
  double promise_weight = 1;
  // A bold experiment elsewhere than on the fastest is due where so many candidates brought no
  // gain and none was bold, and at the latest after `bold_every`. Then it comes before all else.
  int bold_after = 8, bold_every = 16;
  double bold_weight = 1;
  // Where none is left on the way to the fastest, a designer is asked again for the node with which
  // this way began, until it has so many designs.
  int most_looks_back = 4;
  // A node is far behind where the fastest is ahead by this logarithm of the speed. Small changes
  // of it cannot matter: only bold experiments on it are written, and those that promise the whole
  // distance.
  double far_behind = 0.15;

  // ---- dead ends and free slots

  // A subtree without the fastest node is a dead end after so many candidates since its best where
  // an experiment on it promises much, else after `tried_after`. Either is revived when nothing
  // else is left: a published search needed 43 failures before its first success.
  int dead_after = 6, tried_after = 2;
  // So many candidates without a new incumbent: a fresh attempt from nothing.
  int stuck_after = 30;
  // A slot stays free rather than be filled with what scores so much less than something that waits
  // for an answer: with many slots a search would else spend its candidates on its worst ideas.
  double slack = 0.1;

  // ---- unions of two nodes

  // The slower of the two gained so much, in percent, by steps in other places than those of the
  // faster, and no more than `most_united`: a rewrite cannot be united with another. Less than
  // `least_united` is what any experiment brings on the average, with its failures.
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
