#include "core/profile_json.h"

#include <nlohmann/json.hpp>

#include "core/evaluation_json.h"
#include "core/json.h"
#include "core/or_null.h"

namespace hone::core {
namespace {

using nlohmann::json;

std::optional<int> whole_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<int>());
}

Bound bound_in(const json& value) {
  const auto name = value.get<std::string>();
  return known(bound_from(name), name, "class");
}

json bound_or_null(const std::optional<Bound>& bound) {
  return bound ? json(name_of(*bound)) : json(nullptr);
}

std::optional<Bound> bound_or_none(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(bound_in(value));
}

json advice_json(const Advice& a) {
  return {{"id", a.id},
          {"tool", a.tool},
          {"severity", name_of(a.severity)},
          {"title", a.title},
          {"evidence", a.evidence},
          {"cause", a.cause},
          {"recommendation", a.recommendation},
          {"launch", or_null(a.launch)},
          {"lines", a.lines},
          {"gain", to_json(a.gain)},
          {"model", a.model}};
}

Advice advice_from(const json& v) {
  Advice a;
  a.id = v.at("id");
  a.tool = v.at("tool");
  const auto severity = v.at("severity").get<std::string>();
  a.severity = known(severity_from(severity), severity, "severity");
  a.title = v.at("title");
  a.evidence = v.at("evidence");
  a.cause = v.at("cause");
  a.recommendation = v.at("recommendation");
  a.launch = whole_from(v.at("launch"));
  a.lines = v.at("lines").get<std::vector<int>>();
  a.gain = interval_from(v.at("gain"));
  a.model = v.at("model");
  return a;
}

}  // namespace

json profile_body_json(const Profile& profile) {
  const Diagnosis& d = profile.diagnosis;
  json hot_lines = json::array(), left_out = json::array(), parts = json::array();
  for (const HotLine& hot : profile.hot_lines) {
    json stalls = json::array();
    for (const auto& [reason, share] : hot.stalls) stalls.push_back({reason, number(share)});
    hot_lines.push_back(
        {{"line", hot.line}, {"text", hot.text}, {"share", number(hot.share)}, {"stalls", stalls}});
  }
  for (const auto& one : profile.left_out)
    left_out.push_back({{"tool", one.tool}, {"why", one.why}});
  for (const auto& part : profile.parts)
    parts.push_back({{"name", part.name}, {"seconds", number(part.seconds)}});
  return {{"diagnosis",
           {{"bound", name_of(d.bound)},
            {"theory", bound_or_null(d.theory)},
            {"measured", bound_or_null(d.measured)},
            {"reason", d.reason},
            {"disagreement", d.disagreement}}},
          {"hot_lines", hot_lines},
          {"left_out", left_out},
          {"notes", profile.notes},
          {"parts", parts}};
}

void read_profile_body(const json& v, Profile& profile) {
  const json& d = v.at("diagnosis");
  profile.diagnosis = {bound_in(d.at("bound")), bound_or_none(d.at("theory")),
                       bound_or_none(d.at("measured")), d.at("reason"), d.at("disagreement")};
  for (const json& one : v.at("hot_lines")) {
    HotLine& hot = profile.hot_lines.emplace_back();
    hot.line = one.at("line");
    hot.text = one.at("text");
    hot.share = number_from(one.at("share"));
    for (const json& stall : one.at("stalls"))
      hot.stalls.emplace_back(stall.at(0), number_from(stall.at(1)));
  }
  for (const json& one : v.at("left_out"))
    profile.left_out.push_back({one.at("tool"), one.at("why")});
  profile.notes = v.at("notes").get<std::vector<std::string>>();
  for (const json& one : v.at("parts"))
    profile.parts.push_back({one.at("name"), number_from(one.at("seconds"))});
}

json to_json(const Profile& profile) {
  json value = profile_body_json(profile);
  value["key"] = to_json(profile.key);
  value["case_name"] = profile.case_name;
  value["seconds"] = number(profile.seconds);
  value["metrics"] = json::array();
  for (const auto& metric : profile.metrics) value["metrics"].push_back(to_json(metric));
  value["advice"] = json::array();
  for (const auto& advice : profile.advice) value["advice"].push_back(advice_json(advice));
  return value;
}

Profile profile_from(const json& v) {
  Profile profile;
  profile.key = key_from(v.at("key"));
  profile.case_name = v.at("case_name");
  profile.seconds = number_from(v.at("seconds"));
  for (const json& metric : v.at("metrics")) profile.metrics.push_back(metric_from(metric));
  for (const json& advice : v.at("advice")) profile.advice.push_back(advice_from(advice));
  read_profile_body(v, profile);
  return profile;
}

}  // namespace hone::core
