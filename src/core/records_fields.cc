// The records of a run's journal in JSON, {"record": "judged", ...}: see base/fields.h. What is
// usual is left out (sparse), because a journal has thousands of these.
#include "base/fields.h"
#include "core/records.h"

namespace hone::core {

using base::Fields;

// ---- what records are made of

void describe(Fields& f, Origin& origin) { f.word(origin, "origin", Origin::experiment); }
void describe(Fields& f, Role& role) { f.word(role, "role", Role::learner); }
void describe(Fields& f, Action::Kind& kind) {
  f.word(kind, "kind of action", Action::Kind::promote);
}
std::string_view name_of(Experiment::Kind kind) {
  constexpr std::string_view names[] = {"kernel", "probe", "combination"};
  return names[static_cast<std::size_t>(kind)];
}
void describe(Fields& f, Experiment::Kind& kind) {
  f.word(kind, "kind of experiment", Experiment::Kind::combination);
}
void describe(Fields& f, Comparison& comparison) {
  f.word(comparison, "answer of a comparison", Comparison::cannot_tell);
}

void describe(Fields& f, NodePosition& place) {
  f("origin", place.origin)("generation", place.generation)("index", place.index);
  f("attempt", place.attempt);
}

void describe(Fields& f, Experiment& experiment) {
  f("kind", experiment.kind)("description", experiment.description)("rubric", experiment.rubric);
  Interval performance{experiment.gain_low, experiment.gain_high};
  f("performance", performance);
  if (f.reading()) experiment.gain_low = performance.low, experiment.gain_high = performance.high;
  f("innovation", experiment.innovation);
  f("advice", experiment.advice);
}

void describe(Fields& f, DecidedAction& decided) {
  Action& action = decided.action;
  f("action", decided.number)("kind", action.kind)("generation", action.generation);
  const auto is = [&](Action::Kind kind) { return f.reading() || action.kind == kind; };
  if (is(Action::Kind::ask)) f.optional("role", action.role);
  f.sparse("node", decided.node);
  f.sparse("basis", action.basis).sparse("reference", action.reference);
  f.sparse("repairs", action.repairs).sparse("intent", action.intent);
  f.sparse("experiment", action.experiment);
  if (is(Action::Kind::write) || is(Action::Kind::probe)) f.optional("place", action.place);
  f.sparse("about", action.about).sparse("taken_as", action.taken_as);
  f.sparse("why", action.why);
}

void describe(Fields& f, Selection& selection) {
  f("basis", selection.basis)("reference", selection.reference)("rationale", selection.rationale);
}

void describe(Fields& f, Design& design) {
  f("avenues", design.avenues)("experiments", design.experiments)("notes", design.notes);
}

void describe(Fields& f, Lesson& lesson) {
  f("findings", lesson.findings)("disagreements", lesson.disagreements);
}

void describe(Fields& f, Cost& cost) {
  f("calls", cost.calls)("tokens_in", cost.tokens_in)("tokens_out", cost.tokens_out);
  f("usd", cost.usd)("seconds", cost.seconds);
}

void describe(Fields& f, CaseTime& c) {
  f("name", c.name)("timed", c.timed)("median_s", c.median)("interval_s", c.interval);
  f("error_max", c.error_max)("error_rms", c.error_rms)("ceiling_fraction", c.ceiling_fraction);
  f("ceiling", c.ceiling);
  f.sparse("other_units", c.other_units);
}

void describe(Fields& f, Verdict& verdict) {
  f("evaluation", verdict.evaluation)("outcome", verdict.outcome)("geomean_s", verdict.geomean);
  f("cases", verdict.cases);
  f.sparse("classes", verdict.classes).sparse("guard", verdict.guard);
  f.sparse("reason", verdict.reason);
}

void describe(Fields& f, ComparedWith& compared) {
  f("other", compared.other)("comparison", compared.comparison)("ratio", compared.ratio);
  f("interval", compared.interval)("word", compared.word);
}

void describe(Fields& f, ProfileNote& note) {
  f("profile", note.profile)("bound", note.bound)("case", note.case_name)("failure", note.failure);
}

void describe(Fields& f, ProbeNumbers& probed) {
  f("numbers", probed.numbers)("failure", probed.failure);
}

void describe(Fields& f, Tuning& tuning) {
  f("points", tuning.points)("failed", tuning.failed);
  f("before_s", tuning.before)("after_s", tuning.after);
  f.sparse("point", tuning.point).sparse("candidate", tuning.candidate);
  f.sparse("comparison", tuning.comparison);
  if (f.reading() || !tuning.comparison.empty() || tuning.changed())
    f.optional("ratio", tuning.ratio).optional("interval", tuning.interval);
  f("ended", tuning.ended);
}

void describe(Fields& f, Conclusion& conclusion) {
  f("best", conclusion.best)("seed", conclusion.seed)("certified", conclusion.certified);
  f("comparison", conclusion.comparison)("text", conclusion.text);
}

// ---- records

void describe(Fields& f, Given& given) {
  f("place", given.place)("candidate", given.candidate)("name", given.name)("author", given.author);
}

void describe(Fields& f, Decided& decided) { f("actions", decided.actions); }

void describe(Fields& f, Answered& answered) {
  f("action", answered.action);
  f.sparse("selection", answered.selection).sparse("design", answered.design);
  f.sparse("lesson", answered.lesson);
}

void describe(Fields& f, Unusable& unusable) {
  f("action", unusable.action)("turn", unusable.turn)("why", unusable.why);
}

void describe(Fields& f, Failed& failed) { f("action", failed.action)("why", failed.why); }

void describe(Fields& f, Written& written) {
  f("node", written.node)("candidate", written.candidate)("name", written.name);
  f("author", written.author)("report", written.report)("cost", written.cost);
  f.sparse("tune_points", written.tune_points);
}

void describe(Fields& f, NotWritten& not_written) {
  f("node", not_written.node)("answered", not_written.answered)("why", not_written.why);
  f("cost", not_written.cost);
}

void describe(Fields& f, Judged& judged) {
  f("node", judged.node)("verdict", judged.verdict);
  f.sparse("certified", judged.certified).sparse("compared", judged.compared);
  f.sparse("tuning", judged.tuning);
}

void describe(Fields& f, Profiled& profiled) {
  f("action", profiled.action)("node", profiled.node)("profile", profiled.note);
}

void describe(Fields& f, Probed& probed) {
  f("action", probed.action)("intent", probed.intent)("probe", probed.probed);
}

void describe(Fields& f, Certified& certified) {
  f("node", certified.node)("verdict", certified.verdict);
  f.sparse("compared", certified.compared);
}

void describe(Fields& f, Concluded& concluded) { describe(f, concluded.conclusion); }
void describe(Fields& f, Resumed& resumed) { f("settings", resumed.settings); }

namespace {

// In the order of the variant's alternatives.
constexpr std::string_view record_names[] = {
    "given",  "decided",  "answered", "unusable",  "failed",    "written", "not written",
    "judged", "profiled", "probed",   "certified", "concluded", "resumed"};
static_assert(std::size(record_names) == std::variant_size_v<Record>);

}  // namespace

std::string_view name_of(const Record& record) { return record_names[record.index()]; }

void describe(Fields& f, Record& record) {
  f.choice("record", record, "record", {std::begin(record_names), std::end(record_names)});
}

}  // namespace hone::core
