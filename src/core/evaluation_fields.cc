// Evaluations, and what they are made of, in JSON: see base/fields.h.
#include "base/fields.h"
#include "core/candidate.h"
#include "core/evaluation.h"

namespace hone::core {

using base::Fields;

void describe(Fields& f, Language& language) { f.word(language, "language", Language::python); }
void describe(Fields& f, Outcome& outcome) { f.word(outcome, "outcome", Outcome::undecided); }
void describe(Fields& f, Depth& depth) { f.word(depth, "depth", Depth::certify); }
void describe(Fields& f, Interval& interval) { f.row(interval.low, interval.high); }

void describe(Fields& f, EvaluationKey& key) {
  f("candidate", key.candidate)("point", key.point)("task", key.task)("device", key.device);
  f("driver", key.driver)("compiler", key.compiler)("protocol", key.protocol)("depth", key.depth);
  f("cases", key.cases);
}

void describe(Fields& f, Metric& metric) {
  f("tag", metric.tag)("hint", metric.hint)("value", metric.value)("missing", metric.missing);
  f("case", metric.case_name)("launch", metric.launch)("line", metric.line);
}

void describe(Fields& f, Evidence& evidence) {
  f("guard", evidence.guard)("row", evidence.row)("convicts", evidence.convicts);
  f("case", evidence.case_name)("text", evidence.text);
}

namespace {

// Null where nothing was compared.
void describe_error(Fields& f, const char* name, double& error, bool compared) {
  auto value = compared ? std::optional(error) : std::nullopt;
  f(name, value);
  if (f.reading()) error = value.value_or(0);
}

void describe_case(Fields& f, const Evaluation& evaluation, CaseResult& c) {
  const Outcome outcome = outcome_of(evaluation, c);
  const bool compared = outcome == Outcome::accepted || c.error_max > 0;
  f("name", c.name)("outcome", outcome)("timed", c.timed)("median_s", c.median);
  f("interval_s", c.interval)("samples_s", c.samples)("wall_samples_s", c.wall_samples);
  f("wall_median_s", c.wall_median)("first_call_s", c.first_call)("bytes", c.bytes);
  f("flops", c.flops)("flops_by_kind", c.flops_by_kind)("bandwidth_bytes_per_s", c.bandwidth);
  f("rate_flops_per_s", c.rate)("ceiling_fraction", c.ceiling_fraction)("ceiling", c.ceiling);
  describe_error(f, "error_max", c.error_max, compared);
  describe_error(f, "error_rms", c.error_rms, compared);
  describe_error(f, "honest_rms", c.honest_rms, compared);
}

}  // namespace

void describe(Fields& f, Evaluation& evaluation) {
  f("outcome", evaluation.outcome)("geomean_s", evaluation.geomean)("key", evaluation.key);
  f("evidence", evaluation.evidence);
  f.list("cases", evaluation.cases, [&](CaseResult& c) { describe_case(f, evaluation, c); });
  f("metrics", evaluation.metrics)("build_log", evaluation.build_log);
  f.group("seconds", [&] {
    f("total", evaluation.seconds_total)("build", evaluation.seconds_build);
    f("kernels", evaluation.seconds_kernels)("reference", evaluation.seconds_reference);
  });
}

}  // namespace hone::core
