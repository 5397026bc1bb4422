#include "core/evaluation_json.h"

#include <nlohmann/json.hpp>

#include "core/json.h"
#include "core/or_null.h"

namespace hone::core {

using nlohmann::json;

namespace {

json seconds_json(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

std::vector<double> seconds_from(const json& list) {
  std::vector<double> values;
  for (const auto& value : list) values.push_back(number_from(value));
  return values;
}

// A case that failed before anything was compared has no errors.
json case_json(const Evaluation& evaluation, const CaseResult& c) {
  const Outcome outcome = outcome_of(evaluation, c);
  const bool compared = outcome == Outcome::accepted || c.error_max > 0;
  const auto error = [&](double value) { return compared ? number(value) : json(); };
  return {{"name", c.name},
          {"outcome", name_of(outcome)},
          {"timed", c.timed},
          {"median_s", number(c.median)},
          {"interval_s", to_json(c.interval)},
          {"samples_s", seconds_json(c.samples)},
          {"wall_samples_s", seconds_json(c.wall_samples)},
          {"wall_median_s", number(c.wall_median)},
          {"first_call_s", number(c.first_call)},
          {"bytes", number(c.bytes)},
          {"flops", number(c.flops)},
          {"flops_by_kind", numbers(c.flops_by_kind)},
          {"bandwidth_bytes_per_s", number(c.bandwidth)},
          {"rate_flops_per_s", number(c.rate)},
          {"ceiling_fraction", or_null(c.ceiling_fraction)},
          {"ceiling", c.ceiling},
          {"error_max", error(c.error_max)},
          {"error_rms", error(c.error_rms)},
          {"honest_rms", error(c.honest_rms)}};
}

CaseResult case_from(const json& v) {
  const auto error = [&](const char* name) {
    return v.at(name).is_null() ? 0 : number_from(v.at(name));
  };
  CaseResult c;
  c.name = v.at("name");
  c.timed = v.at("timed");
  c.samples = seconds_from(v.at("samples_s"));
  c.wall_samples = seconds_from(v.at("wall_samples_s"));
  c.median = number_from(v.at("median_s"));
  c.interval = interval_from(v.at("interval_s"));
  c.wall_median = number_from(v.at("wall_median_s"));
  c.first_call = number_from(v.at("first_call_s"));
  c.bytes = number_from(v.at("bytes"));
  c.flops = number_from(v.at("flops"));
  c.flops_by_kind = numbers_from(v.at("flops_by_kind"));
  c.bandwidth = number_from(v.at("bandwidth_bytes_per_s"));
  c.rate = number_from(v.at("rate_flops_per_s"));
  if (!v.at("ceiling_fraction").is_null())
    c.ceiling_fraction = number_from(v.at("ceiling_fraction"));
  c.ceiling = v.at("ceiling");
  c.error_max = error("error_max");
  c.error_rms = error("error_rms");
  c.honest_rms = error("honest_rms");
  return c;
}

template <typename T>
json list(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

json to_json(const Interval& interval) { return {number(interval.low), number(interval.high)}; }
Interval interval_from(const json& value) {
  return {number_from(value.at(0)), number_from(value.at(1))};
}

json to_json(const EvaluationKey& key) {
  return {{"candidate", key.candidate}, {"point", key.point},          {"task", key.task},
          {"device", key.device},       {"driver", key.driver},        {"compiler", key.compiler},
          {"protocol", key.protocol},   {"depth", name_of(key.depth)}, {"cases", key.cases}};
}

EvaluationKey key_from(const json& v) {
  const auto depth = v.at("depth").get<std::string>();
  return {v.at("candidate"),
          v.at("point").get<Point>(),
          v.at("task"),
          v.at("device"),
          v.at("driver"),
          v.at("compiler"),
          v.at("protocol"),
          known(depth_from(depth), depth, "depth"),
          v.at("cases").get<std::vector<std::string>>()};
}

json to_json(const Metric& m) {
  return {{"tag", m.tag},
          {"hint", m.hint},
          {"value", m.value ? number(*m.value) : json()},
          {"missing", m.missing},
          {"case", m.case_name},
          {"launch", or_null(m.launch)},
          {"line", or_null(m.line)}};
}

Metric metric_from(const json& v) {
  const auto whole = [&](const char* name) {
    return v.at(name).is_null() ? std::nullopt : std::optional(v.at(name).get<int>());
  };
  Metric m{v.at("tag"),  v.at("hint"),    {},           v.at("missing"),
           v.at("case"), whole("launch"), whole("line")};
  if (!v.at("value").is_null()) m.value = number_from(v.at("value"));
  return m;
}

json to_json(const Evidence& e) {
  return {{"guard", e.guard},
          {"row", e.row},
          {"convicts", e.convicts},
          {"case", e.case_name},
          {"text", e.text}};
}

json to_json(const Evaluation& evaluation) {
  json cases = json::array();
  for (const auto& one : evaluation.cases) cases.push_back(case_json(evaluation, one));
  return {{"outcome", name_of(evaluation.outcome)},
          {"geomean_s", or_null(evaluation.geomean)},
          {"key", to_json(evaluation.key)},
          {"evidence", list(evaluation.evidence)},
          {"cases", cases},
          {"metrics", list(evaluation.metrics)},
          {"build_log", evaluation.build_log},
          {"seconds",
           {{"total", evaluation.seconds_total},
            {"build", evaluation.seconds_build},
            {"kernels", evaluation.seconds_kernels},
            {"reference", evaluation.seconds_reference}}}};
}

Evaluation evaluation_from(const json& v) {
  Evaluation e;
  e.key = key_from(v.at("key"));
  const auto outcome = v.at("outcome").get<std::string>();
  e.outcome = known(outcome_from(outcome), outcome, "outcome");
  for (const auto& one : v.at("evidence"))
    e.evidence.push_back(
        {one.at("guard"), one.at("row"), one.at("convicts"), one.at("case"), one.at("text")});
  for (const auto& one : v.at("cases")) e.cases.push_back(case_from(one));
  for (const auto& one : v.at("metrics")) e.metrics.push_back(metric_from(one));
  if (!v.at("geomean_s").is_null()) e.geomean = number_from(v.at("geomean_s"));
  e.build_log = v.at("build_log");
  const json& seconds = v.at("seconds");
  e.seconds_total = number_from(seconds.at("total"));
  e.seconds_build = number_from(seconds.at("build"));
  e.seconds_kernels = number_from(seconds.at("kernels"));
  e.seconds_reference = number_from(seconds.at("reference"));
  return e;
}

}  // namespace hone::core
