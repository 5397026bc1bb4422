#include "run/node_reader.h"

#include "base/error.h"
#include "run/names.h"
#include "store/candidates.h"
#include "store/profiles.h"
#include "task/candidate_loader.h"

namespace hone::run {

using core::Node;

const core::Experiment* experiment_of(const core::Tree& tree, const Node& node) {
  const core::Intent* intent = tree.intent(node.intent);
  return intent == nullptr ? nullptr : &intent->experiment;
}

std::string NodeReader::source(const std::string& candidate) const {
  if (candidate.empty()) return "";
  return journal_.archive().with(
      [&](store::Archive& archive) { return store::get_candidate(archive, candidate).source; });
}

std::string NodeReader::source_of(const Node& node) const { return source(node.candidate); }

std::string NodeReader::source_as_written(const Node& node) const {
  return source(node.as_written.empty() ? node.candidate : node.as_written);
}

core::Candidate NodeReader::candidate_of(const Node& node) const {
  const auto stored = journal_.archive().with(
      [&](store::Archive& archive) { return store::get_candidate(archive, node.candidate); });
  auto candidate = task::candidate_from(stored.source, stored.line.language, stored.line.name);
  if (!candidate)
    base::fail(base::ExitCode::archive, "candidate {} of run {} cannot be read any more: {}",
               node.candidate, journal_.run(), task::render_with_sources(candidate.error()));
  // A job must have the same text whenever it is submitted, and the same source may have come under
  // several names.
  const auto dot = candidate->name.rfind('.');
  candidate->name =
      node_name(node.number) + (dot == std::string::npos ? "" : candidate->name.substr(dot));
  return *std::move(candidate);
}

std::optional<core::Evaluation> NodeReader::evaluation_of(const Node& node) const {
  if (!node.verdict || node.verdict->evaluation.empty()) return std::nullopt;
  return journal_.archive().with([&](store::Archive& archive) {
    return store::get_evaluation(archive, node.verdict->evaluation).evaluation;
  });
}

std::optional<core::Profile> NodeReader::profile_of(core::NodeId number) const {
  const Node* node = journal_.tree().node(number);
  if (node == nullptr || !node->profile || node->profile->profile.empty()) return std::nullopt;
  return journal_.archive().with([&](store::Archive& archive) {
    return store::get_profile(archive, node->profile->profile).profile;
  });
}

agents::ShownNode NodeReader::shown(const Node& node) const {
  agents::ShownNode shown{node, {}, source_of(node), evaluation_of(node)};
  if (const auto* experiment = experiment_of(journal_.tree(), node)) shown.experiment = *experiment;
  return shown;
}

std::optional<agents::ShownNode> NodeReader::shown(core::NodeId number) const {
  const Node* node = journal_.tree().node(number);
  return node == nullptr ? std::nullopt : std::optional(shown(*node));
}

}  // namespace hone::run
