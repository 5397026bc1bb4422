// A run's summary for programs: see report/summary_markdown.h.
#include <nlohmann/json.hpp>

#include "core/ceiling_distance.h"
#include "core/json.h"
#include "core/or_null.h"
#include "report/summary_markdown.h"
#include "run/names.h"
#include "run/run_lock.h"
#include "text/evaluation_text.h"

namespace hone::report {
using namespace text;
namespace {

using nlohmann::json;

json to_json(const store::Spending& s) {
  return {
      {"calls", s.calls},           {"answered", s.answered},           {"tokens_in", s.tokens_in},
      {"tokens_out", s.tokens_out}, {"tokens_cached", s.tokens_cached}, {"usd", s.usd},
      {"seconds", s.seconds}};
}

json outcome_json(const store::EvaluationRecord& record) {
  const auto& e = record.evaluation;
  json evidence = json::array(), cases = json::array();
  for (const auto& said : e.evidence)
    evidence.push_back({{"guard", said.guard}, {"text", said.text}});
  for (const auto& c : e.cases)
    if (c.timed)
      cases.push_back({{"name", c.name},
                       {"median_s", c.median},
                       {"interval_s", {c.interval.low, c.interval.high}},
                       {"ceiling_fraction", core::or_null(c.ceiling_fraction)},
                       {"ceiling", c.ceiling}});
  return {{"id", record.id},
          {"depth", core::name_of(e.key.depth)},
          {"outcome", core::name_of(e.outcome)},
          {"geomean_s", core::or_null(e.geomean)},
          {"evidence", evidence},
          {"cases", cases}};
}

json experiment_json(const RunSummary& summary, const core::Intent& intent) {
  const core::Experiment& e = intent.experiment;
  json experiment = {{"number", intent.number},
                     {"kind", core::name_of(e.kind)},
                     {"description", e.description},
                     {"rubric", e.rubric},
                     {"taken_as", intent.taken_as},
                     {"innovation", e.innovation},
                     {"gain", {e.gain_low, e.gain_high}},
                     {"advice", json::array()}};
  if (const auto cited = summary.citations.find(intent.number); cited != summary.citations.end())
    for (const auto& c : cited->second)
      experiment["advice"].push_back({{"id", c.advice},
                                      {"tool", c.tool},
                                      {"title", c.title},
                                      {"profile", c.profile},
                                      {"case", c.case_name},
                                      {"predicted", {c.predicted.low, c.predicted.high}},
                                      {"outcome", c.outcome},
                                      {"realised", core::or_null(c.realised)}});
  return experiment;
}

json or_null(core::NodeId number) { return number == 0 ? json(nullptr) : json(number); }

json outcome_or_null(const std::optional<store::EvaluationRecord>& record) {
  return record ? outcome_json(*record) : json(nullptr);
}

json to_json(const RunSummary& summary, const core::Node& node) {
  const core::Intent* intent = summary.tree.intent(node.intent);
  const NodeRecords& records = records_of(summary, node);
  return {{"number", node.number},
          {"step", run::name_of_place(node.place)},
          {"generation", node.place.generation},
          {"basis", or_null(node.basis)},
          {"reference", or_null(node.reference)},
          {"candidate", node.candidate},
          {"experiment", intent != nullptr ? experiment_json(summary, *intent) : json(nullptr)},
          {"report", node.report},
          {"realised_gain", core::or_null(gain_of(summary, node))},
          {"screened", outcome_or_null(records.screened)},
          {"certified", outcome_or_null(records.certified)},
          {"refused", outcome_or_null(records.refused)}};
}

json budget_json(const run::Budget& budget) {
  json object = json::object();
  if (budget.usd > 0) object["usd"] = budget.usd;
  if (budget.calls > 0) object["calls"] = budget.calls;
  if (budget.candidates > 0) object["candidates"] = budget.candidates;
  if (budget.minutes > 0) object["minutes"] = budget.minutes;
  return object;
}

json roles_json(const RunSummary& summary) {
  json roles = json::array();
  for (const auto& role : summary.roles) {
    json each = to_json(role.spending);
    each["role"] = role.role;
    each["models"] = role.models;
    each["faults"] = role.faults;
    each["prompt_tokens"] = role.prompt_tokens;
    each["prompt_tokens_estimated"] = role.estimated;
    roles.push_back(std::move(each));
  }
  return roles;
}

json failures_json(const RunSummary& summary) {
  json list = json::array();
  for (const auto& failure : failures(summary))
    list.push_back({{"outcome", failure.outcome},
                    {"guard", failure.reason},
                    {"members", failure.nodes},
                    {"example", failure.example}});
  return list;
}

json missed_json(const RunSummary& summary) {
  json list = json::array();
  for (const auto& group : missed(summary))
    list.push_back({{"what", group.what}, {"steps", group.steps}, {"example", group.example}});
  return list;
}

}  // namespace

json summary_json(const RunSummary& summary, const RunSummary* beside) {
  json members = json::array(), lineage = json::array(), findings = json::array(),
       chosen = json::array();
  for (const auto* node : written(summary)) members.push_back(to_json(summary, *node));
  for (const auto* node : report::lineage(summary)) lineage.push_back(node->number);
  for (const auto& finding : summary.findings)
    findings.push_back({{"id", finding.id}, {"text", finding.text}, {"source", finding.source}});
  for (const auto& one : selections(summary))
    chosen.push_back({{"step", run::generation_name(one.generation) + "/selection"},
                      {"basis", one.basis},
                      {"reference", or_null(one.reference)},
                      {"rationale", one.rationale},
                      {"by", one.by_model ? "model" : "rule"}});
  json profiles = json::array();
  for (const auto& shown : summary.profiles)
    profiles.push_back(
        {{"generation", shown.generation}, {"member", shown.member}, {"profile", shown.profile}});
  const auto* evaluation = best_evaluation(summary);
  json compared = nullptr;
  if (summary.compared)
    compared = {{"id", summary.compared->id},
                {"word", core::name_of(summary.compared->word)},
                {"ratio", summary.compared->ratio},
                {"interval", {summary.compared->interval.low, summary.compared->interval.high}}};
  json answer = {
      {"kind", summary.digest ? "digest" : "research"},
      {"id", summary.run.id},
      {"created", core::json_time(summary.run.created)},
      {"state", run::told_state("research", summary.run.id, store::name_of(summary.run.state))},
      {"note", summary.run.note},
      {"task", summary.run.task_name},
      {"task_hash", summary.run.task},
      {"device", summary.run.device_name},
      {"device_uuid", summary.run.device},
      {"strategy", summary.settings.strategy},
      {"models", summary.settings.models},
      {"budget", budget_json(summary.settings.budget)},
      {"best", or_null(summary.best)},
      {"seed", or_null(summary.seed)},
      {"best_s", evaluation != nullptr ? json(*evaluation->evaluation.geomean) : json(nullptr)},
      {"certified",
       evaluation != nullptr && evaluation->evaluation.key.depth == core::Depth::certify},
      {"times_as_fast", core::or_null(times_as_fast(summary))},
      {"compared", compared},
      {"conclusion", summary.tree.conclusion ? summary.tree.conclusion->text : ""},
      {"lineage", lineage},
      {"members", members},
      {"selections", chosen},
      {"feedback", summary.settings.feedback},
      {"profiles", profiles},
      {"failures", failures_json(summary)},
      {"missed", missed_json(summary)},
      {"findings", findings},
      {"roles", roles_json(summary)},
      {"spending", to_json(summary.spending)}};
  if (evaluation != nullptr)
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      answer["ceiling"] = {
          {"fraction", ceiling->fraction}, {"of", ceiling->ceiling}, {"case", ceiling->case_name}};
  if (beside != nullptr) answer["beside"] = summary_json(*beside, nullptr);
  return answer;
}

}  // namespace hone::report
