#include "search/mcts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/descent.h"
#include "search/disagreement.h"
#include "search/own_experiments.h"
#include "search/scores.h"
#include "search/steady_state.h"
#include "search/unions.h"

namespace hone::search {

using core::Experiment;
using core::Node;
using core::NodeId;
using core::Tree;

namespace {

double middle_of(const Experiment& it) { return (it.gain_low + it.gain_high) / 2; }

// From which percent on a prediction means something in this run: `sure` times the root mean
// square of what predictions were wrong by so far, with as many usual errors as begin a run.
double promising_gain(const Tree& tree, const MctsConstants& constants) {
  double squares = constants.usual_errors * constants.usual_error * constants.usual_error;
  double count = constants.usual_errors;
  for (const Node& node : tree.nodes) {
    const core::Intent* intent = tree.intent(node.intent);
    const auto gain = core::realised_gain(tree, node);
    if (intent == nullptr || !gain || intent->experiment.kind != Experiment::Kind::kernel) continue;
    const double error = *gain - middle_of(intent->experiment);
    squares += error * error;
    ++count;
  }
  return constants.sure * std::sqrt(squares / count);
}

// One decision.
class Deciding {
 public:
  Deciding(const Tree& tree, const StrategySettings& settings, const MctsConstants& constants,
           Capacity capacity)
      : tree_(tree),
        expansions_(tree, settings, capacity),
        search_(tree, constants),
        promising_(promising_gain(tree, constants)),
        descent_(prepared(), expansions_) {}

  Decision decide(const StrategySettings& settings) {
    add_first_attempts(tree_, settings, expansions_);
    add_learner(tree_, expansions_);
    if (is_stuck() && expansions_.attempt(core::Origin::attempt, stuck_)) search_.add_pending(0);
    look_back();
    while (const auto place = descent_.walk())
      if (!act_on(*place)) break;
    return {expansions_.take(), "", ""};
  }

 private:
  const SearchTree& prepared() {
    add_promises();
    choose_stock();
    return search_;
  }

  void add_promises() {
    const double bold = search_.constants().bold;
    const NodeId fastest = search_.node(0).best;
    for (const Node& node : tree_.nodes) {
      const Basis& basis = expansions_.basis(node.number);
      const int looks = static_cast<int>(basis.designers.size());
      if (looks < search_.constants().looks_at_new && is_new_design(search_, node.number))
        search_.add_promise(node.number);
      if (looks > 0) search_.add_design(node.number);
      for (const Stocked& one : basis.stock) {
        const Experiment& it = tree_.intent(one.intent)->experiment;
        if (middle_of(it) >= promising_) search_.add_promise(node.number);
        if (it.innovation >= bold && node.number != fastest) search_.add_bold(node.number);
      }
    }
  }

  // Small changes of what the fastest came from are left to the fastest. A branch that promises
  // nothing shows with its boldest experiment whether there is something to it.
  void choose_stock() {
    const double bold = search_.constants().bold;
    for (const Node& node : tree_.nodes) {
      const SearchNode& placed = search_.node(node.number);
      if (!placed.accepted) continue;
      const bool leads_to_fastest = placed.best == search_.node(0).best;
      if (leads_to_fastest && is_far_behind(search_, node.number))
        expansions_.keep_bold(
            node.number, bold,
            percent_saved(search_.speeds().best() - *search_.speeds().of(node.number)));
      if (placed.parent != 0 && placed.promises_itself && !leads_to_fastest)
        expansions_.keep_promising(node.number, promising_);
    }
  }

  // Where a bold experiment is due and the line of the fastest has none left, a designer looks once
  // more at the node with which it began.
  void look_back() {
    if (!is_bold_due(search_)) return;
    NodeId first = search_.node(0).best;
    for (NodeId at = first; at != 0; at = search_.node(at).parent) {
      if (search_.node(at).has_bold || expansions_.basis(at).has_question) return;
      first = at;
    }
    const Basis& basis = expansions_.basis(first);
    if (first == search_.node(0).best || basis.designers.empty() ||
        static_cast<int>(basis.designers.size()) >= search_.constants().most_looks_back)
      return;
    if (expansions_.ask_designer(first, "no bold experiment is left on the way to the fastest"))
      search_.add_question(first);
  }

