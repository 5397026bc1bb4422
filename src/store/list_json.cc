#include "store/list_json.h"

#include <nlohmann/json.hpp>

#include "core/json.h"
#include "core/or_null.h"

namespace hone::store {

using nlohmann::json;

json to_json(const EvaluationLine& line) {
  return {{"id", line.id},
          {"created", core::json_time(line.created)},
          {"task", line.task_name},
          {"candidate", line.candidate},
          {"candidate_name", line.candidate_name},
          {"point", line.point},
          {"cases", line.cases},
          {"depth", core::name_of(line.depth)},
          {"outcome", core::name_of(line.outcome)},
          {"geomean_s", core::or_null(line.geomean)},
          {"device", line.device_name},
          {"seconds_total", line.seconds_total}};
}

json to_json(const CandidateLine& line) {
  return {{"hash", line.hash},     {"name", line.name}, {"language", core::name_of(line.language)},
          {"author", line.author}, {"note", line.note}, {"created", core::json_time(line.created)}};
}

json to_json(const ProfileLine& line) {
  return {{"id", line.id},
          {"created", core::json_time(line.created)},
          {"task_name", line.task_name},
          {"case", line.case_name},
          {"seconds", line.seconds},
          {"bound", line.bound},
          {"advice", line.advice},
          {"device_name", line.device_name}};
}

json to_json(const Finding& finding) {
  return {{"id", finding.id},
          {"created", core::json_time(finding.created)},
          {"task", finding.task},
          {"device", finding.device},
          {"text", finding.text},
          {"source", finding.source},
          {"run", finding.run.empty() ? json(nullptr) : json(finding.run)},
          {"deleted", finding.deleted}};
}

}  // namespace hone::store
