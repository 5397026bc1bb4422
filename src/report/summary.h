#pragma once
// A run as it is told afterwards: its tree, with the sources, whole evaluations and calls that the
// archive has beside it, the best node, the seed it is measured by, and the line of descent between
// them. Plain values, read once; what is missing (a run that was killed) is left out.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/tree.h"
#include "run/settings.h"
#include "store/advice_ledger.h"
#include "store/candidates.h"
#include "store/findings.h"
#include "store/research.h"

namespace hone::report {

// What the archive has of a node that was written.
struct NodeRecords {
  store::CandidateRecord candidate;
  std::optional<store::EvaluationRecord> screened, certified;
  // The refusal that stands for it (store/standing.h): its own certification's, or that of a later
  // evaluation by another run or command.
  std::optional<store::EvaluationRecord> refused;
};

// A question that brought nothing: the answer could not be used, or none came.
struct Miss {
  std::string what;  // "unusable answer", "probe without numbers", or a fault's kind
  std::string step, why;
};

struct RoleSpending {
  std::string role;
  std::vector<std::string> models;
  store::Spending spending;
  std::map<std::string, int> faults;        // by kind
  std::vector<std::int64_t> prompt_tokens;  // of each call
  bool estimated = false;  // some provider did not count them: four characters each
};
std::vector<RoleSpending> spending_by_role(const std::vector<store::CallRecord>& calls);

struct RunSummary {
  store::ResearchRun run;
  run::RunSettings settings;  // as far as they could be read
  bool digest = false;        // of `hone learn`: it has no tree
  core::Tree tree;
  std::map<core::NodeId, NodeRecords> records;  // of the nodes that were written
  std::map<core::IntentId, std::vector<store::Citation>>
      citations;  // advice that experiments rest on
  std::vector<Miss> misses;
  std::vector<store::Shown> profiles;    // whose advice designers were shown
  std::vector<store::Finding> findings;  // that this run learned
  std::vector<RoleSpending> roles;       // in the order they first spoke
  store::Spending spending;

  core::NodeId best = 0, seed = 0;                  // 0: none
  std::optional<store::ComparisonRecord> compared;  // a: the seed, b: the best
};
void describe(base::Fields& fields, const RunSummary& summary);  // in JSON: see base/fields.h

// `with_prompts`: the sizes of prompts are wanted too, for which all of them are read.
RunSummary load_summary(store::Archive& archive, const std::string& run_or_prefix,
                        bool with_prompts = false);

// ---- nodes of a summary

std::vector<const core::Node*> written(const RunSummary& summary);  // by number
const NodeRecords& records_of(const RunSummary& summary, const core::Node& node);
const core::Experiment* experiment_of(const RunSummary& summary,
                                      const core::Node& node);  // null: none made it
bool passes(const RunSummary& summary,
            const core::Node& node);  // accepted by this run, and no refusal stands
bool is_certified(const RunSummary& summary,
                  const core::Node& node);  // passes, and this run certified it
// What is told of it: the refusal, else the screening; null: not judged.
const store::EvaluationRecord* verdict_on(const RunSummary& summary, const core::Node& node);
std::optional<double> seconds_of(const RunSummary& summary,
                                 const core::Node& node);  // as screened; only if it passes
// Percent of the basis's time that was really saved; nothing where one of the two has no time.
std::optional<double> gain_of(const RunSummary& summary, const core::Node& node);
const core::Node* refused_best(
    const RunSummary& summary);  // the one that the run concluded with, if it is refused
const core::Node* first_accepted(const RunSummary& summary);  // by number; null: none

// The best and its ancestors by basis, the eldest first.
std::vector<const core::Node*> lineage(const RunSummary& summary);

// How many times as fast the best is as the seed: by the comparison, else by their times. And the
// evaluation that is to be believed of the best: certified, else screened.
std::optional<double> times_as_fast(const RunSummary& summary);
const store::EvaluationRecord* best_evaluation(const RunSummary& summary);

// What failed and why, the most frequent reason first.
struct FailureGroup {
  std::string outcome, reason;  // reason: the guard that spoke; "" for none
  std::vector<core::NodeId> nodes;
  std::string example;  // what the judge said of the first of them
};
std::vector<FailureGroup> failures(const RunSummary& summary);

// What never became a candidate, likewise.
struct MissedGroup {
  std::string what;
  std::vector<std::string> steps;
  std::string example;  // what was wrong with the first of them
};
std::vector<MissedGroup> missed(const RunSummary& summary);

// Which basis and reference each generation worked on.
struct SelectionTold {
  int generation = 0;
  core::NodeId basis = 0, reference = 0;
  std::string rationale;
  bool by_model = false;
};
std::vector<SelectionTold> selections(const RunSummary& summary);
std::vector<const core::Lesson*> lessons(const RunSummary& summary);

}  // namespace hone::report
