#pragma once
// From a run's tree to what its models are asked. Nothing here asks or decides. The driver's
// thread.
#include "agents/prompts.h"
#include "run/context.h"
#include "run/journal.h"
#include "run/node_reader.h"

namespace hone::run {

class Questions {
 public:
  Questions(const RunContext& context, Journal& journal, const NodeReader& nodes)
      : context_(context), journal_(journal), nodes_(nodes) {}

  llm::Request selector(int generation) const;
  llm::Request designer(const core::DecidedAction& act) const;
  // Nothing: no experiment that it is about came to a verdict.
  std::optional<llm::Request> learner(const core::Action& action) const;
  // Of a node that is to be written, from nothing, by an experiment, or as a repair of another.
  llm::Request writer(const core::Node& node) const;
  llm::Request probe(const core::Experiment& experiment) const;

  // What the edits of an answer for this node are made of; "": there is nothing to edit.
  std::string edited_source(const core::Node& node) const;
  // What automatic checks object to in the reports that a learner is asked about.
  std::vector<std::string> objections(const core::Action& action) const;
  std::vector<std::string> advice_shown(core::NodeId basis) const;  // ids

 private:
  agents::Mission mission() const;
  std::vector<agents::ListedNode> judged_before(int generation) const;
  std::vector<agents::NoCandidate> without_candidate(int before_generation) const;
  llm::Request first_question(const core::Node& node) const;
  std::string design_of(const core::Node& node) const;  // in words; "": not known
  // By experiments on the node, on what it comes from, and on the way to it.
  std::vector<agents::FollowedAdvice> followed_on_line_of(core::NodeId basis) const;

  const RunContext& context_;
  Journal& journal_;
  const NodeReader& nodes_;
};

agents::SourceForm source_form(const RunContext& context);  // that an answer must have
std::string source_extension(const RunContext& context);    // of a candidate's file

}  // namespace hone::run
