// The whole of an evaluation for a person: see text/evaluation_text.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "text/classes.h"
#include "text/evaluation_text.h"

namespace hone::text {
namespace {

// Lines after the first are indented, so that no text within evidence stands where the judge's own
// lines stand.
std::string continued(std::string_view text) {
  std::string out;
  for (const char one : text) {
    out += one;
    if (one == '\n') out += "      ";
  }
  return out;
}

}  // namespace

std::string evidence_lines(const std::vector<core::Evidence>& evidence) {
  std::string out;
  std::set<int> rows;
  for (const auto& one : evidence) {
    const bool has_row = !one.guard.empty() && one.row > 0;
    if (has_row) rows.insert(one.row);
    const std::string guard =
        one.guard.empty()
            ? ""
            : fmt::format(" [{}{}]", one.guard, has_row ? fmt::format(", row {}", one.row) : "");
    out += fmt::format("  {}{}{}: {}\n", one.convicts ? "why" : "note", guard,
                       one.case_name.empty() ? "" : " case " + printable(one.case_name),
                       continued(printable_lines(one.text)));
  }
  if (!rows.empty())
    out += fmt::format("  {} {} of docs/trust.md {} protects from\n",
                       rows.size() == 1 ? "row" : "rows", fmt::join(rows, ", "),
                       rows.size() == 1 ? "says what this guard" : "say what each of these guards");
  return out;
}

std::string evaluation_report(const core::Evaluation& evaluation, const core::DeviceInfo& info,
                              const Screen& screen) {
  std::string out = paint_outcome(evaluation.outcome, screen);
  if (evaluation.geomean)
    out +=
        fmt::format("  {} (geometric mean over timed cases)", format_seconds(*evaluation.geomean));
  out += fmt::format("  {} on {} {}\n", core::name_of(evaluation.key.depth), info.id,
                     printable(info.name));
  if (!evaluation.key.point.empty()) {
    out += "  with";
    for (const auto& [name, value] : evaluation.key.point)
      out += fmt::format(" {}={}", name, value);
    out += "\n";
  }
  for (const auto& metric : evaluation.metrics)
    if (const std::string score = "gpumode.score."; metric.tag.starts_with(score) && metric.value)
      out += fmt::format("  {} as GPU MODE ranks it ({} of the benchmarks' mean times)\n",
                         format_seconds(*metric.value), metric.tag.substr(score.size()));
  out += evidence_lines(evaluation.evidence);
  out += case_table(evaluation, screen, true);
  out += classes_text(evaluation, screen);
  out += fmt::format(
      "{} in all: {} building, {} in the reference, {} in kernels, {} judging\n",
      format_seconds(evaluation.seconds_total), format_seconds(evaluation.seconds_build),
      format_seconds(evaluation.seconds_reference), format_seconds(evaluation.seconds_kernels),
      format_seconds(std::max(0.0, evaluation.seconds_total - evaluation.seconds_build -
                                       evaluation.seconds_reference - evaluation.seconds_kernels)));
  return out;
}

}  // namespace hone::text
