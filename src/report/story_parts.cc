#include "report/story_parts.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace hone::report {
namespace {

using nlohmann::json;

json object_from(const std::string& text) {
  json value = json::parse(text, nullptr, false);
  return value.is_object() ? value : json::object();
}

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

// A member's number; 0 is none.
std::optional<int> member_of(const json& object, const char* name) {
  const auto value = number_of(object, name);
  return value && *value >= 1 && *value < 1e9 ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::vector<std::string> texts_of(const json& object, const char* name) {
  std::vector<std::string> texts;
  if (const auto found = object.find(name); found != object.end() && found->is_array())
    for (const json& each : *found)
      if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

}  // namespace

void read_settings(Story& story) {
  const json settings = object_from(story.run.settings);
  story.strategy = text_of(settings, "strategy");
  story.task_path = text_of(settings, "task_path");
  story.executor = text_of(settings, "executor");
  story.evaluator = text_of(settings, "evaluator");
  story.feedback = text_of(settings, "feedback");
  if (const auto models = settings.find("models"); models != settings.end() && models->is_object())
    for (const auto& [role, model] : models->items())
      if (model.is_string()) story.models[role] = model.get<std::string>();
  if (const auto budget = settings.find("budget"); budget != settings.end() && budget->is_object())
    for (const auto& [name, amount] : budget->items())
      if (amount.is_number() && amount.get<double>() > 0) story.budget[name] = amount.get<double>();
}

StoryExperiment read_experiment(const store::ExperimentRecord& record) {
  const json body = object_from(record.body);
  StoryExperiment experiment{record.number,
                             record.generation,
                             record.index,
                             record.kind,
                             text_of(body, "description"),
                             text_of(body, "rubric"),
                             text_of(body, "taken_as"),
                             std::nullopt,
                             number_of(body, "innovation")};
  if (const auto gain = body.find("performance");
      gain != body.end() && gain->is_array() && gain->size() == 2 && (*gain)[0].is_number() && (*gain)[1].is_number())
    experiment.gain = core::Interval{(*gain)[0].get<double>(), (*gain)[1].get<double>()};
  return experiment;
}

ResultDecision read_decisions(Story& story, const std::vector<std::pair<std::string, std::string>>& decisions) {
  ResultDecision result;
  for (const auto& [name, text] : decisions) {
    const json body = object_from(text);
    if (name == "result" || name.starts_with("result/")) {  // of several the last: a resumed run may do better
      result.best = member_of(body, "best");
      result.seed = member_of(body, "seed");
      result.comparison = text_of(body, "comparison");
      result.conclusion = text_of(body, "conclusion");
      if (const std::string id = text_of(body, "certified"); result.best && !id.empty())
        result.finals[*result.best] = id;
    } else if (name.starts_with("final/")) {
      int member = 0;
      const char* digits = name.data() + std::string_view("final/").size();
      std::from_chars(digits, name.data() + name.size(), member);
      if (const std::string id = text_of(body, "evaluation"); !id.empty()) result.finals[member] = id;
    } else if (name.ends_with("/selection")) {
      story.selections.push_back({name, member_of(body, "basis"), member_of(body, "reference"),
                                  text_of(body, "rationale"), text_of(body, "by")});
    } else if (name.find("/lesson") != std::string::npos) {
      story.lessons.push_back({name, texts_of(body, "findings"), texts_of(body, "disagreements")});
    } else if (constexpr std::string_view unusable = "/unusable"; name.ends_with(unusable)) {
      story.misses.push_back({"unusable answer", name.substr(0, name.size() - unusable.size()), text_of(body, "why")});
    } else if (name.ends_with("/probe") && body.contains("failure")) {
      story.misses.push_back({"probe without numbers", name.substr(0, name.rfind('/')), text_of(body, "failure")});
    } else if (name.starts_with("incumbent/")) {
      if (const auto member = member_of(body, "member"))
        story.incumbents.push_back({name, *member, text_of(body, "because")});
    }
  }
  return result;
}

std::vector<RoleSpending> spending_by_role(const std::vector<store::CallRecord>& calls) {
  constexpr std::size_t characters_of_a_token = 4;  // of code and English, near enough for a size
  std::vector<RoleSpending> roles;
  for (const store::CallRecord& call : calls) {
    auto role = std::find_if(roles.begin(), roles.end(),
                             [&](const RoleSpending& known) { return known.role == call.start.role; });
    if (role == roles.end()) role = roles.insert(roles.end(), {.role = call.start.role});
    const std::string& model = call.end && !call.end->model.empty() ? call.end->model : call.start.model;
    if (std::find(role->models.begin(), role->models.end(), model) == role->models.end()) role->models.push_back(model);
    store::Spending& sum = role->spending;
    ++sum.calls;
    sum.usd += call.end ? call.end->usd : call.start.reserved_usd;
    std::int64_t prompt = 0;
    if (call.end) {
      sum.answered += call.end->answered ? 1 : 0;
      sum.tokens_in += call.end->tokens_in;
      sum.tokens_out += call.end->tokens_out;
      sum.tokens_cached += call.end->tokens_cached;
      sum.seconds += call.end->seconds;
      if (!call.end->fault.empty()) ++role->faults[call.end->fault];
      prompt = call.end->tokens_in;
    }
    if (prompt == 0 && !call.start.prompt.empty()) {
      prompt = static_cast<std::int64_t>(call.start.prompt.size() / characters_of_a_token);
      role->estimated = true;
    }
    if (prompt > 0) role->prompt_tokens.push_back(prompt);
  }
  return roles;
}

}  // namespace hone::report
