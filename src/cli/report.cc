#include "cli/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/baseline.h"
#include "core/evaluation_json.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

// Lines after the first are indented, so that no text within evidence stands where the judge's own lines stand.
std::string continued(std::string_view text) {
  std::string out;
  for (const char one : text) {
    out += one;
    if (one == '\n') out += "      ";
  }
  return out;
}

}  // namespace

std::string report(const core::Evaluation& evaluation, const core::DeviceInfo& info, const Screen& screen) {
  std::string out = paint_outcome(evaluation.outcome, screen);
  if (evaluation.geomean)
    out += fmt::format("  {} (geometric mean over timed cases)", format_seconds(*evaluation.geomean));
  out += fmt::format("  {} on {} {}\n", core::name_of(evaluation.key.depth), info.id, printable(info.name));
  if (!evaluation.key.point.empty()) {
    out += "  with";
    for (const auto& [name, value] : evaluation.key.point) out += fmt::format(" {}={}", name, value);
    out += "\n";
  }
  for (const auto& metric : evaluation.metrics)
    if (const std::string score = "gpumode.score."; metric.tag.starts_with(score) && metric.value)
      out += fmt::format("  {} as GPU MODE ranks it ({} of the benchmarks' mean times)\n",
                         format_seconds(*metric.value), metric.tag.substr(score.size()));
  for (const auto& evidence : evaluation.evidence) {
    const std::string who =
        evidence.guard.empty()
            ? ""
            : fmt::format(" [{}{}]", evidence.guard, evidence.row > 0 ? fmt::format(", row {}", evidence.row) : "");
    out += fmt::format("  {}{}{}: {}\n", evidence.convicts ? "why" : "note", who,
                       evidence.case_name.empty() ? "" : " case " + printable(evidence.case_name),
                       continued(printable_lines(evidence.text)));
  }
  out += case_table(evaluation, screen, true);
  out += classes_text(evaluation, screen);
  out += fmt::format("{} in all: {} building, {} in the reference, {} in kernels, {} judging\n",
                     format_seconds(evaluation.seconds_total), format_seconds(evaluation.seconds_build),
                     format_seconds(evaluation.seconds_reference), format_seconds(evaluation.seconds_kernels),
                     format_seconds(std::max(0.0, evaluation.seconds_total - evaluation.seconds_build -
                                                      evaluation.seconds_reference - evaluation.seconds_kernels)));
  return out;
}

base::ExitCode exit_code(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::accepted:
      return base::ExitCode::ok;
    case core::Outcome::undecided:
      return base::ExitCode::undecided;
    default:
      return base::ExitCode::not_accepted;
  }
}

base::ExitCode worse(base::ExitCode a, base::ExitCode b) {
  for (const auto code : {base::ExitCode::not_accepted, base::ExitCode::undecided})
    if (a == code || b == code) return code;
  return a;
}

json to_json(const judge::ComparisonResult& result) {
  json cases = json::array();
  for (const auto& c : result.cases)
    cases.push_back({{"name", c.name},
                     {"ratio", c.ratio_estimate},
                     {"low", c.ratio.low},
                     {"high", c.ratio.high},
                     {"median_a", c.median_a},
                     {"median_b", c.median_b}});
  json answer = {{"compared", result.compared},
                 {"word", core::name_of(result.word)},
                 {"ratio", result.ratio_estimate},
                 {"low", result.ratio.low},
                 {"high", result.ratio.high},
                 {"margin", result.margin},
                 {"rule", judge::describe(result.rule)},
                 {"rounds", result.rounds},
                 {"blocks", result.blocks},
                 {"seconds", result.seconds},
                 {"seconds_needed", nullptr},
                 {"busy", result.busy},
                 {"cases", cases},
                 {"a", core::to_json(result.a)},
                 {"b", core::to_json(result.b)}};
  if (result.seconds_needed) answer["seconds_needed"] = *result.seconds_needed;
  if (!result.refusal.empty()) answer["refusal"] = result.refusal;
  return answer;
}

}  // namespace hone::cli
