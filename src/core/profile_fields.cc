// A profile in JSON, for the archive, for bundles and for `hone profile --json`: see base/fields.h.
#include "base/fields.h"
#include "core/advice.h"

namespace hone::core {

using base::Fields;

void describe(Fields& f, Bound& bound) { f.word(bound, "class", Bound::mixed); }
void describe(Fields& f, Severity& severity) { f.word(severity, "severity", Severity::note); }

void describe(Fields& f, Diagnosis& diagnosis) {
  f("bound", diagnosis.bound)("theory", diagnosis.theory)("measured", diagnosis.measured);
  f("reason", diagnosis.reason)("disagreement", diagnosis.disagreement);
}

void describe(Fields& f, Advice& advice) {
  f("id", advice.id)("tool", advice.tool)("severity", advice.severity)("title", advice.title);
  f("evidence", advice.evidence)("cause", advice.cause)("recommendation", advice.recommendation);
  f("launch", advice.launch)("lines", advice.lines)("gain", advice.gain)("model", advice.model);
}

void describe(Fields& f, HotLine& line) {
  f("line", line.line)("text", line.text)("share", line.share)("stalls", line.stalls);
}

void describe(Fields& f, Profile::LeftOut& left_out) {
  f("tool", left_out.tool)("why", left_out.why);
}

void describe(Fields& f, Profile::Part& part) { f("name", part.name)("seconds", part.seconds); }

void describe_body(Fields& f, Profile& profile) {
  f("diagnosis", profile.diagnosis)("hot_lines", profile.hot_lines)("left_out", profile.left_out);
  f("notes", profile.notes)("parts", profile.parts);
}

void describe(Fields& f, Profile& profile) {
  f("key", profile.key)("case_name", profile.case_name)("seconds", profile.seconds);
  f("metrics", profile.metrics)("advice", profile.advice);
  describe_body(f, profile);
}

}  // namespace hone::core
