// What lists of the archive are made of, in JSON for --json: see base/fields.h.
#include "base/json.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/findings.h"
#include "store/profiles.h"

namespace hone::store {

using base::Fields;
using base::json_time;

void describe(Fields& f, const EvaluationLine& line) {
  f("id", line.id)("created", json_time(line.created))("task", line.task_name);
  f("candidate", line.candidate)("candidate_name", line.candidate_name)("point", line.point);
  f("cases", line.cases)("depth", line.depth)("outcome", line.outcome)("geomean_s", line.geomean);
  f("device", line.device_name)("seconds_total", line.seconds_total);
}

void describe(Fields& f, const CandidateLine& line) {
  f("hash", line.hash)("name", line.name)("language", line.language)("author", line.author);
  f("note", line.note)("created", json_time(line.created));
}

void describe(Fields& f, const ProfileLine& line) {
  f("id", line.id)("created", json_time(line.created))("task_name", line.task_name);
  f("case", line.case_name)("seconds", line.seconds)("bound", line.bound)("advice", line.advice);
  f("device_name", line.device_name);
}

void describe(Fields& f, const Finding& finding) {
  f("id", finding.id)("created", json_time(finding.created))("task", finding.task);
  f("device", finding.device)("text", finding.text)("source", finding.source);
  f("run", base::or_null(finding.run))("deleted", finding.deleted);
}

}  // namespace hone::store
