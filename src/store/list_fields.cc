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
  f("id", line.id);
  f("created", json_time(line.created));
  f("task", line.task_name);
  f("candidate", line.candidate);
  f("candidate_name", line.candidate_name);
  f("point", line.point);
  f("cases", line.cases);
  f("depth", line.depth);
  f("outcome", line.outcome);
  f("geomean_s", line.geomean);
  f("device", line.device_name);
  f("seconds_total", line.seconds_total);
}

void describe(Fields& f, const CandidateLine& line) {
  f("hash", line.hash);
  f("name", line.name);
  f("language", line.language);
  f("author", line.author);
  f("note", line.note);
  f("created", json_time(line.created));
}

void describe(Fields& f, const ProfileLine& line) {
  f("id", line.id);
  f("created", json_time(line.created));
  f("task_name", line.task_name);
  f("case", line.case_name);
  f("seconds", line.seconds);
  f("bound", line.bound);
  f("advice", line.advice);
  f("device_name", line.device_name);
}

void describe(Fields& f, const Finding& finding) {
  f("id", finding.id);
  f("created", json_time(finding.created));
  f("task", finding.task);
  f("device", finding.device);
  f("text", finding.text);
  f("source", finding.source);
  f("run", base::or_null(finding.run));
  f("deleted", finding.deleted);
}

}  // namespace hone::store
