#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "run/journal.h"
#include "run/names.h"
#include "run/run.h"
#include "store/standing.h"

namespace hone::report {
namespace {

using core::DecidedAction;
using core::Node;
using core::Outcome;

bool is_accepted(const std::optional<store::EvaluationRecord>& record) {
  return record && record->evaluation.outcome == Outcome::accepted && record->evaluation.geomean;
}

NodeRecords load_records(store::Archive& archive, const Node& node) {
  NodeRecords records{store::get_candidate(archive, node.candidate), {}, {}, {}};
  const auto load = [&](const std::optional<core::Verdict>& verdict) {
    if (!verdict || verdict->evaluation.empty()) return;
    auto record = store::get_evaluation(archive, verdict->evaluation);
    (record.evaluation.key.depth == core::Depth::certify ? records.certified : records.screened) =
        std::move(record);
  };
  load(node.verdict);
  load(node.certified);
  if (const auto& judged = records.certified ? records.certified : records.screened)
    if (const auto refusal = store::refusal_of(archive, judged->evaluation.key))
      records.refused = store::get_evaluation(archive, refusal->id);
  return records;
}

// Settings may be of another version, or damaged: then they are left as they are by default.
void read_settings(RunSummary& summary, const std::string& text) {
  summary.digest = base::text_field(text, "strategy") == "learn";
  summary.settings.strategy = summary.settings.write = summary.settings.feedback = "";
  try {
    summary.settings = run::settings_from_text(text);
    if (summary.digest) summary.settings.strategy = "learn";
  } catch (const base::Error&) {
  }
}

void add_misses(RunSummary& summary, const std::vector<core::Record>& records) {
  for (const auto& record : records) {
    const auto* unusable = std::get_if<core::Unusable>(&record);
    if (unusable == nullptr) continue;
    const DecidedAction& act = summary.tree.actions[static_cast<std::size_t>(unusable->action) - 1];
    summary.misses.push_back(
        {"unusable answer", run::question_name(act, unusable->turn), unusable->why});
  }
  for (const Node& node : summary.tree.nodes)
    if (node.state == Node::State::unusable)
      summary.misses.push_back({"unusable answer", run::name_of_place(node.place), node.failure});
  for (const DecidedAction& act : summary.tree.actions) {
    const core::Intent* intent = summary.tree.intent(act.action.intent);
    if (act.action.kind == core::Action::Kind::probe && intent != nullptr && intent->probed &&
        !intent->probed->failure.empty())
      summary.misses.push_back({"probe without numbers", run::writer_of(run::question_name(act)),
                                intent->probed->failure});
  }
}

void add_calls(RunSummary& summary, store::Archive& archive, bool with_prompts) {
  const auto calls = store::calls_of(archive, summary.run.id, with_prompts);
  summary.roles = spending_by_role(calls);
  summary.spending = store::spending_of(archive, summary.run.id);
  for (const auto& call : calls)
    if (call.end && !call.end->fault.empty())
      summary.misses.push_back({call.end->fault, call.start.step, call.end->text});
}

// Citations know an experiment by its row in the archive.
void add_citations(RunSummary& summary, store::Archive& archive) {
  std::map<std::int64_t, core::IntentId> intents;
  std::set<core::IntentId> matched;
  for (const auto& row : store::experiments_of(archive, summary.run.id)) {
    const std::string description = base::text_field(row.body, "description");
    for (const auto& intent : summary.tree.intents)
      if (intent.generation == row.generation && intent.experiment.description == description &&
          matched.insert(intent.number).second) {
        intents[row.number] = intent.number;
        break;
      }
  }
  for (auto& cited : store::citations_of(archive, summary.run.id))
    if (const auto found = intents.find(cited.experiment); found != intents.end())
      summary.citations[found->second].push_back(std::move(cited));
}

void add_findings(RunSummary& summary, store::Archive& archive) {
  store::FindingFilter everything;
  everything.everything = true;
  everything.limit = 100'000;
  for (auto& finding : store::findings(archive, everything))
    if (finding.run == summary.run.id) summary.findings.push_back(std::move(finding));
  std::reverse(summary.findings.begin(), summary.findings.end());
}

// The run's own conclusion, unless it is refused since; else the fastest that was certified; else
// the fastest.
core::NodeId best_of(const RunSummary& summary) {
  if (summary.tree.conclusion) {
    const Node* concluded = summary.tree.node(summary.tree.conclusion->best);
    if (concluded != nullptr && passes(summary, *concluded)) return concluded->number;
  }
  for (const bool certified : {true, false}) {
    const Node* found = nullptr;
    for (const Node* node : written(summary))
      if (passes(summary, *node) &&
          (!certified || is_accepted(records_of(summary, *node).certified)) &&
          (found == nullptr || *seconds_of(summary, *node) < *seconds_of(summary, *found)))
        found = node;
    if (found != nullptr) return found->number;
  }
  return 0;
}

// By the rule that the run itself goes by, without those that are refused since.
core::NodeId seed_of(const RunSummary& summary) {
  if (summary.tree.conclusion && summary.tree.node(summary.tree.conclusion->seed) != nullptr)
    return summary.tree.conclusion->seed;
  core::Tree standing = summary.tree;
  for (Node& node : standing.nodes)
    if (!passes(summary, *summary.tree.node(node.number))) node.verdict.reset();
  const Node* seed = core::seed_of(standing);
  return seed == nullptr ? 0 : seed->number;
}

void add_comparison(RunSummary& summary, store::Archive& archive) {
  const Node *best = summary.tree.node(summary.best), *seed = summary.tree.node(summary.seed);
  if (best == nullptr || seed == nullptr) return;
  const auto& conclusion = summary.tree.conclusion;
  const std::string wanted =
      conclusion && conclusion->best == summary.best ? conclusion->comparison : "";
  for (auto& record : store::comparisons_of_run(archive, summary.run.id)) {
    const bool is_wanted = record.id == wanted;
    if (is_wanted ||
        (record.a.candidate == seed->candidate && record.b.candidate == best->candidate))
      summary.compared = std::move(record);
    if (is_wanted) return;
  }
}

}  // namespace

RunSummary load_summary(store::Archive& archive, const std::string& run_or_prefix,
                        bool with_prompts) {
  RunSummary summary;
  summary.run = store::get_run(archive, run_or_prefix);
  const auto records = run::records_of(archive, summary.run.id);
  for (const auto& record : records) core::update(summary.tree, record);
  read_settings(summary,
                summary.tree.settings.empty() ? summary.run.settings : summary.tree.settings);
  for (const Node& node : summary.tree.nodes)
    if (!node.candidate.empty()) summary.records[node.number] = load_records(archive, node);
  add_misses(summary, records);
  add_calls(summary, archive, with_prompts);
  add_citations(summary, archive);
  add_findings(summary, archive);
  summary.profiles = store::shown_in(archive, summary.run.id);
  summary.best = best_of(summary);
  summary.seed = seed_of(summary);
  add_comparison(summary, archive);
  return summary;
}

std::vector<const Node*> written(const RunSummary& summary) {
  std::vector<const Node*> nodes;
  for (const Node& node : summary.tree.nodes)
    if (!node.candidate.empty()) nodes.push_back(&node);
  return nodes;
}

const NodeRecords& records_of(const RunSummary& summary, const Node& node) {
  return summary.records.at(node.number);
}

const core::Experiment* experiment_of(const RunSummary& summary, const Node& node) {
  const core::Intent* intent = summary.tree.intent(node.intent);
  return intent == nullptr ? nullptr : &intent->experiment;
}

bool passes(const RunSummary& summary, const Node& node) {
  const auto found = summary.records.find(node.number);
  if (found == summary.records.end()) return false;
  const NodeRecords& records = found->second;
  return (is_accepted(records.screened) || is_accepted(records.certified)) && !records.refused;
}

bool is_certified(const RunSummary& summary, const Node& node) {
  return passes(summary, node) && is_accepted(records_of(summary, node).certified);
}

const store::EvaluationRecord* verdict_on(const RunSummary& summary, const Node& node) {
  const NodeRecords& records = records_of(summary, node);
  const auto& told = records.refused    ? records.refused
                     : records.screened ? records.screened
                                        : records.certified;
  return told ? &*told : nullptr;
}

std::optional<double> seconds_of(const RunSummary& summary, const Node& node) {
  if (!passes(summary, node)) return std::nullopt;
  const NodeRecords& records = records_of(summary, node);
  return is_accepted(records.screened) ? records.screened->evaluation.geomean
                                       : records.certified->evaluation.geomean;
}

std::optional<double> gain_of(const RunSummary& summary, const Node& node) {
  const Node* basis = summary.tree.node(node.basis);
  if (basis == nullptr || !seconds_of(summary, *basis) || !seconds_of(summary, node))
    return std::nullopt;
  return 100 * (1 - *seconds_of(summary, node) / *seconds_of(summary, *basis));
}

const Node* refused_best(const RunSummary& summary) {
  const Node* concluded =
      summary.tree.conclusion ? summary.tree.node(summary.tree.conclusion->best) : nullptr;
  return concluded != nullptr && summary.records.contains(concluded->number) &&
                 records_of(summary, *concluded).refused
             ? concluded
             : nullptr;
}

std::vector<const Node*> lineage(const RunSummary& summary) {
  std::vector<const Node*> line;
  // A basis is decided before its child, so numbers only go down.
  for (const Node* at = summary.tree.node(summary.best); at != nullptr;
       at = at->basis != 0 && at->basis < at->number ? summary.tree.node(at->basis) : nullptr)
    line.push_back(at);
  std::reverse(line.begin(), line.end());
  return line;
}

const store::EvaluationRecord* best_evaluation(const RunSummary& summary) {
  const Node* best = summary.tree.node(summary.best);
  if (best == nullptr) return nullptr;
  const NodeRecords& records = records_of(summary, *best);
  return is_accepted(records.certified) ? &*records.certified : &*records.screened;
}

const Node* first_accepted(const RunSummary& summary) {
  for (const Node* node : written(summary))
    if (seconds_of(summary, *node)) return node;
  return nullptr;
}

std::optional<double> times_as_fast(const RunSummary& summary) {
  if (summary.compared && summary.compared->ratio > 0) return 1 / summary.compared->ratio;
  const Node *best = summary.tree.node(summary.best), *seed = summary.tree.node(summary.seed);
  if (best == nullptr || seed == nullptr) return std::nullopt;
  const auto mine = seconds_of(summary, *best), other = seconds_of(summary, *seed);
  return mine && other ? std::optional(*other / *mine) : std::nullopt;
}

std::vector<FailureGroup> failures(const RunSummary& summary) {
  std::vector<FailureGroup> groups;
  for (const Node* node : written(summary)) {
    if (passes(summary, *node)) continue;
    const store::EvaluationRecord* record = verdict_on(summary, *node);
    FailureGroup failure{"not judged", "", {node->number}, "The run ended before it was judged."};
    if (record != nullptr) {
      failure.outcome = core::name_of(record->evaluation.outcome);
      failure.example = record->evaluation.build_log;
      for (const auto& evidence : record->evaluation.evidence)
        if (evidence.convicts) {
          failure.reason = evidence.guard;
          failure.example = evidence.text;
          break;
        }
    }
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const FailureGroup& known) {
      return known.outcome == failure.outcome && known.reason == failure.reason;
    });
    if (same == groups.end())
      groups.push_back(std::move(failure));
    else
      same->nodes.push_back(node->number);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return a.nodes.size() > b.nodes.size();
  });
  return groups;
}

