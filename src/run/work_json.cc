#include "run/work_json.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/base64.h"

namespace hone::run {

using nlohmann::json;

json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return NAN;
  if (value == "inf") return INFINITY;
  if (value == "-inf") return -INFINITY;
  throw Misshapen{"a number is missing"};
}

json map_json(const std::map<std::string, double>& map) {
  json object = json::object();
  for (const auto& [key, value] : map) object[key] = number(value);
  return object;
}

std::map<std::string, double> map_from(const json& object) {
  std::map<std::string, double> map;
  for (const auto& [key, value] : object.get_ref<const json::object_t&>()) map[key] = number_from(value);
  return map;
}

namespace {

json numbers(const std::vector<double>& values) {
  static_assert(sizeof(double) == 8);  // little-endian, as every machine with a GPU is
  return base::to_base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

std::vector<double> numbers_from(const json& value) {
  const auto bytes = base::from_base64(value.get_ref<const std::string&>());
  if (!bytes || bytes->size() % sizeof(double) != 0) throw Misshapen{"a list of numbers is damaged"};
  std::vector<double> values(bytes->size() / sizeof(double));
  std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

json interval_json(const core::Interval& interval) { return {number(interval.low), number(interval.high)}; }
core::Interval interval_from(const json& value) { return {number_from(value.at(0)), number_from(value.at(1))}; }

json key_json(const core::EvaluationKey& key) {
  return {{"candidate", key.candidate}, {"point", key.point},
          {"task", key.task},           {"device", key.device},
          {"driver", key.driver},       {"compiler", key.compiler},
          {"protocol", key.protocol},   {"depth", core::name_of(key.depth)},
          {"cases", key.cases}};
}

core::EvaluationKey key_from(const json& value) {
  return {value.at("candidate"),
          value.at("point").get<core::Point>(),
          value.at("task"),
          value.at("device"),
          value.at("driver"),
          value.at("compiler"),
          value.at("protocol"),
          known(core::depth_from(value.at("depth").get<std::string>()), "depth"),
          value.at("cases").get<std::vector<std::string>>()};
}

json case_json(const core::CaseResult& c) {
  return {{"name", c.name},
          {"timed", c.timed},
          {"samples", numbers(c.samples)},
          {"wall_samples", numbers(c.wall_samples)},
          {"median", number(c.median)},
          {"interval", interval_json(c.interval)},
          {"wall_median", number(c.wall_median)},
          {"first_call", number(c.first_call)},
          {"bytes", number(c.bytes)},
          {"flops", number(c.flops)},
          {"flops_by_kind", map_json(c.flops_by_kind)},
          {"bandwidth", number(c.bandwidth)},
          {"rate", number(c.rate)},
          {"ceiling_fraction", c.ceiling_fraction ? number(*c.ceiling_fraction) : json()},
          {"ceiling", c.ceiling},
          {"error_max", number(c.error_max)},
          {"error_rms", number(c.error_rms)},
          {"honest_rms", number(c.honest_rms)}};
}

core::CaseResult case_from(const json& v) {
  core::CaseResult c;
  c.name = v.at("name");
  c.timed = v.at("timed");
  c.samples = numbers_from(v.at("samples"));
  c.wall_samples = numbers_from(v.at("wall_samples"));
  c.median = number_from(v.at("median"));
  c.interval = interval_from(v.at("interval"));
  c.wall_median = number_from(v.at("wall_median"));
  c.first_call = number_from(v.at("first_call"));
  c.bytes = number_from(v.at("bytes"));
  c.flops = number_from(v.at("flops"));
  c.flops_by_kind = map_from(v.at("flops_by_kind"));
  c.bandwidth = number_from(v.at("bandwidth"));
  c.rate = number_from(v.at("rate"));
  if (!v.at("ceiling_fraction").is_null()) c.ceiling_fraction = number_from(v.at("ceiling_fraction"));
  c.ceiling = v.at("ceiling");
  c.error_max = number_from(v.at("error_max"));
  c.error_rms = number_from(v.at("error_rms"));
  c.honest_rms = number_from(v.at("honest_rms"));
  return c;
}

json metric_json(const core::Metric& m) {
  json value = {{"tag", m.tag}, {"hint", m.hint}};
  if (m.value) value["value"] = number(*m.value);
  if (!m.missing.empty()) value["missing"] = m.missing;
  if (!m.case_name.empty()) value["case"] = m.case_name;
  if (m.launch) value["launch"] = *m.launch;
  if (m.line) value["line"] = *m.line;
  return value;
}

core::Metric metric_from(const json& v) {
  core::Metric m{v.at("tag"), v.at("hint"), {}, v.value("missing", ""), v.value("case", ""), {}, {}};
  if (v.contains("value")) m.value = number_from(v.at("value"));
  if (v.contains("launch")) m.launch = v.at("launch").get<int>();
  if (v.contains("line")) m.line = v.at("line").get<int>();
  return m;
}

}  // namespace

json evaluation_json(const core::Evaluation& e) {
  json evidence = json::array(), cases = json::array(), metrics = json::array();
  for (const auto& one : e.evidence)
    evidence.push_back({{"guard", one.guard},
                        {"row", one.row},
                        {"convicts", one.convicts},
                        {"case", one.case_name},
                        {"text", one.text}});
  for (const auto& one : e.cases) cases.push_back(case_json(one));
  for (const auto& one : e.metrics) metrics.push_back(metric_json(one));
  return {{"key", key_json(e.key)},
          {"outcome", core::name_of(e.outcome)},
          {"evidence", evidence},
          {"cases", cases},
          {"metrics", metrics},
          {"geomean", e.geomean ? number(*e.geomean) : json()},
          {"build_log", e.build_log},
          {"seconds",
           {number(e.seconds_total), number(e.seconds_build), number(e.seconds_kernels), number(e.seconds_reference)}}};
}

core::Evaluation evaluation_from(const json& v) {
  core::Evaluation e;
  e.key = key_from(v.at("key"));
  e.outcome = known(core::outcome_from(v.at("outcome").get<std::string>()), "outcome");
  for (const auto& one : v.at("evidence"))
    e.evidence.push_back({one.at("guard"), one.at("row"), one.at("convicts"), one.at("case"), one.at("text")});
  for (const auto& one : v.at("cases")) e.cases.push_back(case_from(one));
  for (const auto& one : v.at("metrics")) e.metrics.push_back(metric_from(one));
  if (!v.at("geomean").is_null()) e.geomean = number_from(v.at("geomean"));
  e.build_log = v.at("build_log");
  const json& seconds = v.at("seconds");
  e.seconds_total = number_from(seconds.at(0));
  e.seconds_build = number_from(seconds.at(1));
  e.seconds_kernels = number_from(seconds.at(2));
  e.seconds_reference = number_from(seconds.at(3));
  return e;
}

json comparison_json(const store::ComparisonRecord& c) {
  json cases = json::array();
  for (const auto& one : c.cases)
    cases.push_back({{"name", one.name},
                     {"ratio", number(one.ratio)},
                     {"interval", interval_json(one.interval)},
                     {"blocks", numbers(one.block_ratios)}});
  return {{"task", c.task},
          {"device", c.device},
          {"device_name", c.device_name},
          {"driver", c.driver},
          {"compiler", c.compiler},
          {"protocol", c.protocol},
          {"a", {{"candidate", c.a.candidate}, {"point", c.a.point}}},
          {"b", {{"candidate", c.b.candidate}, {"point", c.b.point}}},
          {"ratio", number(c.ratio)},
          {"interval", interval_json(c.interval)},
          {"margin", number(c.margin)},
          {"word", core::name_of(c.word)},
          {"stopped_by", c.stopped_by},
          {"seconds", number(c.seconds)},
          {"cases", cases}};
}

store::ComparisonRecord comparison_from(const json& v) {
  store::ComparisonRecord c;
  c.task = v.at("task");
  c.device = v.at("device");
  c.device_name = v.at("device_name");
  c.driver = v.at("driver");
  c.compiler = v.at("compiler");
  c.protocol = v.at("protocol");
  c.a = {v.at("a").at("candidate"), v.at("a").at("point").get<core::Point>()};
  c.b = {v.at("b").at("candidate"), v.at("b").at("point").get<core::Point>()};
  c.ratio = number_from(v.at("ratio"));
  c.interval = interval_from(v.at("interval"));
  c.margin = number_from(v.at("margin"));
  c.word = known(core::comparison_from(v.at("word").get<std::string>()), "word");
  c.stopped_by = v.at("stopped_by");
  c.seconds = number_from(v.at("seconds"));
  for (const auto& one : v.at("cases"))
    c.cases.push_back({one.at("name"), number_from(one.at("ratio")), interval_from(one.at("interval")),
                       numbers_from(one.at("blocks"))});
  return c;
}

json device_json(const core::DeviceInfo& d, const core::Ceilings& c) {
  return {{"id", d.id},
          {"language", core::name_of(d.language)},
          {"is_cpu", d.is_cpu},
          {"name", d.name},
          {"uuid", d.uuid},
          {"driver", d.driver},
          {"compiler", d.compiler},
          {"arch", d.arch},
          {"sm_count", d.sm_count},
          {"warp_size", d.warp_size},
          {"shared_per_block", d.shared_per_block},
          {"l2_bytes", d.l2_bytes},
          {"max_threads", d.max_threads},
          {"memory_bytes", d.memory_bytes},
          {"pin_bandwidth", number(d.pin_bandwidth)},
          {"ceilings",
           {{"read", number(c.read)},
            {"write", number(c.write)},
            {"copy", number(c.copy)},
            {"flops", map_json(c.flops)},
            {"groups", number(c.groups)},
            {"calls", number(c.calls)}}}};
}

void read_device(const json& v, core::DeviceInfo& d, core::Ceilings& c) {
  d.id = v.at("id");
  d.language = known(core::language_from(v.at("language").get<std::string>()), "language");
  d.is_cpu = v.at("is_cpu");
  d.name = v.at("name");
  d.uuid = v.at("uuid");
  d.driver = v.at("driver");
  d.compiler = v.at("compiler");
  d.arch = v.at("arch");
  d.sm_count = v.at("sm_count");
  d.warp_size = v.at("warp_size");
  d.shared_per_block = v.at("shared_per_block");
  d.l2_bytes = v.at("l2_bytes");
  d.max_threads = v.at("max_threads");
  d.memory_bytes = v.at("memory_bytes");
  d.pin_bandwidth = number_from(v.at("pin_bandwidth"));
  const json& rates = v.at("ceilings");
  c.read = number_from(rates.at("read"));
  c.write = number_from(rates.at("write"));
  c.copy = number_from(rates.at("copy"));
  c.flops = map_from(rates.at("flops"));
  if (rates.contains("groups")) c.groups = number_from(rates.at("groups"));  // device files of before have neither
  if (rates.contains("calls")) c.calls = number_from(rates.at("calls"));
}

}  // namespace hone::run
