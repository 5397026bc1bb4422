// The form for programs: see cli/evaluation_text.h.
#include <fmt/chrono.h>

#include <nlohmann/json.hpp>

#include "cli/evaluation_text.h"
#include "cli/or_null.h"

namespace hone::cli {
namespace {

using nlohmann::json;

// A case that failed before anything was compared has no errors.
json to_json(const core::Evaluation& evaluation, const core::CaseResult& c) {
  const core::Outcome outcome = core::outcome_of(evaluation, c);
  const bool compared = outcome == core::Outcome::accepted || c.error_max > 0;
  return {{"name", c.name},
          {"outcome", core::name_of(outcome)},
          {"timed", c.timed},
          {"median_s", c.median},
          {"interval_s", {c.interval.low, c.interval.high}},
          {"samples_s", c.samples},
          {"wall_samples_s", c.wall_samples},
          {"wall_median_s", c.wall_median},
          {"first_call_s", c.first_call},
          {"bytes", c.bytes},
          {"flops", c.flops},
          {"flops_by_kind", c.flops_by_kind},
          {"bandwidth_bytes_per_s", c.bandwidth},
          {"rate_flops_per_s", c.rate},
          {"ceiling_fraction", or_null(c.ceiling_fraction)},
          {"ceiling", c.ceiling},
          {"error_max", compared ? json(c.error_max) : json()},
          {"error_rms", compared ? json(c.error_rms) : json()},
          {"honest_rms", compared ? json(c.honest_rms) : json()}};
}

json to_json(const core::Evidence& e) {
  return {{"guard", e.guard}, {"row", e.row}, {"convicts", e.convicts}, {"case", e.case_name}, {"text", e.text}};
}

json to_json(const core::Metric& m) {
  return {{"tag", m.tag},           {"hint", m.hint},      {"value", or_null(m.value)},
          {"missing", m.missing},   {"case", m.case_name}, {"launch", or_null(m.launch)},
          {"line", or_null(m.line)}};
}

template <typename T>
json list(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

json to_json(const core::EvaluationKey& key) {
  return {{"candidate", key.candidate}, {"point", key.point},
          {"task", key.task},           {"device", key.device},
          {"driver", key.driver},       {"compiler", key.compiler},
          {"protocol", key.protocol},   {"depth", core::name_of(key.depth)},
          {"cases", key.cases}};
}

json to_json(const core::Evaluation& evaluation) {
  json cases = json::array();
  for (const auto& one : evaluation.cases) cases.push_back(to_json(evaluation, one));
  return {{"outcome", core::name_of(evaluation.outcome)},
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

std::string json_text(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string json_time(std::chrono::sys_time<std::chrono::milliseconds> when) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(when);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds.time_since_epoch().count()),
                     (when - seconds).count());
}

}  // namespace hone::cli
