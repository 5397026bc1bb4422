#include "search/scientist.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/experiment_order.h"
#include "search/generations.h"
#include "search/own_experiments.h"

namespace hone::search {

using core::Action;
using core::DecidedAction;
using core::Experiment;
using core::Node;
using core::Origin;
using core::Role;
using core::Tree;

namespace {

const DecidedAction* question_of(const Tree& tree, int generation, Role role) {
  for (const DecidedAction& act : tree.actions)
    if (act.action.kind == Action::Kind::ask && act.action.role == role &&
        act.action.generation == generation)
      return &act;
  return nullptr;
}

const DecidedAction* explanation_of(const Tree& tree, int generation) {
  for (const DecidedAction& act : tree.actions)
    if (act.action.kind == Action::Kind::explain && act.action.generation == generation)
      return &act;
  return nullptr;
}

bool is_under_way(const DecidedAction* act) {
  return act != nullptr && act->state == DecidedAction::State::under_way;
}

Decision asking(Role role, int generation, const core::Selection& selection, std::string why) {
  return only({.kind = Action::Kind::ask,
               .role = role,
               .generation = generation,
               .basis = selection.basis,
               .reference = selection.reference,
               .why = std::move(why)});
}

int accepted_before(const Tree& tree, int generation) {
  return static_cast<int>(std::count_if(
      tree.nodes.begin(), tree.nodes.end(),
      [&](const Node& node) { return node.place.generation < generation && node.accepted(); }));
}

bool has_tried_experiments(const Tree& tree, int generation) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const Node& node) {
    return node.place.generation == generation && node.intent != 0 && node.verdict;
  });
}

// Whether the experiment at this index of the generation is being written, or was.
bool is_begun(const Tree& tree, int generation, int index) {
  const core::NodePosition place{
      .origin = Origin::experiment, .generation = generation, .index = index};
  return is_taken(tree, place) ||
         std::any_of(tree.actions.begin(), tree.actions.end(), [&](const DecidedAction& act) {
           return act.action.kind == Action::Kind::probe && act.action.place == place;
         });
}

}  // namespace

Decision Scientist::next(const Tree& tree, Capacity capacity) const {
  if (!core::is_promoted_after(tree, 0))
    return first_generation(tree, settings_, capacity, {.at_once = 1, .most = settings_.tries});
  const int over = tree.promotions.back().generation;  // its incumbent was chosen
  if (over > 0) {
    const DecidedAction* learner = question_of(tree, over, Role::learner);
    if (is_under_way(learner)) return wait();
    if (learner == nullptr && has_tried_experiments(tree, over))
      return asking(Role::learner, over, {}, "what the generation taught");
  }
  return later_generation(tree, over + 1, capacity);
}

core::NodeId Scientist::best(const Tree& tree) const { return best_of(tree, settings_); }

std::string Scientist::stop_rule(const Tree& tree, int generation) const {
  if (settings_.max_candidates > 0 && core::places_taken(tree) >= settings_.max_candidates)
    return places_spent(settings_);
  int last_gain = 0;
  for (std::size_t i = 1; i < tree.promotions.size(); ++i)
    if (tree.promotions[i].node != tree.promotions[i - 1].node)
      last_gain = tree.promotions[i].generation;
  if (settings_.stop_after_flat > 0 && generation - last_gain > settings_.stop_after_flat)
    return fmt::format("{} generations brought no gain", settings_.stop_after_flat);
  const auto ranked = core::ranking(tree, generation);
  if (ranked.empty() || settings_.stop_at_ceiling <= 0) return "";
  return core::reached_ceiling(*ranked.front()->verdict, settings_.stop_at_ceiling)
             ? fmt::format("the incumbent reached {:.0f} % of the measured ceiling",
                           100 * settings_.stop_at_ceiling)
             : "";
}

Decision Scientist::later_generation(const Tree& tree, int generation, Capacity capacity) const {
  const bool begun =
      std::any_of(tree.actions.begin(), tree.actions.end(),
                  [&](const DecidedAction& act) { return act.action.generation == generation; });
  if (!begun)
    if (auto why = stop_rule(tree, generation); !why.empty()) return finished(std::move(why));
  const DecidedAction* selector = question_of(tree, generation, Role::selector);
  if (is_under_way(selector)) return wait();
  if (selector == nullptr && !begun && accepted_before(tree, generation) > 1)
    return asking(Role::selector, generation, {}, "which node to change");
  const core::Selection selection = selector != nullptr && selector->selection
                                        ? *selector->selection
                                        : select_by_rule(tree, generation);
  const Node& basis = *tree.node(selection.basis);
  const DecidedAction* explanation = explanation_of(tree, generation);
  if (is_under_way(explanation)) return wait();
  const DecidedAction* designer = question_of(tree, generation, Role::designer);
  if (designer == nullptr && explanation == nullptr && settings_.explains &&
      (!basis.profile || basis.profile->profile.empty()))
    return only({.kind = Action::Kind::explain,
                 .generation = generation,
                 .basis = basis.number,
                 .why = "it is the basis"});
  if (designer == nullptr)
    return asking(Role::designer, generation, selection, "experiments on the basis");
  if (is_under_way(designer)) return wait();
  return write(tree, generation,
               {.basis = designer->action.basis, .reference = designer->action.reference},
               capacity);
}

Decision Scientist::write(const Tree& tree, int generation, const core::Selection& selection,
                          Capacity capacity) const {
  const DecidedAction& designer = *question_of(tree, generation, Role::designer);
  const auto width = static_cast<std::size_t>(settings_.width);
  std::vector<Experiment> designed;
  if (designer.design) designed = designer.design->experiments;
  std::vector<Taken> taken = take_experiments(designed, width);
  if (taken.empty())
    taken.assign(width, Taken{});  // no usable design: each writer gets the general experiment
  Actions actions(tree, settings_, capacity);
  for (std::size_t i = 0; i < taken.size() && actions.questions_left() > 0; ++i) {
    const int index = static_cast<int>(i) + 1;
    if (is_begun(tree, generation, index)) continue;
    Action action{
        .generation = generation,
        .basis = selection.basis,
        .reference = selection.reference,
        .place = {.origin = Origin::experiment, .generation = generation, .index = index}};
    if (designed.empty()) {
      action.experiment = general_experiment();
      action.why = "the designer gave no usable answer";
    } else {
      action.intent = designer.intents[taken[i].position];
      action.taken_as = action.why = taken[i].rule;
      if (designed[taken[i].position].kind == Experiment::Kind::probe) {
        action.kind = Action::Kind::probe;
        actions.ask(std::move(action));
        continue;
      }
    }
    if (actions.may_write()) actions.write(std::move(action));
  }
  add_repairs(tree, settings_, generation, actions);
  if (!actions.empty()) return {actions.take(), "", ""};
  if (anything_pending(tree, generation)) return wait();
  return only(*promotion(tree, settings_, generation));
}

core::Selection select_by_rule(const Tree& tree, int before_generation) {
  const auto ranked = core::ranking(tree, before_generation);
  if (ranked.empty()) return {};
  const Node& basis = *ranked.front();
  core::Selection selection{.basis = basis.number, .rationale = "by rule: the incumbent"};
  for (const Node* other : ranked)
    if (other != &basis && !core::is_ancestor(tree, other->number, basis.number) &&
        !core::is_ancestor(tree, basis.number, other->number)) {
      selection.reference = other->number;
      return selection;
    }
  selection.reference = basis.basis;
  return selection;
}

}  // namespace hone::search
