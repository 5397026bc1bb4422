// A profile in JSON, for the archive, for bundles and for `hone profile --json`: see base/fields.h.
#include "base/fields.h"
#include "core/advice.h"

namespace hone::core {

using base::Fields;

void describe(Fields& f, Bound& bound) { f.word(bound, "class", Bound::mixed); }
void describe(Fields& f, Severity& severity) { f.word(severity, "severity", Severity::note); }

void describe(Fields& f, Diagnosis& diagnosis) {
  f("bound", diagnosis.bound);
  f("theory", diagnosis.theory);
  f("measured", diagnosis.measured);
  f("reason", diagnosis.reason);
  f("disagreement", diagnosis.disagreement);
}

void describe(Fields& f, Advice& advice) {
  f("id", advice.id);
  f("tool", advice.tool);
  f("severity", advice.severity);
  f("title", advice.title);
  f("evidence", advice.evidence);
  f("cause", advice.cause);
  f("recommendation", advice.recommendation);
  f("launch", advice.launch);
  f("lines", advice.lines);
  f("gain", advice.gain);
  f("model", advice.model);
}

void describe(Fields& f, HotLine& line) {
  f("line", line.line);
  f("text", line.text);
  f("share", line.share);
  f("stalls", line.stalls);
}

void describe(Fields& f, Profile::LeftOut& left_out) {
  f("tool", left_out.tool);
  f("why", left_out.why);
}

void describe(Fields& f, Profile::Part& part) {
  f("name", part.name);
  f("seconds", part.seconds);
}

void describe_body(Fields& f, Profile& profile) {
  f("diagnosis", profile.diagnosis);
  f("hot_lines", profile.hot_lines);
  f("left_out", profile.left_out);
  f("notes", profile.notes);
  f("parts", profile.parts);
}

void describe(Fields& f, Profile& profile) {
  f("key", profile.key);
  f("case_name", profile.case_name);
  f("seconds", profile.seconds);
  f("metrics", profile.metrics);
  f("advice", profile.advice);
  describe_body(f, profile);
}

}  // namespace hone::core
