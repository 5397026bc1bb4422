#include "cli/evaluation_text.h"

#include <fmt/format.h>

#include <sstream>

#include "cli/table.h"

namespace hone::cli {
namespace {

constexpr auto right = Column::Align::right;

std::string indented(const std::string& block) {
  std::string out;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

Screen narrower(Screen screen) {
  constexpr int indentation = 2;
  if (screen.width > indentation) screen.width -= indentation;
  return screen;
}

std::string seconds_or_dash(double seconds) { return seconds > 0 ? format_seconds(seconds) : "-"; }

std::string error_text(double error) { return error == 0 ? "0" : fmt::format("{:.1e}", error); }

std::string ceiling_of(const core::CaseResult& c, const Screen& screen) {
  constexpr int bar_width = 12;  // leaves room for the times on a terminal of 80 columns
  if (!c.ceiling_fraction) return "-";
  const std::string words = fmt::format("{} of {}", format_percent(*c.ceiling_fraction), printable(c.ceiling));
  return screen.width > 0 ? format_bar(*c.ceiling_fraction, bar_width) + " " + words : words;
}

// What matters most comes first: a narrow terminal cuts the rest.
std::vector<std::string> case_row(const core::CaseResult& c, const Screen& screen) {
  const bool timed = c.timed && !c.samples.empty();
  return {printable(c.name),
          timed ? format_seconds(c.median) : "not timed",
          timed ? fmt::format("{} .. {}", format_seconds(c.interval.low), format_seconds(c.interval.high)) : "-",
          ceiling_of(c, screen),
          c.bandwidth > 0 ? format_rate(c.bandwidth, "B/s") : "-",
          c.rate > 0 ? format_rate(c.rate, "FLOP/s") : "-",
          error_text(c.error_max),
          error_text(c.error_rms),
          error_text(c.honest_rms),
          seconds_or_dash(c.wall_median),
          seconds_or_dash(c.first_call),
          timed ? std::to_string(c.samples.size()) : "-"};
}

}  // namespace

std::string format_point(const core::Point& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", printable(name), value);
  return text;
}

std::string paint_outcome(core::Outcome outcome, const Screen& screen) {
  const Colour colour = outcome == core::Outcome::accepted    ? Colour::good
                        : outcome == core::Outcome::undecided ? Colour::doubtful
                                                              : Colour::bad;
  return paint(core::name_of(outcome), colour, screen);
}

std::string verdict_text(const core::Evaluation& evaluation, const Screen& screen) {
  std::string text = paint_outcome(evaluation.outcome, screen);
  if (evaluation.outcome == core::Outcome::accepted && evaluation.geomean)
    text += ", " + format_seconds(*evaluation.geomean);
  return text;
}

std::string evidence_text(const std::vector<core::Evidence>& evidence, const Screen& screen) {
  std::string out;
  for (const core::Evidence& e : evidence) {
    std::string head = e.guard.empty() ? "" : printable(e.guard);
    if (e.row > 0) head += fmt::format("{}row {} of docs/trust.md", head.empty() ? "" : ", ", e.row);
    if (!e.case_name.empty()) head += fmt::format("{}case {}", head.empty() ? "" : ", ", printable(e.case_name));
    const std::string kind =
        e.convicts ? paint("verdict", Colour::bad, screen) : paint("label", Colour::doubtful, screen);
    out += fmt::format("{}{}{}\n{}", kind, head.empty() ? "" : ": ", head, indented(printable_lines(e.text)));
  }
  return indented(out);
}

std::string case_table(const std::vector<core::CaseResult>& cases, const Screen& screen) {
  if (cases.empty()) return "";
  Table table({{"case"},
               {"time", right},
               {"95 % interval", right},
               {"of the measured ceiling"},
               {"bandwidth", right},
               {"rate", right},
               {"error max", right},
               {"rms", right},
               {"honest rms", right},
               {"wall", right},
               {"first call", right},
               {"samples", right}});
  for (const core::CaseResult& c : cases) table.add(case_row(c, screen));
  return indented(table.text(narrower(screen)));
}

std::string metric_table(const std::vector<core::Metric>& metrics, const Screen& screen) {
  if (metrics.empty()) return "";
  Table table({{"metric"}, {"value", right}, {"case"}, {"launch", right}, {"line", right}, {"why there is none"}});
  for (const core::Metric& m : metrics)
    table.add({printable(m.tag), m.value ? format_value(*m.value, printable(m.hint)) : "-", printable(m.case_name),
               m.launch ? std::to_string(*m.launch) : "", m.line ? std::to_string(*m.line) : "", printable(m.missing)});
  return indented(table.text(narrower(screen)));
}

}  // namespace hone::cli
