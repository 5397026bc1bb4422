#include "app/compare.h"

#include <nlohmann/json.hpp>

#include "app/accepted.h"
#include "app/error_json.h"
#include "app/inputs.h"
#include "core/evaluation_json.h"
#include "judge/judge.h"
#include "run/record.h"

namespace hone::app {
namespace {

using nlohmann::json;

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

json compared_case_json(const judge::CaseComparison& c) {
  return {{"name", c.name},       {"ratio", c.ratio_estimate}, {"low", c.ratio.low},
          {"high", c.ratio.high}, {"median_a", c.median_a},    {"median_b", c.median_b}};
}

json compared_side_json(const core::Evaluation& side) {
  return was_judged(side) ? core::to_json(side) : json(nullptr);
}

}  // namespace

bool was_judged(const core::Evaluation& side) {
  return side.outcome != core::Outcome::rejected || !side.evidence.empty();
}

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

json to_json(const CompareResult& result) {
  const auto& comparison = result.comparison;
  json cases = json::array();
  for (const auto& c : comparison.cases) cases.push_back(compared_case_json(c));
  json said = {{"compared", comparison.compared},
               {"word", core::name_of(comparison.word)},
               {"ratio", comparison.ratio_estimate},
               {"low", comparison.ratio.low},
               {"high", comparison.ratio.high},
               {"margin", comparison.margin},
               {"rule", judge::describe(comparison.rule)},
               {"rounds", comparison.rounds},
               {"blocks", comparison.blocks},
               {"seconds", comparison.seconds},
               {"seconds_needed", nullptr},
               {"busy", comparison.busy},
               {"cases", cases},
               {"a", compared_side_json(comparison.a)},
               {"b", compared_side_json(comparison.b)}};
  if (comparison.seconds_needed) said["seconds_needed"] = *comparison.seconds_needed;
  if (!comparison.refusal.empty()) said["refusal"] = comparison.refusal;
  if (!result.id.empty()) said["id"] = result.id;
  if (result.not_recorded) said["error"] = to_json(*result.not_recorded);
  return said;
}

}  // namespace hone::app
