// A run's summary for programs: see report/summary.h.

#include "base/json.h"
#include "core/ceiling_distance.h"
#include "report/summary.h"
#include "report/tuning.h"
#include "run/names.h"
#include "run/run_lock.h"

namespace hone::report {
namespace {

using base::Fields;
using base::or_null;

void describe_spending(Fields& f, const store::Spending& s) {
  f("calls", s.calls)("answered", s.answered)("tokens_in", s.tokens_in)("tokens_out", s.tokens_out);
  f("tokens_cached", s.tokens_cached)("usd", s.usd)("seconds", s.seconds);
}

// [low, high]
auto range(double low, double high) {
  return std::pair(base::finite_or_null(low), base::finite_or_null(high));
}

void describe_verdict(Fields& f, const store::EvaluationRecord& record) {
  const auto& e = record.evaluation;
  std::vector<core::CaseResult> timed;
  std::copy_if(e.cases.begin(), e.cases.end(), std::back_inserter(timed),
               [](const core::CaseResult& c) { return c.timed; });
  f("id", record.id)("depth", e.key.depth)("outcome", e.outcome)("geomean_s", e.geomean);
  f.list("evidence", e.evidence,
         [&](const core::Evidence& said) { f("guard", said.guard)("text", said.text); });
  f.list("cases", timed, [&](const core::CaseResult& c) {
    f("name", c.name)("median_s", c.median)("interval_s", range(c.interval.low, c.interval.high));
    f("ceiling_fraction", c.ceiling_fraction)("ceiling", c.ceiling);
  });
}

void describe_experiment(Fields& f, const RunSummary& summary, const core::Intent& intent) {
  const core::Experiment& e = intent.experiment;
  const auto cited = summary.citations.find(intent.number);
  f("number", intent.number)("kind", e.kind)("description", e.description)("rubric", e.rubric);
  f("taken_as", intent.taken_as)("innovation", e.innovation);
  f("gain", range(e.gain_low, e.gain_high));
  f.list("advice",
         cited != summary.citations.end() ? cited->second : std::vector<store::Citation>(),
         [&](const store::Citation& c) {
           f("id", c.advice)("tool", c.tool)("title", c.title)("profile", c.profile);
           f("case", c.case_name)("predicted", range(c.predicted.low, c.predicted.high));
           f("outcome", c.outcome)("realised", c.realised);
         });
}

void describe_node(Fields& f, const RunSummary& summary, const core::Node& node) {
  const core::Intent* intent = summary.tree.intent(node.intent);
  const NodeRecords& records = records_of(summary, node);
  const auto experiment = [&](Fields&) { describe_experiment(f, summary, *intent); };
  const auto verdict = [&](const char* name, const std::optional<store::EvaluationRecord>& record) {
    const auto one = [&](Fields&) { describe_verdict(f, *record); };
    f(name, record ? &one : nullptr);
  };
  f("number", node.number)("step", run::name_of_place(node.place));
  f("generation", node.place.generation)("basis", or_null(node.basis));
  f("reference", or_null(node.reference))("candidate", node.candidate);
  f("experiment", intent != nullptr ? &experiment : nullptr)("report", node.report);
  f("realised_gain", gain_of(summary, node));
  verdict("screened", records.screened);
  verdict("certified", records.certified);
  verdict("refused", records.refused);
  f("tuning", node.tuning)("as_written", or_null(node.as_written));
}

void describe_budget(Fields& f, const run::Budget& budget) {
  f.group("budget", [&] {
    if (budget.usd > 0) f("usd", budget.usd);
    if (budget.calls > 0) f("calls", budget.calls);
    if (budget.candidates > 0) f("candidates", budget.candidates);
    if (budget.minutes > 0) f("minutes", budget.minutes);
  });
}

void describe_costs(Fields& f, const RunSummary& summary) {
  f.list("roles", summary.roles, [&](const auto& role) {
    describe_spending(f, role.spending);
    f("role", role.role)("models", role.models)("faults", role.faults);
    f("prompt_tokens", role.prompt_tokens)("prompt_tokens_estimated", role.estimated);
  });
  f.group("spending", [&] { describe_spending(f, summary.spending); });
}

void describe_failures(Fields& f, const RunSummary& summary) {
  f.list("failures", failures(summary), [&](const FailureGroup& failure) {
    f("outcome", failure.outcome)("guard", failure.reason)("members", failure.nodes);
    f("example", failure.example);
  });
  f.list("missed", missed(summary), [&](const MissedGroup& group) {
    f("what", group.what)("steps", group.steps)("example", group.example);
  });
}

// What was decided, by whom, and what was learned.
void describe_course(Fields& f, const RunSummary& summary) {
  std::vector<int> lineage;
  for (const auto* node : report::lineage(summary)) lineage.push_back(node->number);
  f("lineage", std::move(lineage));
  f.list("members", written(summary),
         [&](const core::Node* node) { describe_node(f, summary, *node); });
  f.list("selections", selections(summary), [&](const SelectionTold& one) {
    f("step", run::generation_name(one.generation) + "/selection")("basis", one.basis);
    f("reference", or_null(one.reference))("rationale", one.rationale);
    f("by", one.by_model ? "model" : "rule");
  });
  f.list("profiles", summary.profiles, [&](const auto& shown) {
    f("generation", shown.generation)("member", shown.node)("profile", shown.profile);
  });
  f.list("findings", summary.findings, [&](const store::Finding& finding) {
    f("id", finding.id)("text", finding.text)("source", finding.source);
  });
}

void describe_result(Fields& f, const RunSummary& summary) {
  const auto* best = best_evaluation(summary);
  const auto compared = [&](Fields&) {
    f("id", summary.compared->id)("word", summary.compared->word);
    f("ratio", base::finite_or_null(summary.compared->ratio));
    f("interval", range(summary.compared->interval.low, summary.compared->interval.high));
  };
  f("best", or_null(summary.best))("seed", or_null(summary.seed));
  f("best_s", best != nullptr ? best->evaluation.geomean : std::nullopt);
  f("certified", best != nullptr && best->evaluation.key.depth == core::Depth::certify);
  f("times_as_fast", times_as_fast(summary))("compared", summary.compared ? &compared : nullptr);
  f("conclusion", summary.tree.conclusion ? summary.tree.conclusion->text : std::string());
  const auto ceiling = best != nullptr ? core::ceiling_distance(best->evaluation) : std::nullopt;
  if (ceiling)
    f.group("ceiling", [&] {
      f("fraction", ceiling->fraction)("of", ceiling->ceiling)("case", ceiling->case_name);
    });
}

}  // namespace

void describe(Fields& f, const RunSummary& summary) {
  const auto& run = summary.run;
  f("kind", summary.digest ? "digest" : "research")("id", run.id);
  f("created", base::json_time(run.created));
  f("state", run::told_state("research", run.id, store::name_of(run.state)))("note", run.note);
  f("task", run.task_name)("task_hash", run.task)("device", run.device_name);
  f("device_uuid", run.device)("strategy", summary.settings.strategy);
  f("models", summary.settings.models);
  describe_budget(f, summary.settings.budget);
  describe_result(f, summary);
  describe_course(f, summary);
  f("feedback", summary.settings.feedback)("tuning", tuning_totals(summary));
  describe_failures(f, summary);
  describe_costs(f, summary);
}

}  // namespace hone::report
