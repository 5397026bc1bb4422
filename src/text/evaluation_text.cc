#include "text/evaluation_text.h"

#include <fmt/format.h>

#include <sstream>

#include "text/table.h"

namespace hone::text {
namespace {

constexpr auto right = Column::Align::right;

std::string indented(const std::string& block) {
  std::string out;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);)
    out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

Screen narrower(Screen screen) {
  constexpr int indentation = 2;
  if (screen.width > indentation) screen.width -= indentation;
  return screen;
}

std::string seconds_or_dash(double seconds) { return seconds > 0 ? format_seconds(seconds) : "-"; }

std::string ceiling_of(const core::CaseResult& c, const Screen& screen) {
  constexpr int bar_width = 12;  // leaves room for the times on a terminal of 80 columns
  if (!c.ceiling_fraction) return c.timed && !c.samples.empty() ? "not measured" : "-";
  const std::string words =
      fmt::format("{} of {}", format_percent(*c.ceiling_fraction), printable(c.ceiling));
  return screen.width > 0 ? format_bar(*c.ceiling_fraction, bar_width) + " " + words : words;
}

// What a case took; or, where it took no time, what came of it.
std::string time_text(const core::CaseResult& c, core::Outcome outcome, const Screen& screen) {
  if (outcome != core::Outcome::accepted) return paint_outcome(outcome, screen);
  return c.timed && !c.samples.empty() ? format_seconds(c.median) : "checked";
}

std::string spread_text(const core::CaseResult& c) {
  if (c.median <= 0 || c.samples.empty()) return "-";
  return fmt::format("−{:.2g} +{:.2g} %", 100 * (c.median - c.interval.low) / c.median,
                     100 * (c.interval.high - c.median) / c.median);
}

// A case that failed before anything was compared has no error.
std::string error_text(double error, core::Outcome outcome) {
  if (error == 0) return outcome == core::Outcome::accepted ? "0" : "-";
  return fmt::format("{:.1e}", error);
}

// What matters most comes first and is never left out.
std::vector<Column> case_columns(bool brief) {
  std::vector<Column> columns = {{"case"},           {"time", right},
                                 {"95 %", right, 1}, {"of the ceiling", Column::Align::left},
                                 {"error", right},   {"bandwidth", right, 2},
                                 {"rate", right, 3}, {"samples", right, 4},
                                 {"wall", right, 5}};
  if (brief) return columns;
  columns.insert(columns.end(),
                 {{"rms error", right, 6}, {"honest rms", right, 7}, {"first call", right, 8}});
  return columns;
}

std::vector<std::string> case_row(const core::Evaluation& evaluation, const core::CaseResult& c,
                                  const Screen& screen) {
  const core::Outcome outcome = core::outcome_of(evaluation, c);
  return {printable(c.name),
          time_text(c, outcome, screen),
          spread_text(c),
          ceiling_of(c, screen),
          error_text(c.error_max, outcome),
          c.bandwidth > 0 ? format_rate(c.bandwidth, "B/s") : "-",
          c.rate > 0 ? format_rate(c.rate, "flop/s") : "-",
          c.samples.empty() ? "-" : std::to_string(c.samples.size()),
          seconds_or_dash(c.wall_median),
          error_text(c.error_rms, outcome),
          error_text(c.honest_rms, outcome),
          seconds_or_dash(c.first_call)};
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
    if (e.row > 0)
      head += fmt::format("{}row {} of docs/trust.md", head.empty() ? "" : ", ", e.row);
    if (!e.case_name.empty())
      head += fmt::format("{}case {}", head.empty() ? "" : ", ", printable(e.case_name));
    const std::string kind = e.convicts ? paint("verdict", Colour::bad, screen)
                                        : paint("label", Colour::doubtful, screen);
    out += fmt::format("{}{}{}\n{}", kind, head.empty() ? "" : ": ", head,
                       indented(printable_lines(e.text)));
  }
  return indented(out);
}

std::string case_table(const core::Evaluation& evaluation, const Screen& screen, bool brief) {
  if (evaluation.cases.empty()) return "";
  Table table(case_columns(brief));
  for (const core::CaseResult& c : evaluation.cases) table.add(case_row(evaluation, c, screen));
  return indented(table.text(narrower(screen)));
}

std::string metric_table(const std::vector<core::Metric>& metrics, const Screen& screen) {
  if (metrics.empty()) return "";
  Table table({{"metric"},
               {"value", right},
               {"case"},
               {"launch", right, 2},
               {"line", right, 1},
               {"why there is none"}});
  for (const core::Metric& m : metrics)
    table.add({printable(m.tag), m.value ? format_value(*m.value, printable(m.hint)) : "-",
               printable(m.case_name), m.launch ? std::to_string(*m.launch) : "",
               m.line ? std::to_string(*m.line) : "", printable(m.missing)});
  return indented(table.text(narrower(screen)));
}

}  // namespace hone::text
