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
Deed& deed_at(Tree& tree, ActionId number) { return at(tree.deeds, number, "action"); }

Node node_of(const Tree& tree, const Deed& deed) {
  const Action& action = deed.action;
  Node node{.number = deed.node, .place = action.place};
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
    for (Deed deed : decided.deeds) {
      if (deed.action.experiment) add_intent(deed.action);
      if (!deed.action.taken_as.empty())
        at(tree.intents, deed.action.intent, "intent").taken_as = deed.action.taken_as;
      if (deed.action.kind == Action::Kind::write) tree.nodes.push_back(node_of(tree, deed));
      if (deed.action.kind == Action::Kind::promote) {
        tree.promotions.push_back({deed.action.basis, deed.action.generation, deed.action.why});
        deed.state = Deed::State::done;
      }
      tree.deeds.push_back(std::move(deed));
    }
  }

  void operator()(const Answered& answered) const {
    Deed& deed = deed_at(tree, answered.action);
    deed.state = Deed::State::done;
    deed.selection = answered.selection;
    deed.lesson = answered.lesson;
    deed.design = answered.design;
    if (!answered.design) return;
    for (const Experiment& experiment : answered.design->experiments) {
      Intent intent{.number = static_cast<IntentId>(tree.intents.size()) + 1,
                    .generation = deed.action.generation};
      intent.basis = deed.action.basis;
      intent.reference = deed.action.reference;
      intent.experiment = experiment;
      deed.intents.push_back(intent.number);
      tree.intents.push_back(std::move(intent));
    }
  }

  void operator()(const Unusable&) const {}

  void operator()(const Failed& failed) const {
    Deed& deed = deed_at(tree, failed.action);
    deed.state = Deed::State::failed;
    deed.failure = failed.why;
  }

  void operator()(const Written& written) const {
    Node& node = node_at(tree, written.node);
    node.state = Node::State::written;
    node.candidate = written.candidate;
    node.name = written.name;
    node.author = written.author;
    node.report = written.report;
    node.cost = written.cost;
    settle_deed_of(written.node, Deed::State::done, "");
  }

  void operator()(const NotWritten& not_written) const {
    Node& node = node_at(tree, not_written.node);
    node.state = not_written.answered ? Node::State::unusable : Node::State::unanswered;
    node.failure = not_written.why;
    node.cost = not_written.cost;
    settle_deed_of(not_written.node, Deed::State::failed, not_written.why);
  }

  void operator()(const Judged& judged) const {
    Node& node = node_at(tree, judged.node);
    node.state = Node::State::judged;
    node.verdict = judged.verdict;
    node.certified = judged.certified;
    if (judged.compared) node.comparisons.push_back(*judged.compared);
  }

  void operator()(const Profiled& profiled) const {
    node_at(tree, profiled.node).profile = profiled.note;
    if (profiled.action != 0) deed_at(tree, profiled.action).state = Deed::State::done;
  }

  void operator()(const Probed& probed) const {
    at(tree.intents, probed.intent, "intent").probed = probed.probed;
    deed_at(tree, probed.action).state = Deed::State::done;
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
    tree.deeds_before = static_cast<ActionId>(tree.deeds.size());
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

  void settle_deed_of(NodeId node, Deed::State state, const std::string& why) const {
    for (auto deed = tree.deeds.rbegin(); deed != tree.deeds.rend(); ++deed)
      if (deed->node == node) {
        deed->state = state;
        deed->failure = why;
        return;
      }
  }
};

}  // namespace

void update(Tree& tree, const Record& record) { std::visit(Update{tree}, record); }

Decided numbered(const Tree& tree, std::vector<Action> actions) {
  Decided decided;
  auto deed = static_cast<ActionId>(tree.deeds.size());
  auto node = static_cast<NodeId>(tree.nodes.size());
  auto intent = static_cast<IntentId>(tree.intents.size());
  for (Action& action : actions) {
    if (action.experiment) action.intent = ++intent;
    decided.deeds.push_back({.number = ++deed, .action = std::move(action)});
    if (decided.deeds.back().action.kind == Action::Kind::write) decided.deeds.back().node = ++node;
  }
  return decided;
}

}  // namespace hone::core
