#include "core/records.h"

#include "base/error.h"

namespace hone::core {
namespace {

template <typename T>
T& at(std::vector<T>& list, int number, const char* what) {
  if (number < 1 || static_cast<std::size_t>(number) > list.size())
    base::fail(base::ExitCode::archive, "the run's journal speaks of {} {}, which it does not have",
               what, number);
  return list[static_cast<std::size_t>(number) - 1];
}

Node& node_at(Tree& tree, NodeId number) { return at(tree.nodes, number, "node"); }
DecidedAction& action_at(Tree& tree, ActionId number) { return at(tree.actions, number, "action"); }

Node node_of(const Tree& tree, const DecidedAction& act) {
  const Action& action = act.action;
  Node node{.number = act.node, .place = action.place};
  node.basis = action.basis;
  node.reference = action.reference;
  node.repairs = action.repairs;
  node.intent = action.intent;
  node.why = action.why;
  if (const Node* rival = incumbent_before(tree, action.place.generation))
    node.rival = rival->number;
  return node;
}

struct Update {
  Tree& tree;

  void operator()(const Given& given) const {
    Node node{.number = static_cast<NodeId>(tree.nodes.size()) + 1,
              .state = Node::State::written,
              .place = given.place};
    node.candidate = given.candidate;
    node.name = given.name;
    node.author = given.author;
    tree.nodes.push_back(std::move(node));
  }

  void operator()(const Decided& decided) const {
    for (DecidedAction act : decided.actions) {
      if (act.action.experiment) add_intent(act.action);
      if (!act.action.taken_as.empty())
        at(tree.intents, act.action.intent, "intent").taken_as = act.action.taken_as;
      if (act.action.kind == Action::Kind::write) tree.nodes.push_back(node_of(tree, act));
      if (act.action.kind == Action::Kind::promote) {
        tree.promotions.push_back({act.action.basis, act.action.generation, act.action.why});
        act.state = DecidedAction::State::done;
      }
      tree.actions.push_back(std::move(act));
    }
  }

  void operator()(const Answered& answered) const {
    DecidedAction& act = action_at(tree, answered.action);
    act.state = DecidedAction::State::done;
    act.selection = answered.selection;
    act.lesson = answered.lesson;
    act.design = answered.design;
    if (!answered.design) return;
    for (const Experiment& experiment : answered.design->experiments) {
      Intent intent{.number = static_cast<IntentId>(tree.intents.size()) + 1,
                    .generation = act.action.generation};
      intent.basis = act.action.basis;
      intent.reference = act.action.reference;
      intent.experiment = experiment;
      act.intents.push_back(intent.number);
      tree.intents.push_back(std::move(intent));
    }
  }

  void operator()(const Unusable&) const {}

  void operator()(const Failed& failed) const {
    DecidedAction& act = action_at(tree, failed.action);
    act.state = DecidedAction::State::failed;
    act.failure = failed.why;
  }

  void operator()(const Written& written) const {
    Node& node = node_at(tree, written.node);
    node.state = Node::State::written;
    node.candidate = written.candidate;
    node.name = written.name;
    node.author = written.author;
    node.report = written.report;
    node.cost = written.cost;
    node.tune_points = written.tune_points;
    settle_action_of(written.node, DecidedAction::State::done, "");
  }

  void operator()(const NotWritten& not_written) const {
    Node& node = node_at(tree, not_written.node);
    node.state = not_written.answered ? Node::State::unusable : Node::State::unanswered;
    node.failure = not_written.why;
    node.cost = not_written.cost;
    settle_action_of(not_written.node, DecidedAction::State::failed, not_written.why);
  }

  void operator()(const Judged& judged) const {
    Node& node = node_at(tree, judged.node);
    node.state = Node::State::judged;
    node.verdict = judged.verdict;
    node.certified = judged.certified;
    if (judged.compared) node.comparisons.push_back(*judged.compared);
    node.tuning = judged.tuning;
    if (!judged.tuning || judged.tuning->candidate.empty()) return;
    node.as_written = node.candidate;
    node.candidate = judged.tuning->candidate;
  }

  void operator()(const Profiled& profiled) const {
    node_at(tree, profiled.node).profile = profiled.note;
    if (profiled.action != 0) action_at(tree, profiled.action).state = DecidedAction::State::done;
  }

  void operator()(const Probed& probed) const {
    at(tree.intents, probed.intent, "intent").probed = probed.probed;
    action_at(tree, probed.action).state = DecidedAction::State::done;
  }

  void operator()(const Certified& certified) const {
    Node& node = node_at(tree, certified.node);
    node.certified = certified.verdict;
    node.final = true;
    node.beside_seed = certified.compared ? certified.compared->comparison : "";
    if (certified.compared) node.comparisons.push_back(*certified.compared);
  }

  void operator()(const Concluded& concluded) const { tree.conclusion = concluded.conclusion; }

  void operator()(const Resumed& resumed) const {
    tree.actions_before = static_cast<ActionId>(tree.actions.size());
    if (!resumed.settings.empty()) tree.settings = resumed.settings;
  }

 private:
  void add_intent(const Action& action) const {
    Intent intent{.number = action.intent, .generation = action.generation};
    intent.basis = action.basis;
    intent.reference = action.reference;
    intent.experiment = *action.experiment;
    tree.intents.push_back(std::move(intent));
  }

  void settle_action_of(NodeId node, DecidedAction::State state, const std::string& why) const {
    for (auto act = tree.actions.rbegin(); act != tree.actions.rend(); ++act)
      if (act->node == node) {
        act->state = state;
        act->failure = why;
        return;
      }
  }
};

}  // namespace

void update(Tree& tree, const Record& record) { std::visit(Update{tree}, record); }

Decided numbered(const Tree& tree, std::vector<Action> actions) {
  Decided decided;
  auto act = static_cast<ActionId>(tree.actions.size());
  auto node = static_cast<NodeId>(tree.nodes.size());
  auto intent = static_cast<IntentId>(tree.intents.size());
  for (Action& action : actions) {
    if (action.experiment) action.intent = ++intent;
    decided.actions.push_back({.number = ++act, .action = std::move(action)});
    if (decided.actions.back().action.kind == Action::Kind::write)
      decided.actions.back().node = ++node;
  }
  return decided;
}

}  // namespace hone::core