  // No new incumbent and no fresh attempt among the last candidates.
  bool is_stuck() {
    NodeId since = core::incumbent_of(tree_)->number;
    for (const Node& node : tree_.nodes)
      if (node.place.origin == core::Origin::attempt) since = std::max(since, node.number);
    const auto later = std::count_if(tree_.nodes.begin(), tree_.nodes.end(), [&](const Node& node) {
      return node.number > since && !is_pending(node) && node.state != Node::State::unanswered;
    });
    const int most = search_.constants().stuck_after;
    stuck_ =
        fmt::format("{} candidates since {:05} brought no gain: a fresh attempt", later, since);
    return later >= most;
  }

  bool act_on(const Place& place) {
    const NodeId number = place.number;
    const Next next = expansions_.next_on(number);
    bool is_experiment = false;  // that makes a child
    bool done = false;
    if (next == Next::repair) {
      done = expansions_.expand(number, place.why);
    } else if (unite(place)) {
      done = is_experiment = true;
    } else if (probe(place)) {
      done = true;
    } else {
      is_experiment = next == Next::general ||
                      (next == Next::experiment && !is_probe(expansions_.basis(number).stock[0]));
      done = expansions_.expand(number, place.why);
    }
    if (!done) return false;
    is_experiment ? search_.add_pending(number) : search_.add_question(number);
    descent_.update();
    return true;
  }

  bool is_probe(const Stocked& stocked) const {
    return tree_.intent(stocked.intent)->experiment.kind == Experiment::Kind::probe;
  }

  bool unite(const Place& place) {
    if (std::find(united_.begin(), united_.end(), place.number) != united_.end()) return false;
    const auto found = union_for(tree_, search_, expansions_.bases(), place.number);
    if (!found) return false;
    united_.push_back(place.number);  // one of a node in a decision: the next sees it in the tree
    return expansions_.own_experiment(
        place.number, found->reference,
        combination_of(tree_, place.number, found->reference, found->places, found->gain),
        "combination",
        fmt::format("{}; its gains and those of {:05} lie in different places", place.why,
                    found->reference));
  }

  // A designer's own question comes first where it asked one.
  bool probe(const Place& place) {
    const Basis& basis = expansions_.basis(place.number);
    const auto found = disagreement_on(tree_, basis);
    if (!found || !probes_) return false;
    probes_ = false;  // one in a decision
    const std::string why = place.why + "; its designs contradict each other";
    for (std::size_t i = 0; i < basis.stock.size(); ++i)
      if (is_probe(basis.stock[i])) return expansions_.take_stock(place.number, i, why);
    return expansions_.own_experiment(
        place.number, 0,
        probe_between(tree_.intent(found->one)->experiment, tree_.intent(found->other)->experiment),
        "designers disagree", why);
  }

  const Tree& tree_;
  Expansions expansions_;
  SearchTree search_;
  double promising_;
  Descent descent_;
  std::vector<NodeId> united_;
  bool probes_ = true;
  std::string stuck_;
};

}  // namespace

Decision Mcts::next(const Tree& tree, Capacity capacity) const {
  if (auto begun = beginning(tree, settings_, capacity)) return *std::move(begun);
  if (auto due = promotion_due(tree, settings_)) return only(*std::move(due));
  if (unanswered_lately(tree) >= settings_.tries) return {{}, "", no_answers};
  if (const auto why = reason_to_end(tree, settings_); !why.empty())
    return ending(tree, settings_, capacity, why);
  Decision decision = Deciding(tree, settings_, constants_, capacity).decide(settings_);
  return decision.actions.empty() && capacity.model > 0
             ? ending(tree, settings_, capacity, "there is nothing left to try")
             : decision;
}

NodeId Mcts::best(const Tree& tree) const { return best_without_generations(tree, settings_); }

}  // namespace hone::search
