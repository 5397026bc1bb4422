#include "report/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "run/journal.h"
#include "run/names.h"
#include "run/run.h"
#include "store/standing.h"

namespace hone::report {
namespace {

using core::Deed;
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
void read_settings(Story& story, const std::string& text) {
  const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
  story.digest = read.is_object() && read.value("strategy", "") == "learn";
  story.settings.strategy = story.settings.write = story.settings.feedback = "";
  try {
    story.settings = run::settings_from_text(text);
    if (story.digest) story.settings.strategy = "learn";
  } catch (const base::Error&) {
  } catch (const nlohmann::json::exception&) {
  }
}

void add_misses(Story& story, const std::vector<core::Record>& records) {
  for (const auto& record : records) {
    const auto* unusable = std::get_if<core::Unusable>(&record);
    if (unusable == nullptr) continue;
    const Deed& deed = story.tree.deeds[static_cast<std::size_t>(unusable->action) - 1];
    story.misses.push_back(
        {"unusable answer", run::question_name(deed, unusable->turn), unusable->why});
  }
  for (const Node& node : story.tree.nodes)
    if (node.state == Node::State::unusable)
      story.misses.push_back({"unusable answer", run::name_of_place(node.place), node.failure});
  for (const Deed& deed : story.tree.deeds) {
    const core::Intent* intent = story.tree.intent(deed.action.intent);
    if (deed.action.kind == core::Action::Kind::probe && intent != nullptr && intent->probed &&
        !intent->probed->failure.empty())
      story.misses.push_back({"probe without numbers", run::writer_of(run::question_name(deed)),
                              intent->probed->failure});
  }
}

void add_calls(Story& story, store::Archive& archive, bool with_prompts) {
  const auto calls = store::calls_of(archive, story.run.id, with_prompts);
  story.roles = spending_by_role(calls);
  story.spending = store::spending_of(archive, story.run.id);
  for (const auto& call : calls)
    if (call.end && !call.end->fault.empty())
      story.misses.push_back({call.end->fault, call.start.step, call.end->text});
}

// Citations know an experiment by its row in the archive.
void add_citations(Story& story, store::Archive& archive) {
  std::map<std::int64_t, core::IntentId> intents;
  std::set<core::IntentId> matched;
  for (const auto& row : store::experiments_of(archive, story.run.id)) {
    const auto body = nlohmann::json::parse(row.body, nullptr, false);
    const std::string description =
        body.is_object() && body.contains("description") && body["description"].is_string()
            ? body["description"]
            : "";
    for (const auto& intent : story.tree.intents)
      if (intent.generation == row.generation && intent.experiment.description == description &&
          matched.insert(intent.number).second) {
        intents[row.number] = intent.number;
        break;
      }
  }
  for (auto& cited : store::citations_of(archive, story.run.id))
    if (const auto found = intents.find(cited.experiment); found != intents.end())
      story.citations[found->second].push_back(std::move(cited));
}

void add_findings(Story& story, store::Archive& archive) {
  store::FindingFilter everything;
  everything.everything = true;
  everything.limit = 100'000;
  for (auto& finding : store::findings(archive, everything))
    if (finding.run == story.run.id) story.findings.push_back(std::move(finding));
  std::reverse(story.findings.begin(), story.findings.end());
}

// The run's own conclusion, unless it is refused since; else the fastest that was certified; else
// the fastest.
core::NodeId best_of(const Story& story) {
  if (story.tree.conclusion) {
    const Node* concluded = story.tree.node(story.tree.conclusion->best);
    if (concluded != nullptr && passes(story, *concluded)) return concluded->number;
  }
  for (const bool certified : {true, false}) {
    const Node* found = nullptr;
    for (const Node* node : written(story))
      if (passes(story, *node) && (!certified || is_accepted(records_of(story, *node).certified)) &&
          (found == nullptr || *seconds_of(story, *node) < *seconds_of(story, *found)))
        found = node;
    if (found != nullptr) return found->number;
  }
  return 0;
}

// By the rule that the run itself goes by, without those that are refused since.
core::NodeId seed_of(const Story& story) {
  if (story.tree.conclusion && story.tree.node(story.tree.conclusion->seed) != nullptr)
    return story.tree.conclusion->seed;
  core::Tree standing = story.tree;
  for (Node& node : standing.nodes)
    if (!passes(story, *story.tree.node(node.number))) node.verdict.reset();
  const Node* seed = core::seed_of(standing);
  return seed == nullptr ? 0 : seed->number;
}

void add_comparison(Story& story, store::Archive& archive) {
  const Node *best = story.tree.node(story.best), *seed = story.tree.node(story.seed);
  if (best == nullptr || seed == nullptr) return;
  const auto& conclusion = story.tree.conclusion;
  const std::string wanted =
      conclusion && conclusion->best == story.best ? conclusion->comparison : "";
  for (auto& record : store::comparisons_of_run(archive, story.run.id)) {
    const bool is_wanted = record.id == wanted;
    if (is_wanted ||
        (record.a.candidate == seed->candidate && record.b.candidate == best->candidate))
      story.compared = std::move(record);
    if (is_wanted) return;
  }
}

}  // namespace

Story load_story(store::Archive& archive, const std::string& run_or_prefix, bool with_prompts) {
  Story story;
  story.run = store::get_run(archive, run_or_prefix);
  const auto records = run::records_of(archive, story.run.id);
  for (const auto& record : records) core::update(story.tree, record);
  read_settings(story, story.tree.settings.empty() ? story.run.settings : story.tree.settings);
  for (const Node& node : story.tree.nodes)
    if (!node.candidate.empty()) story.records[node.number] = load_records(archive, node);
  add_misses(story, records);
  add_calls(story, archive, with_prompts);
  add_citations(story, archive);
  add_findings(story, archive);
  story.profiles = store::shown_in(archive, story.run.id);
  story.best = best_of(story);
  story.seed = seed_of(story);
  add_comparison(story, archive);
  return story;
}

std::vector<const Node*> written(const Story& story) {
  std::vector<const Node*> nodes;
  for (const Node& node : story.tree.nodes)
    if (!node.candidate.empty()) nodes.push_back(&node);
  return nodes;
}

const NodeRecords& records_of(const Story& story, const Node& node) {
  return story.records.at(node.number);
}

const core::Experiment* experiment_of(const Story& story, const Node& node) {
  const core::Intent* intent = story.tree.intent(node.intent);
  return intent == nullptr ? nullptr : &intent->experiment;
}

bool passes(const Story& story, const Node& node) {
  const auto found = story.records.find(node.number);
  if (found == story.records.end()) return false;
  const NodeRecords& records = found->second;
  return (is_accepted(records.screened) || is_accepted(records.certified)) && !records.refused;
}

bool is_certified(const Story& story, const Node& node) {
  return passes(story, node) && is_accepted(records_of(story, node).certified);
}

const store::EvaluationRecord* verdict_on(const Story& story, const Node& node) {
  const NodeRecords& records = records_of(story, node);
  const auto& told = records.refused    ? records.refused
                     : records.screened ? records.screened
                                        : records.certified;
  return told ? &*told : nullptr;
}

std::optional<double> seconds_of(const Story& story, const Node& node) {
  if (!passes(story, node)) return std::nullopt;
  const NodeRecords& records = records_of(story, node);
  return is_accepted(records.screened) ? records.screened->evaluation.geomean
                                       : records.certified->evaluation.geomean;
}

std::optional<double> gain_of(const Story& story, const Node& node) {
  const Node* basis = story.tree.node(node.basis);
  if (basis == nullptr || !seconds_of(story, *basis) || !seconds_of(story, node))
    return std::nullopt;
  return 100 * (1 - *seconds_of(story, node) / *seconds_of(story, *basis));
}

const Node* refused_best(const Story& story) {
  const Node* concluded =
      story.tree.conclusion ? story.tree.node(story.tree.conclusion->best) : nullptr;
  return concluded != nullptr && story.records.contains(concluded->number) &&
                 records_of(story, *concluded).refused
             ? concluded
             : nullptr;
}

std::vector<const Node*> lineage(const Story& story) {
  std::vector<const Node*> line;
  // A basis is decided before its child, so numbers only go down.
  for (const Node* at = story.tree.node(story.best); at != nullptr;
       at = at->basis != 0 && at->basis < at->number ? story.tree.node(at->basis) : nullptr)
    line.push_back(at);
  std::reverse(line.begin(), line.end());
  return line;
}

const store::EvaluationRecord* best_evaluation(const Story& story) {
  const Node* best = story.tree.node(story.best);
  if (best == nullptr) return nullptr;
  const NodeRecords& records = records_of(story, *best);
  return is_accepted(records.certified) ? &*records.certified : &*records.screened;
}

const Node* first_accepted(const Story& story) {
  for (const Node* node : written(story))
    if (seconds_of(story, *node)) return node;
  return nullptr;
}

std::optional<double> times_as_fast(const Story& story) {
  if (story.compared && story.compared->ratio > 0) return 1 / story.compared->ratio;
  const Node *best = story.tree.node(story.best), *seed = story.tree.node(story.seed);
  if (best == nullptr || seed == nullptr) return std::nullopt;
  const auto mine = seconds_of(story, *best), other = seconds_of(story, *seed);
  return mine && other ? std::optional(*other / *mine) : std::nullopt;
}

std::vector<FailureGroup> failures(const Story& story) {
  std::vector<FailureGroup> groups;
  for (const Node* node : written(story)) {
    if (passes(story, *node)) continue;
    const store::EvaluationRecord* record = verdict_on(story, *node);
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

std::vector<MissedGroup> missed(const Story& story) {
  std::vector<MissedGroup> groups;
  for (const Miss& miss : story.misses) {
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

std::vector<SelectionTold> selections(const Story& story) {
  std::vector<SelectionTold> list;
  const core::Selection* by_model = nullptr;
  for (const Deed& deed : story.tree.deeds) {
    if (deed.selection) by_model = &*deed.selection;
    if (deed.action.kind != core::Action::Kind::ask || deed.action.role != core::Role::designer)
      continue;
    SelectionTold told{deed.action.generation, deed.action.basis, deed.action.reference, "",
                       by_model != nullptr};
    if (by_model != nullptr) told.rationale = by_model->rationale;
    list.push_back(std::move(told));
    by_model = nullptr;
  }
  return list;
}

std::vector<const core::Lesson*> lessons(const Story& story) {
  std::vector<const core::Lesson*> list;
  for (const Deed& deed : story.tree.deeds)
    if (deed.lesson) list.push_back(&*deed.lesson);
  return list;
}

}  // namespace hone::report
