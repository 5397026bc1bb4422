#pragma once
// What the archive has of a run's nodes beside the tree: sources, whole evaluations, profiles. The
// driver's thread.
#include "agents/prompts.h"
#include "run/journal.h"

namespace hone::run {

class NodeReader {
 public:
  explicit NodeReader(Journal& journal) : journal_(journal) {}

  std::string source_of(const core::Node& node) const;  // "": it was not written
  // Before its defaults were tuned: what its writer's report is about.
  std::string source_as_written(const core::Node& node) const;
  core::Candidate candidate_of(const core::Node& node) const;  // under the node's own name
  std::optional<core::Evaluation> evaluation_of(const core::Node& node) const;
  std::optional<core::Profile> profile_of(core::NodeId number) const;

  // As prompts show it whole. Nothing: there is no such node.
  agents::ShownNode shown(const core::Node& node) const;
  std::optional<agents::ShownNode> shown(core::NodeId number) const;

 private:
  std::string source(const std::string& candidate) const;

  Journal& journal_;
};

const core::Experiment* experiment_of(const core::Tree& tree,
                                      const core::Node& node);  // null: none made it

}  // namespace hone::run
