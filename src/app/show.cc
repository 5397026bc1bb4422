#include "app/show.h"

#include <nlohmann/json.hpp>

#include "app/inputs.h"
#include "app/named_candidate.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "core/profile_json.h"
#include "store/comparison_json.h"
#include "store/list_json.h"
#include "task/plan_comment.h"

namespace hone::app {
namespace {

using nlohmann::json;

template <typename Record>
json with_names(json shown, const char* kind, const Record& record) {
  shown["kind"] = kind;
  shown["id"] = record.id;
  shown["created"] = core::json_time(record.created);
  shown["task_name"] = record.task_name;
  shown["candidate_name"] = record.candidate_name;
  shown["device_name"] = record.device_name;
  return shown;
}

json shown_json(const store::EvaluationRecord& record) {
  return with_names(core::to_json(record.evaluation), "evaluation", record);
}

json shown_json(const store::ProfileRecord& record) {
  return with_names(core::to_json(record.profile), "profile", record);
}

template <typename T>
json list_json(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(store::to_json(item));
  return array;
}

json shown_json(const store::CandidateHistory& history) {
  json shown = store::to_json(history.candidate.line);
  shown["kind"] = "candidate";
  shown["source"] = history.candidate.source;
  shown["plan"] = task::source_parts(history.candidate.source).plan;
  shown["parents"] = list_json(history.parents);
  shown["children"] = list_json(history.children);
  shown["evaluations"] = list_json(history.evaluations);
  shown["profiles"] = list_json(history.profiles);
  shown["comparisons"] = json::array();
  for (const auto& comparison : history.comparisons)
    shown["comparisons"].push_back(store::recorded_json(comparison));
  return shown;
}

}  // namespace

ShowResult show(const ShowRequest& request) {
  auto archive = archive_to_read(request);
  if (request.id.starts_with('r'))  // a node of a run, or its best
    return store::candidate_history(archive, candidate_named(archive, request.id).hash,
                                    request.limit);
  const store::Found found = store::find_by_id(archive, request.id);
  switch (found.kind) {
    case store::Found::Kind::candidate:
      return store::candidate_history(archive, found.id, request.limit);
    case store::Found::Kind::profile:
      return store::get_profile(archive, found.id);
    case store::Found::Kind::evaluation:
      break;
  }
  return store::get_evaluation(archive, found.id);
}

json to_json(const ShowResult& result) {
  return std::visit([](const auto& record) { return shown_json(record); }, result);
}

}  // namespace hone::app
