#pragma once
// For tests only: trees of runs grown record by record, as a run would.
#include <cmath>
#include <string>

#include "core/records.h"

namespace hone::search::example {

inline core::Verdict verdict_of(std::vector<double> seconds) {
  core::Verdict verdict{.evaluation = "e", .outcome = core::Outcome::accepted};
  double log_sum = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    verdict.cases.push_back({.name = "case" + std::to_string(i + 1),
                             .timed = true,
                             .median = seconds[i],
                             .ceiling_fraction = 0.1 / seconds[i]});
    log_sum += std::log(seconds[i]);
  }
  verdict.geomean = std::exp(log_sum / static_cast<double>(seconds.size()));
  return verdict;
}

struct Grown {
  core::Tree tree;

  Grown() { given({1}); }

  void add(core::Record record) { core::update(tree, record); }
  core::NodeId last() const { return static_cast<core::NodeId>(tree.nodes.size()); }
  const core::DecidedAction& decide(core::Action action) {
    add(core::numbered(tree, {std::move(action)}));
    return tree.actions.back();
  }
  void given(std::vector<double> seconds) {
    add(core::Given{{.origin = core::Origin::user_seed}, "seed", "seed.cu", "the user"});
    add(core::Judged{last(), verdict_of(std::move(seconds)), {}, {}});
    promote(last());
  }
  void promote(core::NodeId node) {
    decide({.kind = core::Action::Kind::promote,
            .generation = static_cast<int>(tree.actions.size()) + 1,
            .basis = node,
            .why = "it is faster"});
  }
  // Asked for; nothing is answered yet.
  core::NodeId asked(core::NodeId basis, core::Experiment experiment = {},
                     core::NodeId reference = 0) {
    return decide({.kind = core::Action::Kind::write,
                   .basis = basis,
                   .reference = reference,
                   .experiment = std::move(experiment),
                   .place = {.origin = core::Origin::experiment,
                             .generation = static_cast<int>(tree.actions.size()) + 1}})
        .node;
  }
  void written(core::NodeId node, const std::string& source) {
    add(core::Written{node, source, "a.cu", "m", "", {}});
  }
  core::NodeId made(core::NodeId basis, std::vector<double> seconds,
                    core::Experiment experiment = {}, core::NodeId reference = 0) {
    const core::NodeId node = asked(basis, std::move(experiment), reference);
    written(node, "source " + std::to_string(node));
    add(core::Judged{node, verdict_of(std::move(seconds)), {}, {}});
    return node;
  }
  core::NodeId failed(core::NodeId basis, core::Experiment experiment = {}) {
    const core::NodeId node = asked(basis, std::move(experiment));
    written(node, "broken " + std::to_string(node));
    add(core::Judged{node, {.evaluation = "e", .outcome = core::Outcome::wrong}, {}, {}});
    return node;
  }
  core::ActionId design_asked(core::NodeId basis) {
    return decide({.kind = core::Action::Kind::ask,
                   .role = core::Role::designer,
                   .generation = static_cast<int>(tree.actions.size()) + 1,
                   .basis = basis})
        .number;
  }
  core::ActionId designed(core::NodeId basis, std::vector<core::Experiment> experiments) {
    const core::ActionId number = design_asked(basis);
    core::Design design;
    design.experiments = std::move(experiments);
    add(core::Answered{number, {}, design, {}});
    return number;
  }
  // Takes an experiment that was designed.
  core::NodeId begun(core::NodeId basis, core::IntentId intent, std::vector<double> seconds) {
    const core::NodeId node =
        decide({.kind = core::Action::Kind::write,
                .basis = basis,
                .intent = intent,
                .place = {.origin = core::Origin::experiment,
                          .generation = static_cast<int>(tree.actions.size()) + 1}})
            .node;
    written(node, "source " + std::to_string(node));
    add(core::Judged{node, verdict_of(std::move(seconds)), {}, {}});
    return node;
  }
};

inline core::Experiment experiment(const std::string& description, double low, double high,
                                   double innovation = 0, std::vector<std::string> advice = {}) {
  return {.description = description,
          .rubric = "r",
          .gain_low = low,
          .gain_high = high,
          .innovation = innovation,
          .advice = std::move(advice)};
}

}  // namespace hone::search::example
