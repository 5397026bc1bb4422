#include "app/log.h"

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"

namespace hone::app {
namespace {

std::string whole_evaluation_id(store::Archive& archive, const std::string& id_or_prefix) {
  const store::Found found = store::find_by_id(archive, id_or_prefix);
  if (found.kind != store::Found::Kind::evaluation)
    base::fail(
        base::ExitCode::bad_input,
        "--before {} is a candidate: give an evaluation's id, from the first column of `hone log`",
        id_or_prefix);
  return found.id;
}

}  // namespace

LogResult log(const LogRequest& request) {
  auto archive = archive_to_read(request);
  if (request.limit < 1)
    base::fail(base::ExitCode::usage, "--limit {}: give how many lines to show, 1 or more",
               request.limit);
  store::EvaluationFilter filter{request.task, request.outcome, request.before};
  if (!filter.before.empty()) filter.before = whole_evaluation_id(archive, filter.before);
  filter.limit = request.limit + 1;  // one more than shown tells whether there are more
  LogResult result{store::list_evaluations(archive, filter), ""};
  if (result.evaluations.size() <= static_cast<std::size_t>(request.limit)) return result;
  result.evaluations.pop_back();
  result.next = result.evaluations.back().id;
  return result;
}

void describe(base::Fields& f, const LogResult& result) {
  f("evaluations", result.evaluations)("next", base::or_null(result.next));
}

}  // namespace hone::app
