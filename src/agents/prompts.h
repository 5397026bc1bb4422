#pragma once
// From what a run knows to what its models are asked. Texts stand in resources/prompts; here they
// are filled and their sections ranked by how well a prompt can do without them. Pure functions of
// their arguments and the resources.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/answers.h"
#include "core/advice.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/task.h"
#include "core/tree.h"
#include "llm/client.h"

namespace hone::agents {

// What stays the same for all prompts of a run.
struct Mission {
  const core::Task* task = nullptr;
  core::DeviceInfo device;
  core::Ceilings ceilings;
  std::string language;  // "CUDA C++", "OpenCL C", or what an external task says
  bool python = false;   // candidates are Python modules, not device code with a plan
  std::string external;  // the statement of an external task, instead of tensors and plan; "": none
  std::vector<std::string> knowledge;  // cards that fit the device, whole
  std::vector<std::string> findings;   // newest first
};

// With the device's language and the knowledge that fits it, or what an external task says instead:
// nothing is known of its device. `python`: the task must have an interface. Ceilings and findings
// are the caller's to add.
Mission mission_for(const core::Task& task, const core::DeviceInfo& device, bool python = false);

// A node as a prompt shows it whole.
struct ShownNode {
  core::Node node;
  std::optional<core::Experiment> experiment;  // that made it
  std::string source;
  std::optional<core::Evaluation> evaluation;  // all that the judge said
};

// A node as a row of a table: never its code.
struct ListedNode {
  const core::Node* node = nullptr;
  const core::Experiment* experiment = nullptr;  // that made it; null: none
  bool incumbent = false;
  std::string design;  // in words, of what no experiment made; "": not known
};

// An experiment of this run that came to no candidate, and why.
struct NoCandidate {
  core::Experiment experiment;
  std::string why;
};

// What was measured of the basis: in the words of tools, or (to measure what those are worth) as
// bare names and values.
struct Feedback {
  const core::Profile* profile = nullptr;  // nothing: times only
  bool raw = false;
};

// Advice that an experiment on the way to a node followed, and what came of it.
struct FollowedAdvice {
  core::NodeId node = 0;
  std::string tool, title;
  core::Interval predicted;        // percent
  std::string outcome;             // "": not judged yet
  std::optional<double> realised;  // percent; nothing: no credit could be given
};

llm::Request ask_selector(const Mission& mission, const std::vector<ListedNode>& nodes,
                          const std::vector<NoCandidate>& no_candidate = {});
llm::Request ask_designer(const Mission& mission, const ShownNode& basis,
                          const ShownNode* basis_parent, const ShownNode* reference,
                          const std::vector<ListedNode>& nodes, const Feedback& feedback = {},
                          const std::vector<NoCandidate>& no_candidate = {},
                          const std::vector<FollowedAdvice>& followed = {});
// `parent` of basis and of reference: for the one-step history. Any may be nullptr.
struct WriterView {
  const ShownNode *basis = nullptr, *basis_parent = nullptr, *reference = nullptr,
                  *reference_parent = nullptr;
};
// `profile`: of the basis; the advice that the experiment cites is told from it.
llm::Request ask_writer(const Mission& mission, const WriterView& view,
                        const Experiment& experiment, const core::Profile* profile = nullptr);
llm::Request ask_first_attempt(const Mission& mission,
                               int number);  // without a basis: bootstraps, one-shots
llm::Request ask_translation(
    const Mission& mission);  // of the C++ reference, as directly as can be
llm::Request ask_probe_writer(const Mission& mission, const Experiment& experiment);

// The same question again with what went wrong: the answer that was given, and the judge's evidence
// or the parser's complaint. `attempt` is the whole source that the judge refused, where it came to
// that: it is shown instead of the answer, and edits are then made of it (parse_written() takes it
// as the basis); "": edits are made of the basis, as before. The step is the caller's to change.
llm::Request ask_again(const llm::Request& request, const std::string& answer,
                       const std::string& complaint, const std::string& attempt = "");

// What was learned of a generation: predicted and realised gain of each experiment, reports and
// diffs.
struct Tried {
  Experiment experiment;
  ShownNode basis, result;
  std::optional<double> realised;  // percent of the basis's time that was saved
};
llm::Request ask_learner(const Mission& mission, const std::vector<Tried>& tried);
llm::Request ask_digest(const Mission& mission, const std::string& name,
                        const std::string& document);

// Takes the place of a guard's name in the evidence of an external evaluator.
inline constexpr std::string_view evaluators_word = "evaluator";
// Guards whose labels writers and designers are told of: judge/guards.h names them.
inline constexpr std::string_view diagnosis_word = "diagnosis", checkers_word = "sanitizer";
inline constexpr int races_row = 34;  // of docs/trust.md
// What a race checker reported of a candidate that no witness convicted; "": nothing.
std::string race_text(const core::Evaluation& evaluation);
// The judge's words on a candidate that was not accepted, for its writer. `python`: it is no device
// code with a plan.
std::string evidence_text(const core::Evaluation& evaluation, bool python = false);
std::string diff(const std::string& before, const std::string& after,
                 const std::string& from = "basis",
                 const std::string& to = "candidate");  // unified, 3 lines of context

// Cards of resources/knowledge whose first line ("For: cuda, sm_90") names the device's kind, most
// specific first.
std::vector<std::string> knowledge_for(const core::DeviceInfo& device);
// For the hardware of an external evaluator, which cannot be asked from here: the cards that name
// one of the words.
std::vector<std::string> knowledge_for(const std::vector<std::string>& words);

}  // namespace hone::agents