std::vector<MissedGroup> missed(const RunSummary& summary) {
  std::vector<MissedGroup> groups;
  for (const Miss& miss : summary.misses) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const MissedGroup& known) {
      return known.what == miss.what;
    });
    if (same == groups.end())
      groups.push_back({miss.what, {miss.step}, miss.why});
    else
      same->steps.push_back(miss.step);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const MissedGroup& a, const MissedGroup& b) {
    return a.steps.size() > b.steps.size();
  });
  return groups;
}

std::vector<SelectionTold> selections(const RunSummary& summary) {
  std::vector<SelectionTold> list;
  const core::Selection* by_model = nullptr;
  for (const DecidedAction& act : summary.tree.actions) {
    if (act.selection) by_model = &*act.selection;
    if (act.action.kind != core::Action::Kind::ask || act.action.role != core::Role::designer)
      continue;
    SelectionTold told{act.action.generation, act.action.basis, act.action.reference, "",
                       by_model != nullptr};
    if (by_model != nullptr) told.rationale = by_model->rationale;
    list.push_back(std::move(told));
    by_model = nullptr;
  }
  return list;
}

std::vector<const core::Lesson*> lessons(const RunSummary& summary) {
  std::vector<const core::Lesson*> list;
  for (const DecidedAction& act : summary.tree.actions)
    if (act.lesson) list.push_back(&*act.lesson);
  return list;
}

}  // namespace hone::report
