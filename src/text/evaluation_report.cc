// The whole of an evaluation for a person: see text/evaluation_text.h.
#include <fmt/format.h>

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
  for (const auto& evidence : evaluation.evidence) {
    const std::string guard =
        evidence.guard.empty()
            ? ""
            : fmt::format(" [{}{}]", evidence.guard,
                          evidence.row > 0 ? fmt::format(", row {}", evidence.row) : "");
    out += fmt::format("  {}{}{}: {}\n", evidence.convicts ? "why" : "note", guard,
                       evidence.case_name.empty() ? "" : " case " + printable(evidence.case_name),
                       continued(printable_lines(evidence.text)));
  }
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
