#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/accepted.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/json.h"
#include "judge/ceilings.h"
#include "judge/compare.h"
#include "run/record.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

// One whose partner could not even be started has nothing against it, and nothing for it.
bool was_not_judged(const core::Evaluation& evaluation) {
  return evaluation.outcome == core::Outcome::rejected && evaluation.evidence.empty();
}

// Where two could not be compared: what one of them has to do with that.
base::ExitCode code_against(const core::Evaluation& evaluation) {
  return was_not_judged(evaluation) ? base::ExitCode::ok : exit_code(evaluation.outcome);
}

base::ExitCode code_for(const judge::ComparisonResult& result) {
  if (!result.refusal.empty()) return base::ExitCode::environment;
  if (!result.compared) {
    const auto code = worse(code_against(result.a), code_against(result.b));
    return code == base::ExitCode::ok ? base::ExitCode::not_accepted : code;
  }
  switch (result.word) {
    case core::Comparison::faster:
      return base::ExitCode::ok;
    case core::Comparison::slower:
      return base::ExitCode::slower;
    case core::Comparison::same:
      return base::ExitCode::same;
    default:
      return base::ExitCode::cannot_tell;
  }
}

void print(const CompareOptions& options, const judge::ComparisonResult& result, const core::DeviceInfo& info) {
  const Screen screen = screen_of(stdout);
  if (!result.refusal.empty()) fmt::print("{}\n", printable(result.refusal));
  if (!result.compared) {
    for (const auto& [path, evaluation] : {std::pair{&options.a, &result.a}, std::pair{&options.b, &result.b}})
      if (evaluation->outcome != core::Outcome::accepted && !was_not_judged(*evaluation))
        fmt::print("{}: {}", printable(*path), evaluation_report(*evaluation, info, screen));
    return;
  }
  fmt::print("{}\n", comparison_text(printable(options.a), printable(options.b), result, screen));
  Table table({{"case"},
               {"a", Column::Align::right},
               {"b", Column::Align::right},
               {"b / a", Column::Align::right},
               {"99 %", Column::Align::right}});
  for (const auto& c : result.cases)
    table.add({printable(c.name), format_seconds(c.median_a), format_seconds(c.median_b),
               fmt::format("{:.4f}", c.ratio_estimate), fmt::format("{:.4f} – {:.4f}", c.ratio.low, c.ratio.high)});
  fmt::print("{}{} in {}. Rule: {}.\n", table.text(screen), base::counted(result.rounds, "round"),
             format_seconds(result.seconds), judge::describe(result.rule));
}

judge::ComparisonResult compare_accepted(app::Accepted& accepted, const core::Candidate& a, const core::Candidate& b,
                                         const judge::CompareRule& rule) {
  judge::ComparisonResult result;
  result.a = accepted(a);
  if (result.a.outcome != core::Outcome::accepted) return result;
  result.b = accepted(b);
  if (result.b.outcome != core::Outcome::accepted) return result;
  return judge::compare(accepted.judge, a, b, accepted.options, accepted.options, rule);
}

}  // namespace

int compare(const CompareOptions& options) {
  const core::Task task = task_from(options.task);
  require_device_task(task);
  const core::Candidate a = candidate_for(task, options.a), b = candidate_for(task, options.b);
  judge::EvaluateOptions evaluate;
  evaluate.depth = depth_from(options.depth);
  evaluate.case_name = options.case_name;
  require_case(task, options.case_name);
  const core::DeviceInfo info = device_for(options, a);
  require_language(b, info);
  std::optional<store::Archive> archive;
  if (!options.no_record) archive = archive_for(options);
  Progress progress(options.json);
  judge::JudgeOptions judging;
  judging.unsafe = options.unsafe;
  judging.progress = [&](const std::string& text) { progress.step({text, {}, {}}); };
  judging.ceilings = judge::ceilings_of(info, true, {options.unsafe, judging.progress});
  judging.first_runners =
      (a.language == core::Language::python ? 0 : 1) + (b.language == core::Language::python ? 0 : 1);
  judge::Judge judge(task, info, judging);
  judge::CompareRule rule = judge::compare_rule(core::clock_of(info));
  if (options.margin > 0) rule.margin = options.margin;
  if (options.seconds > 0) rule = judge::with_seconds(rule, options.seconds);
  app::Accepted accepted{judge, archive, evaluate, {}};
  const auto result = compare_accepted(accepted, a, b, rule);
  std::string id;
  accepted.record([&] { id = run::record(*archive, task, a, b, result, info); });
  const auto& not_recorded = accepted.not_recorded;
  progress.step({});
  if (options.json) {
    auto json = to_json(result);
    for (const auto& [name, evaluation] : {std::pair{"a", &result.a}, std::pair{"b", &result.b}})
      if (was_not_judged(*evaluation)) json[name] = nullptr;
    if (!id.empty()) json["id"] = id;
    if (not_recorded) json["error"] = to_json(*not_recorded);
    std::fputs(core::json_text(json).c_str(), stdout);
  } else {
    print(options, result, info);
  }
  if (not_recorded) return tell(*not_recorded);
  return static_cast<int>(code_for(result));
}

}  // namespace hone::cli
