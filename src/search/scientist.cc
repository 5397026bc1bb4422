#include "search/scientist.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/generations.h"

namespace hone::search {

using core::Action;
using core::DecidedAction;
using core::Experiment;
using core::Node;
using core::Origin;
using core::Role;
using core::Tree;

namespace {

const Experiment general_experiment{.description =
                                        "Make the basis faster by the change you expect most of, "
                                        "given its distance from the ceiling.",
                                    .rubric = "Whatever is faster and right."};

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

Decision only(Action action) { return {{std::move(action)}, "", ""}; }
Decision finished(std::string why) { return {{}, std::move(why), ""}; }
Decision wait() { return {}; }

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
  if (!core::is_promoted_after(tree, 0)) return first_generation(tree, capacity);
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

Decision Scientist::first_generation(const Tree& tree, Capacity capacity) const {
  Actions actions(tree, settings_, capacity);
  const auto write_once = [&](Action action) {
    if (!is_taken(tree, action.place) && actions.may_write()) actions.write(std::move(action));
  };
  if (settings_.translates) write_once(from_nothing(Origin::translation, 0, 1));
  for (int attempt = 1; attempt <= settings_.attempts; ++attempt)
    write_once(from_nothing(Origin::attempt, 0, attempt));
  add_repairs(tree, settings_, 0, actions);
  if (!actions.empty()) return {actions.take(), "", ""};
  if (anything_pending(tree, 0)) return wait();
  if (core::ranking(tree, 1).empty()) return bootstrap(tree, capacity);
  return only(*promotion(tree, settings_, 0));
}

// There is no kernel that works: the writer makes one.
Decision Scientist::bootstrap(const Tree& tree, Capacity capacity) const {
  if (unanswered_lately(tree) >= settings_.tries) return {{}, "", no_answers};
  int tried = 0;
  for (const Node& node : tree.nodes)
    if (node.place.origin == Origin::bootstrap) tried = std::max(tried, node.place.index);
  int answered = 0;
  for (const Node& node : tree.nodes)
    answered += node.place.origin == Origin::bootstrap && node.place.attempt == 1 &&
                node.state != Node::State::unanswered;
  if (answered >= settings_.tries)
    return finished("no first candidate was accepted, whichever model wrote it");
  Actions actions(tree, settings_, capacity);
  if (!actions.has_places()) return finished(places_spent(settings_));
  if (!actions.may_write()) return wait();
  actions.write(from_nothing(Origin::bootstrap, 0, tried + 1));
  return {actions.take(), "", ""};
}

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
      action.experiment = general_experiment;
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

std::vector<Taken> take_experiments(const std::vector<Experiment>& experiments, std::size_t count) {
  struct Rule {
    std::string_view name;
    double Experiment::*by;
  };
  static constexpr Rule rules[] = {{"most innovative", &Experiment::innovation},
                                   {"highest maximum", &Experiment::gain_high},
                                   {"highest minimum", &Experiment::gain_low}};
  std::vector<std::size_t> left(experiments.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::vector<Taken> taken;
  while (taken.size() < count && !left.empty()) {
    const auto& rule = rules[taken.size() % std::size(rules)];
    // Of equals the first: the designer put them in this order.
    const auto best = std::max_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
      return experiments[a].*rule.by < experiments[b].*rule.by;
    });
    taken.push_back({*best, rule.name});
    left.erase(best);
  }
  return taken;
}

}  // namespace hone::search
