// A run's story for programs: see cli/story_markdown.h.
#include <nlohmann/json.hpp>

#include "core/ceiling_distance.h"
#include "core/json.h"
#include "core/or_null.h"
#include "report/story_markdown.h"
#include "run/run_lock.h"
#include "text/evaluation_text.h"

namespace hone::report {
using namespace text;
namespace {

using nlohmann::json;

json to_json(const store::Spending& s) {
  return {{"calls", s.calls},           {"answered", s.answered},           {"tokens_in", s.tokens_in},
          {"tokens_out", s.tokens_out}, {"tokens_cached", s.tokens_cached}, {"usd", s.usd},
          {"seconds", s.seconds}};
}

json outcome_json(const store::EvaluationRecord& record) {
  const auto& e = record.evaluation;
  json evidence = json::array(), cases = json::array();
  for (const auto& said : e.evidence) evidence.push_back({{"guard", said.guard}, {"text", said.text}});
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

json to_json(const Story& story, const StoryMember& member) {
  json experiment = nullptr;
  if (const auto& e = member.experiment) {
    experiment = {{"number", e->number}, {"kind", e->kind},         {"description", e->description},
                  {"rubric", e->rubric}, {"taken_as", e->taken_as}, {"innovation", core::or_null(e->innovation)}};
    experiment["advice"] = json::array();
    for (const auto& c : e->advice)
      experiment["advice"].push_back({{"id", c.advice},
                                      {"tool", c.tool},
                                      {"title", c.title},
                                      {"profile", c.profile},
                                      {"case", c.case_name},
                                      {"predicted", {c.predicted.low, c.predicted.high}},
                                      {"outcome", c.outcome},
                                      {"realised", core::or_null(c.realised)}});
    experiment["gain"] = e->gain ? json{e->gain->low, e->gain->high} : json(nullptr);
  }
  return {{"number", member.record.number},
          {"step", member.record.step},
          {"generation", member.record.generation},
          {"basis", core::or_null(member.record.basis)},
          {"reference", core::or_null(member.record.reference)},
          {"candidate", member.record.candidate},
          {"experiment", experiment},
          {"report", member.record.report},
          {"realised_gain", core::or_null(realised_gain(story, member))},
          {"screened", member.screened ? outcome_json(*member.screened) : json(nullptr)},
          {"certified", member.certified ? outcome_json(*member.certified) : json(nullptr)},
          {"refused", member.refused ? outcome_json(*member.refused) : json(nullptr)}};
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
                    {"members", failure.members},
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
  json members = json::array(), lineage = json::array(), findings = json::array(), selections = json::array();
  for (const auto& member : story.members) members.push_back(to_json(story, member));
  for (const auto* member : report::lineage(story)) lineage.push_back(member->record.number);
  for (const auto& finding : story.findings)
    findings.push_back({{"id", finding.id}, {"text", finding.text}, {"source", finding.source}});
  for (const auto& selection : story.selections)
    selections.push_back({{"step", selection.step},
                          {"basis", core::or_null(selection.basis)},
                          {"reference", core::or_null(selection.reference)},
                          {"rationale", selection.rationale},
                          {"by", selection.by}});
  json profiles = json::array();
  for (const auto& shown : story.profiles)
    profiles.push_back({{"generation", shown.generation}, {"member", shown.member}, {"profile", shown.profile}});
  const auto* evaluation = best_evaluation(story);
  json compared = nullptr;
  if (story.compared)
    compared = {{"id", story.compared->id},
                {"word", core::name_of(story.compared->word)},
                {"ratio", story.compared->ratio},
                {"interval", {story.compared->interval.low, story.compared->interval.high}}};
  json answer = {{"kind", story.strategy == "learn" ? "digest" : "research"},
                 {"id", story.run.id},
                 {"created", core::json_time(story.run.created)},
                 {"state", run::told_state("research", story.run.id, store::name_of(story.run.state))},
                 {"note", story.run.note},
                 {"task", story.run.task_name},
                 {"task_hash", story.run.task},
                 {"device", story.run.device_name},
                 {"device_uuid", story.run.device},
                 {"strategy", story.strategy},
                 {"models", story.models},
                 {"budget", story.budget},
                 {"best", core::or_null(story.best)},
                 {"seed", core::or_null(story.seed)},
                 {"best_s", evaluation != nullptr ? json(*evaluation->evaluation.geomean) : json(nullptr)},
                 {"certified", evaluation != nullptr && evaluation->evaluation.key.depth == core::Depth::certify},
                 {"times_as_fast", core::or_null(times_as_fast(story))},
                 {"compared", compared},
                 {"conclusion", story.conclusion},
                 {"lineage", lineage},
                 {"members", members},
                 {"selections", selections},
                 {"feedback", story.feedback},
                 {"profiles", profiles},
                 {"failures", failures_json(story)},
                 {"missed", missed_json(story)},
                 {"findings", findings},
                 {"roles", roles_json(story)},
                 {"spending", to_json(story.spending)}};
  if (evaluation != nullptr)
    if (const auto ceiling = core::ceiling_distance(evaluation->evaluation))
      answer["ceiling"] = {{"fraction", ceiling->fraction}, {"of", ceiling->ceiling}, {"case", ceiling->case_name}};
  if (beside != nullptr) answer["beside"] = story_json(*beside, nullptr);
  return answer;
}

}  // namespace hone::report
