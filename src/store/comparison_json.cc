#include "store/comparison_json.h"

#include <nlohmann/json.hpp>

#include "core/evaluation_json.h"
#include "core/json.h"

namespace hone::store {

using core::number;
using core::number_from;
using nlohmann::json;

namespace {

json side_json(const Compared& side) {
  return {{"candidate", side.candidate}, {"point", side.point}};
}
Compared side_from(const json& value) {
  return {value.at("candidate"), value.at("point").get<core::Point>()};
}

json case_json(const ComparedCase& one) {
  json rounds = json::array();
  for (const double ratio : one.block_ratios) rounds.push_back(number(ratio));
  return {{"name", one.name},
          {"ratio", number(one.ratio)},
          {"interval", core::to_json(one.interval)},
          {"rounds", rounds}};
}

ComparedCase case_from(const json& value) {
  ComparedCase one{value.at("name"),
                   number_from(value.at("ratio")),
                   core::interval_from(value.at("interval")),
                   {}};
  for (const auto& ratio : value.at("rounds")) one.block_ratios.push_back(number_from(ratio));
  return one;
}

}  // namespace

json to_json(const ComparisonRecord& c) {
  json cases = json::array();
  for (const auto& one : c.cases) cases.push_back(case_json(one));
  return {{"task", c.task},
          {"device", c.device},
          {"device_name", c.device_name},
          {"driver", c.driver},
          {"compiler", c.compiler},
          {"protocol", c.protocol},
          {"a", side_json(c.a)},
          {"b", side_json(c.b)},
          {"ratio", number(c.ratio)},
          {"interval", core::to_json(c.interval)},
          {"margin", number(c.margin)},
          {"word", core::name_of(c.word)},
          {"stopped_by", c.stopped_by},
          {"seconds", number(c.seconds)},
          {"cases", cases}};
}

json recorded_json(const ComparisonRecord& c) {
  json recorded = to_json(c);
  recorded["id"] = c.id;
  recorded["created"] = core::json_time(c.created);
  recorded["task_name"] = c.task_name;
  return recorded;
}

ComparisonRecord comparison_from(const json& v) {
  ComparisonRecord c;
  c.task = v.at("task");
  c.device = v.at("device");
  c.device_name = v.at("device_name");
  c.driver = v.at("driver");
  c.compiler = v.at("compiler");
  c.protocol = v.at("protocol");
  c.a = side_from(v.at("a"));
  c.b = side_from(v.at("b"));
  c.ratio = number_from(v.at("ratio"));
  c.interval = core::interval_from(v.at("interval"));
  c.margin = number_from(v.at("margin"));
  const auto word = v.at("word").get<std::string>();
  c.word = core::known(core::comparison_from(word), word, "answer of a comparison");
  c.stopped_by = v.at("stopped_by");
  c.seconds = number_from(v.at("seconds"));
  for (const auto& one : v.at("cases")) c.cases.push_back(case_from(one));
  return c;
}

}  // namespace hone::store
