// A run's summary for programs: see report/summary.h.

#include "base/json.h"
#include "core/ceiling_distance.h"
#include "report/summary.h"
#include "run/names.h"
#include "run/run_lock.h"

namespace hone::report {
namespace {

using base::Fields;
using base::or_null;

void describe_spending(Fields& f, const store::Spending& s) {
  f("calls", s.calls);
  f("answered", s.answered);
  f("tokens_in", s.tokens_in);
  f("tokens_out", s.tokens_out);
  f("tokens_cached", s.tokens_cached);
  f("usd", s.usd);
  f("seconds", s.seconds);
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
  f("id", record.id);
  f("depth", e.key.depth);
  f("outcome", e.outcome);
  f("geomean_s", e.geomean);
  f.list("evidence", e.evidence, [&](const core::Evidence& said) {
    f("guard", said.guard);
    f("text", said.text);
  });
  f.list("cases", timed, [&](const core::CaseResult& c) {
    f("name", c.name);
    f("median_s", c.median);
    f("interval_s", range(c.interval.low, c.interval.high));
    f("ceiling_fraction", c.ceiling_fraction);
    f("ceiling", c.ceiling);
  });
}

void describe_experiment(Fields& f, const RunSummary& summary, const core::Intent& intent) {
  const core::Experiment& e = intent.experiment;
  const auto cited = summary.citations.find(intent.number);
  f("number", intent.number);
  f("kind", e.kind);
  f("description", e.description);
  f("rubric", e.rubric);
  f("taken_as", intent.taken_as);
  f("innovation", e.innovation);
  f("gain", range(e.gain_low, e.gain_high));
  f.list("advice",
         cited != summary.citations.end() ? cited->second : std::vector<store::Citation>(),
         [&](const store::Citation& c) {
           f("id", c.advice);
           f("tool", c.tool);
           f("title", c.title);
           f("profile", c.profile);
           f("case", c.case_name);
           f("predicted", range(c.predicted.low, c.predicted.high));
           f("outcome", c.outcome);
           f("realised", c.realised);
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
  f("number", node.number);
  f("step", run::name_of_place(node.place));
  f("generation", node.place.generation);
  f("basis", or_null(node.basis));
  f("reference", or_null(node.reference));
  f("candidate", node.candidate);
  f("experiment", intent != nullptr ? &experiment : nullptr);
  f("report", node.report);
  f("realised_gain", gain_of(summary, node));
  verdict("screened", records.screened);
  verdict("certified", records.certified);
  verdict("refused", records.refused);
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
    f("role", role.role);
    f("models", role.models);
    f("faults", role.faults);
    f("prompt_tokens", role.prompt_tokens);
    f("prompt_tokens_estimated", role.estimated);
  });
  f.group("spending", [&] { describe_spending(f, summary.spending); });
}

void describe_failures(Fields& f, const RunSummary& summary) {
  f.list("failures", failures(summary), [&](const FailureGroup& failure) {
    f("outcome", failure.outcome);
    f("guard", failure.reason);
    f("members", failure.nodes);
    f("example", failure.example);
  });
  f.list("missed", missed(summary), [&](const MissedGroup& group) {
    f("what", group.what);
    f("steps", group.steps);
    f("example", group.example);
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
    f("step", run::generation_name(one.generation) + "/selection");
    f("basis", one.basis);
    f("reference", or_null(one.reference));
    f("rationale", one.rationale);
    f("by", one.by_model ? "model" : "rule");
  });
  f.list("profiles", summary.profiles, [&](const auto& shown) {
    f("generation", shown.generation);
    f("member", shown.member);
    f("profile", shown.profile);
  });
  f.list("findings", summary.findings, [&](const store::Finding& finding) {
    f("id", finding.id);
    f("text", finding.text);
    f("source", finding.source);
  });
}

void describe_result(Fields& f, const RunSummary& summary) {
  const auto* best = best_evaluation(summary);
  const auto compared = [&](Fields&) {
    f("id", summary.compared->id);
    f("word", summary.compared->word);
    f("ratio", base::finite_or_null(summary.compared->ratio));
    f("interval", range(summary.compared->interval.low, summary.compared->interval.high));
  };
  f("best", or_null(summary.best));
  f("seed", or_null(summary.seed));
  f("best_s", best != nullptr ? best->evaluation.geomean : std::nullopt);
  f("certified", best != nullptr && best->evaluation.key.depth == core::Depth::certify);
  f("times_as_fast", times_as_fast(summary));
  f("compared", summary.compared ? &compared : nullptr);
  f("conclusion", summary.tree.conclusion ? summary.tree.conclusion->text : std::string());
  const auto ceiling = best != nullptr ? core::ceiling_distance(best->evaluation) : std::nullopt;
  if (ceiling)
    f.group("ceiling", [&] {
      f("fraction", ceiling->fraction);
      f("of", ceiling->ceiling);
      f("case", ceiling->case_name);
    });
}

}  // namespace

void describe(Fields& f, const RunSummary& summary) {
  const auto& run = summary.run;
  f("kind", summary.digest ? "digest" : "research");
  f("id", run.id);
  f("created", base::json_time(run.created));
  f("state", run::told_state("research", run.id, store::name_of(run.state)));
  f("note", run.note);
  f("task", run.task_name);
  f("task_hash", run.task);
  f("device", run.device_name);
  f("device_uuid", run.device);
  f("strategy", summary.settings.strategy);
  f("models", summary.settings.models);
  describe_budget(f, summary.settings.budget);
  describe_result(f, summary);
  describe_course(f, summary);
  f("feedback", summary.settings.feedback);
  describe_failures(f, summary);
  describe_costs(f, summary);
}

}  // namespace hone::report
