#include "run/advice.h"

#include <functional>

#include "agents/answers.h"
#include "run/node_reader.h"
#include "store/advice_ledger.h"

namespace hone::run {
namespace {

const core::CaseTime* timed_case(const core::Node& node, const std::string& name) {
  for (const auto& result : node.verdict->cases)
    if (result.name == name && result.timed && result.median > 0) return &result;
  return nullptr;
}

// Percent of the basis's time that is saved in the case that was profiled: advice speaks of that
// one. Side by side where they were compared, else by their screenings.
std::optional<double> saved_in_case(const core::Tree& tree, const core::Node& node,
                                    const std::string& case_name,
                                    const std::vector<store::ComparisonRecord>& comparisons) {
  const core::Node& basis = *tree.node(node.basis);
  if (!node.accepted() || !basis.accepted()) return std::nullopt;
  for (const auto& comparison : comparisons) {
    if (comparison.a.candidate != basis.candidate || comparison.b.candidate != node.candidate)
      continue;
    for (const auto& one : comparison.cases)
      if (one.name == case_name) return 100 * (1 - one.ratio);
  }
  const auto *before = timed_case(basis, case_name), *after = timed_case(node, case_name);
  if (before != nullptr && after != nullptr) return 100 * (1 - after->median / before->median);
  return core::realised_gain(tree, node);
}

// What tuning gained is no merit of the advice.
std::optional<double> without_tuning(const core::Node& node, std::optional<double> saved) {
  if (!saved || !node.tuning || !node.tuning->changed() || node.tuning->ratio <= 0) return saved;
  return 100 * (1 - (1 - *saved / 100) / node.tuning->ratio);
}

// Of the nodes that implement an experiment, the accepted one, else the last. An undecided one says
// nothing.
const core::Node* result_of(const core::Tree& tree, const core::Intent& intent) {
  const core::Node* result = nullptr;
  for (const core::Node& node : tree.nodes)
    if (node.intent == intent.number && node.verdict &&
        node.verdict->outcome != core::Outcome::undecided &&
        (result == nullptr || !result->accepted()))
      result = &node;
  return result;
}

struct Settling {
  Journal& journal;
  const NodeReader& nodes;
  std::vector<store::Citation> citations;
  std::vector<store::ComparisonRecord> comparisons;

  // What each piece of advice that the experiment cites is credited with.
  std::optional<double> credit(const store::Citation& one, const core::Node& node) const {
    std::vector<std::string> cited;
    for (const auto& other : citations)
      if (other.experiment == one.experiment) cited.push_back(other.advice);
    const core::Tree& tree = journal.tree();
    const auto saved = without_tuning(node, saved_in_case(tree, node, one.case_name, comparisons));
    return agents::credit_for_each(saved, cited, node.report,
                                   nodes.source_of(*tree.node(node.basis)),
                                   nodes.source_as_written(node));
  }
};

// Settles the citations of the intents that `is_due` admits, each once.
void settle(Journal& journal, const NodeReader& nodes,
            const std::function<bool(const core::Intent&)>& is_due) {
  const core::Tree& tree = journal.tree();
  const Settling settling{journal, nodes, journal.archive().with([&](store::Archive& archive) {
                            return store::citations_of(archive, journal.run());
                          }),
                          journal.archive().with([&](store::Archive& archive) {
                            return store::comparisons_of_run(archive, journal.run());
                          })};
  for (const auto& citation : settling.citations) {
    if (citation.node) continue;
    for (const core::Intent& intent : tree.intents) {
      if (intent.generation != citation.generation || !is_due(intent)) continue;
      const auto row = journal.archive().with(
          [&](store::Archive& archive) { return experiment_row(archive, journal.run(), intent); });
      const core::Node* node = row == citation.experiment ? result_of(tree, intent) : nullptr;
      if (node == nullptr) continue;
      const auto gain = settling.credit(citation, *node);
      journal.archive().with([&](store::Archive& archive) {
        store::record_realised(archive, citation.experiment, node->number, node->verdict->outcome,
                               gain);
      });
    }
  }
}

}  // namespace

void settle_advice(Journal& journal, const NodeReader& nodes, int generation) {
  settle(journal, nodes,
         [generation](const core::Intent& intent) { return intent.generation == generation; });
}

void settle_advice_so_far(Journal& journal, const NodeReader& nodes, bool is_over) {
  const core::Tree& tree = journal.tree();
  settle(journal, nodes, [&](const core::Intent& intent) {
    const core::Node* node = result_of(tree, intent);
    return node != nullptr && (is_over || node->accepted());
  });
}

}  // namespace hone::run
