// The end of a run: the best node once more in a process that has seen nothing, and beside the
// seed. Only that is reported.
#include <fmt/format.h>

#include "run/driver.h"
#include "run/names.h"
#include "store/evaluations.h"
#include "text/compare_text.h"

namespace hone::run {

using core::Node;

namespace {

constexpr int any_generation = 1 << 30;
constexpr std::size_t most_certified = 3;

// The best first. If it does not pass certification, the next may try.
std::vector<core::NodeId> order_of(const core::Tree& tree, core::NodeId best) {
  std::vector<core::NodeId> order{best};
  for (const Node* node : core::ranking(tree, any_generation))
    if (node->number != best) order.push_back(node->number);
  if (order.size() > most_certified) order.resize(most_certified);
  return order;
}

std::string conclusion_of(const RunResult& result) {
  if (!result.best) return "none of the fastest candidates passed certification";
  if (result.compared)
    return fmt::format("{}: {:.2f} times as fast (99 %: {:.2f} to {:.2f})",
                       text::comparison_sentence("the seed " + node_name(*result.seed),
                                                 node_name(*result.best), result.compared->word),
                       1 / result.compared->ratio, 1 / result.compared->interval.high,
                       1 / result.compared->interval.low);
  return *result.best == *result.seed
             ? "nothing was faster than the seed"
             : fmt::format("{} passed certification, but could not be compared with the seed",
                           node_name(*result.best));
}

}  // namespace

bool Driver::certify(core::NodeId number, core::NodeId seed, RunResult& result) {
  const auto known = [&] { return journal_.tree().node(number)->final; };
  if (!known()) {
    judging_.certify(number, seed, [] {});
    wait_for_all();
  }
  if (!known()) {
    if (request_.cancelled)
      stop_ = Stop{store::RunState::stopped, "it was interrupted"};
    else
      stop_ = Stop{store::RunState::away, "the best candidate is away to be certified"};
    return false;
  }
  const Node& node = *journal_.tree().node(number);
  journal_.archive().with([&](store::Archive& archive) {
    result.certification =
        Certification{number, store::get_evaluation(archive, node.certified->evaluation)};
    // The loop may have compared the node with the seed too, when that was the incumbent.
    for (auto& record : store::comparisons_of_run(archive, journal_.run()))
      if (record.id == node.beside_seed) result.compared = std::move(record);
  });
  return true;
}

void Driver::conclude(RunResult& result) {
  phase_ = "certifying";
  const core::NodeId best = strategy_->best(journal_.tree());
  const Node* seed = core::seed_of(journal_.tree());
  if (best == 0 || seed == nullptr) {
    result.conclusion = "no candidate was accepted";
    return;
  }
  result.seed = seed->number;
  if (!judges_->certifies()) {
    result.best = best;
    result.conclusion = fmt::format("{} is the fastest as its evaluator says", node_name(best));
    return;
  }
  for (const core::NodeId number : order_of(journal_.tree(), best)) {
    // Nothing of the one before stays: what is not known of this one is not told.
    result.certification.reset();
    result.compared.reset();
    result.best = number;
    if (!certify(number, *result.seed, result)) return;
    if (result.certified()) break;
    request_.watcher.say(
        fmt::format("{} did not pass certification: {}", node_name(number),
                    core::name_of(result.certification->record.evaluation.outcome)));
  }
  if (!result.certified()) result.best.reset();
  result.conclusion = conclusion_of(result);
  journal_.append(core::Concluded{{.best = result.best.value_or(0),
                                   .seed = *result.seed,
                                   .certified = result.certification->node,
                                   .comparison = result.compared ? result.compared->id : "",
                                   .text = result.conclusion}});
}

}  // namespace hone::run
