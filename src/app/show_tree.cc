#include "app/show_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/fields.h"
#include "run/journal.h"
#include "store/research.h"

namespace hone::app {
namespace {

using core::Node;

std::string outcome_of(const Node& node) {
  switch (node.state) {
    case Node::State::asked:
      return "being written";
    case Node::State::written:
      return "being judged";
    case Node::State::unusable:
      return "no candidate";
    case Node::State::unanswered:
      return "no answer";
    case Node::State::judged:
      break;
  }
  const bool refused = node.verdict->accepted() && !node.accepted();
  return refused ? "refused when certified" : std::string(core::name_of(node.verdict->outcome));
}

ShownNode shown_node(const core::Tree& tree, search::NodeView view) {
  const Node& node = *tree.node(view.number);
  ShownNode shown{std::move(view), outcome_of(node), {}, "", node.why};
  if (node.accepted()) shown.seconds = node.seconds();
  if (const core::Intent* intent = tree.intent(node.intent))
    shown.experiment = intent->experiment.description;
  return shown;
}

std::string made_from(const core::Tree& tree, const Node& node) {
  std::string text = node.basis == 0 ? std::string(core::name_of(node.place.origin))
                                     : fmt::format("It was made from {:05}", node.basis);
  if (node.repairs != 0) text += fmt::format(", as a repair of {:05}", node.repairs);
  if (node.reference != 0) text += fmt::format(", beside {:05}", node.reference);
  const core::Intent* intent = tree.intent(node.intent);
  if (intent == nullptr) return text + ".";
  const core::Experiment& it = intent->experiment;
  return fmt::format("{}, by the experiment \"{}\" (predicted: {:g} to {:g} %, innovation {:g}{}).",
                     text, it.description, it.gain_low, it.gain_high, it.innovation,
                     intent->taken_as.empty() ? "" : ", taken as " + intent->taken_as);
}

std::string what_came(const core::Tree& tree, const Node& node, const ShownNode& shown) {
  std::string text = shown.outcome;
  if (shown.seconds)
    text += fmt::format(", {:.4g} s: {:.3f} times as fast as the seed", *shown.seconds,
                        shown.view.speedup.value_or(1));
  if (const auto gain = core::realised_gain(tree, node))
    text += fmt::format("; it saved {:.1f} % of the time of {:05}", *gain, node.basis);
  if (const auto* compared = core::comparison_of(node, node.rival))
    text += fmt::format("; beside the incumbent {:05} it took {:.4f} of its time ({})", node.rival,
                        compared->ratio, core::name_of(compared->word));
  if (node.verdict && !node.verdict->reason.empty() && !node.accepted())
    text += ": " + node.verdict->reason;
  if (!node.failure.empty()) text += ": " + node.failure;
  return "What came of it: " + text + ".";
}

}  // namespace

std::vector<std::string> reasons_of(const core::Tree& tree, const ShownNode& shown) {
  const Node& node = *tree.node(shown.view.number);
  const search::NodeView& view = shown.view;
  std::vector<std::string> list;
  if (!node.why.empty()) list.push_back("Why it was asked for: " + node.why + ".");
  list.push_back(made_from(tree, node));
  list.push_back(what_came(tree, node, shown));
  if (view.same != 0)
    list.push_back(fmt::format("Its source is that of {:05}, which stands for it.", view.same));
  if (view.visits > 0)
    list.push_back(fmt::format(
        "Its subtree: {} visits, {} under way, value {:.2f}, score {:.2f}; its best is {:05}, {} "
        "candidates ago.",
        view.visits, view.pending, view.value, view.score, view.best, view.since_best));
  if (!view.children.empty()) {
    std::vector<std::string> names;
    for (const core::NodeId child : view.children) names.push_back(fmt::format("{:05}", child));
    list.push_back(fmt::format("Made from it: {}.", fmt::join(names, ", ")));
  }
  if (!view.pruned.empty())
    list.push_back("Nothing more is done in its subtree: " + view.pruned +
                   ". It is revived when nothing else is left.");
  for (const core::Promotion& promotion : tree.promotions)
    if (promotion.node == node.number && !promotion.because.empty())
      list.push_back("It became the incumbent: " + promotion.because + ".");
  return list;
}

ShownTree shown_tree(store::Archive& archive, const std::string& run_or_prefix) {
  const auto run = store::get_run(archive, run_or_prefix);
  const core::Tree tree = run::tree_of(archive, run.id);
  ShownTree shown{run.id, {}};
  for (search::NodeView& view : search::view_of(tree))
    shown.nodes.push_back(shown_node(tree, std::move(view)));
  return shown;
}

ShownReason shown_reason(store::Archive& archive, const std::string& run_or_prefix,
                         const std::string& node) {
  const auto run = store::get_run(archive, run_or_prefix);
  const core::Tree tree = run::tree_of(archive, run.id);
  core::NodeId number = 0;
  const auto [end, problem] = std::from_chars(node.data(), node.data() + node.size(), number);
  auto views = search::view_of(tree);
  const auto found = std::find_if(views.begin(), views.end(), [&](const search::NodeView& view) {
    return view.number == number;
  });
  if (problem != std::errc() || end != node.data() + node.size() || found == views.end())
    base::fail(base::ExitCode::bad_input,
               "--why {}: the run {} has no such node; `hone show {} --tree` lists them", node,
               run.id, run.id);
  ShownReason reason{run.id, shown_node(tree, std::move(*found)), {}};
  reason.sentences = reasons_of(tree, reason.node);
  return reason;
}

namespace {

void describe_node(base::Fields& f, const ShownNode& node) {
  const search::NodeView& view = node.view;
  f("number", view.number)("parent", base::or_null(view.parent));
  f("same_as", base::or_null(view.same))("depth", view.depth)("outcome", node.outcome);
  f("seconds", node.seconds)("speedup", view.speedup)("visits", view.visits);
  f("pending", view.pending)("value", view.value)("score", view.score);
  f("best", base::or_null(view.best))("since_best", view.since_best);
  f("incumbent", view.is_incumbent)("pruned", view.pruned)("experiment", node.experiment);
  f("why", node.why);
}

}  // namespace

void describe(base::Fields& f, const ShownTree& tree) {
  f("kind", "tree")("run", tree.run);
  f.list("nodes", tree.nodes, [&](const ShownNode& node) { describe_node(f, node); });
}

void describe(base::Fields& f, const ShownReason& reason) {
  f("kind", "reason")("run", reason.run)("sentences", reason.sentences);
  f.group("node", [&] { describe_node(f, reason.node); });
}

}  // namespace hone::app
