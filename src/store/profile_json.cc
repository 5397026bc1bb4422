#include "store/profile_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace hone::store {
namespace {

using nlohmann::json;

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

double number_from(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

std::optional<int> whole_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<int>());
}

core::Bound bound_from(const json& value) {
  const auto name = value.get<std::string>();
  if (const auto bound = core::bound_from(name)) return *bound;
  base::fail(base::ExitCode::bad_input, "it names the class '{}', which this hone does not know", name);
}

json bound_or_null(const std::optional<core::Bound>& bound) {
  return bound ? json(core::name_of(*bound)) : json(nullptr);
}

std::optional<core::Bound> bound_or_none(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(bound_from(value));
}

json metric_json(const core::Metric& m) {
  return {{"tag", m.tag},           {"hint", m.hint},      {"value", m.value ? number(*m.value) : json(nullptr)},
          {"missing", m.missing},   {"case", m.case_name}, {"launch", or_null(m.launch)},
          {"line", or_null(m.line)}};
}

core::Metric metric_from(const json& v) {
  core::Metric m{v.at("tag"), v.at("hint"), {}, v.at("missing"), v.at("case"), {}, {}};
  if (!v.at("value").is_null()) m.value = v.at("value").get<double>();
  m.launch = whole_from(v.at("launch"));
  m.line = whole_from(v.at("line"));
  return m;
}

json advice_json(const core::Advice& a) {
  return {{"id", a.id},
          {"tool", a.tool},
          {"severity", core::name_of(a.severity)},
          {"title", a.title},
          {"evidence", a.evidence},
          {"cause", a.cause},
          {"recommendation", a.recommendation},
          {"launch", or_null(a.launch)},
          {"lines", a.lines},
          {"gain", {number(a.gain.low), number(a.gain.high)}},
          {"model", a.model}};
}

core::Advice advice_from(const json& v) {
  core::Advice a;
  a.id = v.at("id");
  a.tool = v.at("tool");
  const auto severity = v.at("severity").get<std::string>();
  const auto known = core::severity_from(severity);
  if (!known)
    base::fail(base::ExitCode::bad_input, "it names the severity '{}', which this hone does not know", severity);
  a.severity = *known;
  a.title = v.at("title");
  a.evidence = v.at("evidence");
  a.cause = v.at("cause");
  a.recommendation = v.at("recommendation");
  a.launch = whole_from(v.at("launch"));
  a.lines = v.at("lines").get<std::vector<int>>();
  a.gain = {number_from(v.at("gain").at(0)), number_from(v.at("gain").at(1))};
  a.model = v.at("model");
  return a;
}

}  // namespace

json profile_body_json(const core::Profile& profile) {
  const core::Diagnosis& d = profile.diagnosis;
  json hot_lines = json::array(), left_out = json::array(), parts = json::array();
  for (const core::HotLine& hot : profile.hot_lines) {
    json stalls = json::array();
    for (const auto& [reason, share] : hot.stalls) stalls.push_back({reason, number(share)});
    hot_lines.push_back({{"line", hot.line}, {"text", hot.text}, {"share", number(hot.share)}, {"stalls", stalls}});
  }
  for (const auto& one : profile.left_out) left_out.push_back({{"tool", one.tool}, {"why", one.why}});
  for (const auto& part : profile.parts) parts.push_back({{"name", part.name}, {"seconds", number(part.seconds)}});
  return {{"diagnosis",
           {{"bound", core::name_of(d.bound)},
            {"theory", bound_or_null(d.theory)},
            {"measured", bound_or_null(d.measured)},
            {"reason", d.reason},
            {"disagreement", d.disagreement}}},
          {"hot_lines", hot_lines},
          {"left_out", left_out},
          {"notes", profile.notes},
          {"parts", parts}};
}

void read_profile_body(const json& v, core::Profile& profile) {
  const json& d = v.at("diagnosis");
  profile.diagnosis = {bound_from(d.at("bound")), bound_or_none(d.at("theory")), bound_or_none(d.at("measured")),
                       d.at("reason"), d.at("disagreement")};
  for (const json& one : v.at("hot_lines")) {
    core::HotLine& hot = profile.hot_lines.emplace_back();
    hot.line = one.at("line");
    hot.text = one.at("text");
    hot.share = number_from(one.at("share"));
    for (const json& stall : one.at("stalls")) hot.stalls.emplace_back(stall.at(0), number_from(stall.at(1)));
  }
  for (const json& one : v.at("left_out")) profile.left_out.push_back({one.at("tool"), one.at("why")});
  profile.notes = v.at("notes").get<std::vector<std::string>>();
  for (const json& one : v.at("parts")) profile.parts.push_back({one.at("name"), number_from(one.at("seconds"))});
}

json profile_json(const core::Profile& profile) {
  json value = profile_body_json(profile);
  const core::EvaluationKey& key = profile.key;
  value["key"] = {{"candidate", key.candidate}, {"point", key.point},
                  {"task", key.task},           {"device", key.device},
                  {"driver", key.driver},       {"compiler", key.compiler},
                  {"protocol", key.protocol},   {"depth", core::name_of(key.depth)},
                  {"cases", key.cases}};
  value["case_name"] = profile.case_name;
  value["seconds"] = number(profile.seconds);
  value["metrics"] = json::array();
  for (const auto& metric : profile.metrics) value["metrics"].push_back(metric_json(metric));
  value["advice"] = json::array();
  for (const auto& advice : profile.advice) value["advice"].push_back(advice_json(advice));
  return value;
}

core::Profile profile_from(const json& v) {
  core::Profile profile;
  const json& key = v.at("key");
  profile.key.candidate = key.at("candidate");
  profile.key.point = key.at("point").get<core::Point>();
  profile.key.task = key.at("task");
  profile.key.device = key.at("device");
  profile.key.driver = key.at("driver");
  profile.key.compiler = key.at("compiler");
  profile.key.protocol = key.at("protocol");
  profile.key.depth = core::depth_from(key.at("depth").get<std::string>()).value_or(core::Depth::screen);
  profile.key.cases = key.at("cases").get<std::vector<std::string>>();
  profile.case_name = v.at("case_name");
  profile.seconds = number_from(v.at("seconds"));
  for (const json& metric : v.at("metrics")) profile.metrics.push_back(metric_from(metric));
  for (const json& advice : v.at("advice")) profile.advice.push_back(advice_from(advice));
  read_profile_body(v, profile);
  return profile;
}

}  // namespace hone::store
