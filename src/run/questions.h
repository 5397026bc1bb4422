#pragma once
// From a run's tree to what its models are asked. Nothing here asks or decides; sources, evaluations and profiles are
// read from the archive. The driver's thread.
#include "agents/prompts.h"
#include "run/context.h"
#include "run/journal.h"

namespace hone::run {

class Questions {
 public:
  Questions(const RunContext& context, Journal& journal) : context_(context), journal_(journal) {}

  llm::Request selector(int generation) const;
  llm::Request designer(const core::Deed& deed) const;
  // Nothing: no experiment of the generation came to a verdict.
  std::optional<llm::Request> learner(int generation) const;
  // Of a node that is to be written, from nothing, by an experiment, or as a repair of another.
  llm::Request writer(const core::Node& node) const;
  llm::Request probe(const core::Experiment& experiment) const;

  // What the edits of an answer for this node are made of; "": there is nothing to edit.
  std::string edited_source(const core::Node& node) const;
  // What automatic checks object to in the reports of a generation's writers.
  std::vector<std::string> objections(int generation) const;
  std::vector<std::string> advice_shown(core::NodeId basis) const;  // ids
  core::Candidate candidate_of(const core::Node& node) const;       // under the node's own name

 private:
  agents::Mission mission() const;
  agents::ShownNode shown(const core::Node& node) const;
  std::optional<agents::ShownNode> shown(core::NodeId number) const;
  std::vector<agents::ListedNode> judged_before(int generation) const;
  std::vector<agents::NoCandidate> without_candidate(int before_generation) const;
  std::optional<core::Profile> profile_of(core::NodeId number) const;
  llm::Request first_question(const core::Node& node) const;
  std::string source_of(const core::Node& node) const;

  const RunContext& context_;
  Journal& journal_;
};

agents::SourceForm source_form(const RunContext& context);    // that an answer must have
std::string source_extension(const RunContext& context);      // of a candidate's file

}  // namespace hone::run
