#include "app/compare.h"

#include "app/accepted.h"
#include "app/inputs.h"
#include "base/fields.h"
#include "judge/judge.h"
#include "run/record.h"

namespace hone::app {
namespace {

judge::CompareRule rule_of(const CompareRequest& request, const core::DeviceInfo& info) {
  judge::CompareRule rule = judge::compare_rule(core::clock_of(info));
  if (request.margin > 0) rule.margin = request.margin;
  if (request.seconds > 0) rule = judge::with_seconds(rule, request.seconds);
  return rule;
}

judge::ComparisonResult compare_accepted(Accepted& accepted, const core::Candidate& a,
                                         const core::Candidate& b, const judge::CompareRule& rule,
                                         const Sink& sink) {
  judge::ComparisonResult result;
  result.a = accepted(a);
  if (result.a.outcome != core::Outcome::accepted) return result;
  require_wanted(sink);
  result.b = accepted(b);
  if (result.b.outcome != core::Outcome::accepted) return result;
  require_wanted(sink);
  return judge::compare(accepted.judge, a, b, accepted.options, accepted.options, rule);
}

}  // namespace

CompareResult compare(const CompareRequest& request, Sink& sink) {
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  const core::Candidate a = candidate_for(task, request.a, sink),
                        b = candidate_for(task, request.b, sink);
  require_case(task, request.case_name);
  CompareResult result;
  const core::DeviceInfo& info = result.device = device_for(request, a);
  require_language(b, info);
  std::optional<store::Archive> archive;
  if (request.record) archive = archive_for(request);
  judge::JudgeOptions judging = judging_for(request, {}, info, sink);
  judging.first_runners = (a.language == core::Language::python ? 0 : 1) +
                          (b.language == core::Language::python ? 0 : 1);
  judge::Judge judge(task, info, judging);
  judge::EvaluateOptions options;
  options.depth = request.depth;
  options.case_name = request.case_name;
  Accepted accepted{judge, archive, options, {}};
  result.comparison = compare_accepted(accepted, a, b, rule_of(request, info), sink);
  accepted.record([&] { result.id = run::record(*archive, task, a, b, result.comparison, info); });
  result.not_recorded = accepted.not_recorded;
  sink.step({});
  return result;
}

void describe(base::Fields& f, const CompareResult& result) {
  using base::finite_or_null;
  const auto& comparison = result.comparison;
  const auto side = [](const core::Evaluation& one) {
    return judge::was_judged(one) ? &one : nullptr;
  };
  f("compared", comparison.compared)("word", comparison.word);
  f("ratio", finite_or_null(comparison.ratio_estimate));
  f("low", finite_or_null(comparison.ratio.low))("high", finite_or_null(comparison.ratio.high));
  f("margin", comparison.margin)("rule", judge::describe(comparison.rule));
  f("rounds", comparison.rounds)("blocks", comparison.blocks)("seconds", comparison.seconds);
  f("seconds_needed", comparison.seconds_needed)("busy", comparison.busy);
  f.list("cases", comparison.cases, [&](const judge::CaseComparison& c) {
    f("name", c.name)("ratio", finite_or_null(c.ratio_estimate));
    f("low", finite_or_null(c.ratio.low))("high", finite_or_null(c.ratio.high));
    f("median_a", c.median_a)("median_b", c.median_b);
  });
  f("a", side(comparison.a))("b", side(comparison.b));
  f.sparse("refusal", comparison.refusal).sparse("id", result.id);
  f.sparse("error", result.not_recorded);
}

}  // namespace hone::app
