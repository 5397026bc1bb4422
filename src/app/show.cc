#include "app/show.h"

#include "app/inputs.h"
#include "app/named_candidate.h"
#include "base/json.h"
#include "task/plan_comment.h"

namespace hone::app {
namespace {

template <typename Record>
void describe_record(base::Fields& f, const char* kind, const Record& record) {
  f("kind", kind)("id", record.id)("created", base::json_time(record.created));
  f("task_name", record.task_name)("candidate_name", record.candidate_name);
  f("device_name", record.device_name);
}

void describe_shown(base::Fields& f, const store::EvaluationRecord& record) {
  f.value(record.evaluation);
  describe_record(f, "evaluation", record);
}

void describe_shown(base::Fields& f, const ShownTree& tree) { describe(f, tree); }
void describe_shown(base::Fields& f, const ShownReason& reason) { describe(f, reason); }

void describe_shown(base::Fields& f, const store::ProfileRecord& record) {
  f.value(record.profile);
  describe_record(f, "profile", record);
}

void describe_shown(base::Fields& f, const store::CandidateHistory& history) {
  f.value(history.candidate.line);
  f("kind", "candidate")("source", history.candidate.source);
  f("plan", task::source_parts(history.candidate.source).plan)("parents", history.parents);
  f("children", history.children)("evaluations", history.evaluations)("profiles", history.profiles);
  f.list("comparisons", history.comparisons, [&](const store::ComparisonRecord& comparison) {
    store::describe_recorded(f, comparison);
  });
}

}  // namespace

ShowResult show(const ShowRequest& request) {
  auto archive = archive_to_read(request);
  if (!request.why.empty()) return {shown_reason(archive, request.id, request.why)};
  if (request.tree) return {shown_tree(archive, request.id)};
  if (request.id.starts_with('r'))  // a node of a run, or its best
    return {store::candidate_history(archive, candidate_named(archive, request.id).hash,
                                     request.limit)};
  const store::Found found = store::find_by_id(archive, request.id);
  switch (found.kind) {
    case store::Found::Kind::candidate:
      return {store::candidate_history(archive, found.id, request.limit)};
    case store::Found::Kind::profile:
      return {store::get_profile(archive, found.id)};
    case store::Found::Kind::evaluation:
      break;
  }
  return {store::get_evaluation(archive, found.id)};
}

void describe(base::Fields& f, const ShowResult& result) {
  std::visit([&](const auto& record) { describe_shown(f, record); }, result.shown);
}

}  // namespace hone::app
