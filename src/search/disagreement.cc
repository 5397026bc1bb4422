#include "search/disagreement.h"

#include <algorithm>

namespace hone::search {

using core::DecidedAction;
using core::Experiment;
using core::Tree;

namespace {

bool is_same_change(const Experiment& one, const Experiment& other) {
  if (one.kind != Experiment::Kind::kernel || other.kind != Experiment::Kind::kernel) return false;
  if (one.description == other.description) return true;
  return std::any_of(one.advice.begin(), one.advice.end(), [&](const std::string& id) {
    return std::find(other.advice.begin(), other.advice.end(), id) != other.advice.end();
  });
}

bool excludes(const Experiment& one, const Experiment& other) {
  return one.gain_high < other.gain_low || other.gain_high < one.gain_low;
}

const DecidedAction& action(const Tree& tree, core::ActionId number) {
  return tree.actions[static_cast<std::size_t>(number) - 1];
}

bool is_probed(const Tree& tree, core::NodeId basis, core::ActionId since) {
  return std::any_of(
      tree.actions.begin() + since, tree.actions.end(), [&](const DecidedAction& act) {
        return act.action.kind == core::Action::Kind::probe && act.action.basis == basis;
      });
}

}  // namespace

std::optional<Disagreement> disagreement_on(const Tree& tree, const Basis& basis) {
  if (basis.designers.size() < 2 || basis.stock.empty()) return std::nullopt;
  const core::ActionId second = basis.designers[1];
  if (is_probed(tree, action(tree, second).action.basis, second)) return std::nullopt;
  for (const Stocked& open : basis.stock)
    for (const core::ActionId number : basis.designers) {
      const auto& intents = action(tree, number).intents;
      if (std::find(intents.begin(), intents.end(), open.intent) != intents.end()) continue;
      const Experiment& mine = tree.intent(open.intent)->experiment;
      for (const core::IntentId intent : intents) {
        const Experiment& theirs = tree.intent(intent)->experiment;
        if (is_same_change(mine, theirs) && excludes(mine, theirs))
          return Disagreement{open.intent, intent};
      }
    }
  return std::nullopt;
}

}  // namespace hone::search
