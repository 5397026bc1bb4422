// A run's story for programs: see report/story_markdown.h.
#include <nlohmann/json.hpp>

#include "core/ceiling_distance.h"
#include "core/json.h"
#include "core/or_null.h"
#include "report/story_markdown.h"
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

json experiment_json(const Story& story, const core::Intent& intent) {
  const core::Experiment& e = intent.experiment;
  json experiment = {{"number", intent.number},
                     {"kind", e.kind == core::Experiment::Kind::probe ? "probe" : "kernel"},
                     {"description", e.description},
                     {"rubric", e.rubric},
                     {"taken_as", intent.taken_as},
                     {"innovation", e.innovation},
                     {"gain", {e.gain_low, e.gain_high}},
                     {"advice", json::array()}};
  if (const auto cited = story.citations.find(intent.number); cited != story.citations.end())
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

json to_json(const Story& story, const core::Node& node) {
  const core::Intent* intent = story.tree.intent(node.intent);
  const NodeRecords& records = records_of(story, node);
  return {{"number", node.number},
          {"step", run::name_of_place(node.place)},
          {"generation", node.place.generation},
          {"basis", or_null(node.basis)},
          {"reference", or_null(node.reference)},
          {"candidate", node.candidate},
          {"experiment", intent != nullptr ? experiment_json(story, *intent) : json(nullptr)},
          {"report", node.report},
          {"realised_gain", core::or_null(gain_of(story, node))},
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

json roles_json(const Story& story) {
  json roles = json::array();
  for (const auto& role : story.roles) {
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

json failures_json(const Story& story) {
  json list = json::array();
  for (const auto& failure : failures(story))
    list.push_back({{"outcome", failure.outcome},
                    {"guard", failure.reason},
                    {"members", failure.nodes},
                    {"example", failure.example}});
  return list;
}

json missed_json(const Story& story) {
  json list = json::array();
  for (const auto& group : missed(story))
    list.push_back({{"what", group.what}, {"steps", group.steps}, {"example", group.example}});
  return list;
}

}  // namespace

json story_json(const Story& story, const Story* beside) {
  json members = json::array(), lineage = json::array(), findings = json::array(),
       chosen = json::array();
  for (const auto* node : written(story)) members.push_back(to_json(story, *node));
  for (const auto* node : report::lineage(story)) lineage.push_back(node->number);
  for (const auto& finding : story.findings)
    findings.push_back({{"id", finding.id}, {"text", finding.text}, {"source", finding.source}});
  for (const auto& one : selections(story))
    chosen.push_back({{"step", run::generation_name(one.generation) + "/selection"},
                      {"basis", one.basis},
                      {"reference", or_null(one.reference)},
                      {"rationale", one.rationale},
                      {"by", one.by_model ? "model" : "rule"}});
  json profiles = json::array();
  for (const auto& shown : story.profiles)
    profiles.push_back(
        {{"generation", shown.generation}, {"member", shown.member}, {"profile", shown.profile}});
  const auto* evaluation = best_evaluation(story);
  json compared = nullptr;
  if (story.compared)
    compared = {{"id", story.compared->id},
                {"word", core::name_of(story.compared->word)},
                {"ratio", story.compared->ratio},
                {"interval", {story.compared->interval.low, story.compared->interval.high}}};
  json answer = {
      {"kind", story.digest ? "digest" : "research"},
      {"id", story.run.id},
      {"created", core::json_time(story.run.created)},
      {"state", run::told_state("research", story.run.id, store::name_of(story.run.state))},
      {"note", story.run.note},
      {"task", story.run.task_name},
      {"task_hash", story.run.task},
      {"device", story.run.device_name},
      {"device_uuid", story.run.device},
      {"strategy", story.settings.strategy},
      {"models", story.settings.models},
      {"budget", budget_json(story.settings.budget)},
      {"best", or_null(story.best)},
      {"seed", or_null(story.seed)},
      {"best_s", evaluation != nullptr ? json(*evaluation->evaluation.geomean) : json(nullptr)},
      {"certified",
       evaluation != nullptr && evaluation->evaluation.key.depth == core::Depth::certify},
      {"times_as_fast", core::or_null(times_as_fast(story))},
      {"compared", compared},
      {"conclusion", story.tree.conclusion ? story.tree.conclusion->text : ""},
      {"lineage", lineage},
      {"members", members},
      {"selections", chosen},
      {"feedback", story.settings.feedback},
      {"profiles", profiles},
      {"failures", failures_json(story)},
      {"missed", missed_json(story)},
      {"findings", findings},
      {"roles", roles_json(story)},
      {"spending", to_json(story.spending)}};
  if (evaluation != nullptr)
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      answer["ceiling"] = {
          {"fraction", ceiling->fraction}, {"of", ceiling->ceiling}, {"case", ceiling->case_name}};
  if (beside != nullptr) answer["beside"] = story_json(*beside, nullptr);
  return answer;
}

}  // namespace hone::report
