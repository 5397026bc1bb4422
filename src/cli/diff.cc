// `hone diff`: see app/diff.h.
#include "cli/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "cli/commands.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

const core::CaseResult* timed_case(const app::NamedCandidate& candidate, const std::string& name) {
  if (!candidate.evaluation) return nullptr;
  for (const auto& c : candidate.evaluation->evaluation.cases)
    if (c.timed && c.name == name) return &c;
  return nullptr;
}

std::vector<std::string> case_names(const app::NamedCandidate& a, const app::NamedCandidate& b) {
  std::vector<std::string> names;
  for (const app::NamedCandidate* candidate : {&a, &b})
    if (candidate->evaluation)
      for (const auto& c : candidate->evaluation->evaluation.cases)
        if (c.timed && std::find(names.begin(), names.end(), c.name) == names.end())
          names.push_back(c.name);
  return names;
}

std::optional<double> geomean_of(const app::NamedCandidate& candidate) {
  return candidate.evaluation ? candidate.evaluation->evaluation.geomean : std::nullopt;
}

std::string time_table(const app::NamedCandidate& a, const app::NamedCandidate& b,
                       const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"case"}, {"a", right}, {"b", right}, {"a / b", right}});
  const auto row = [&](const std::string& name, std::optional<double> left,
                       std::optional<double> now) {
    table.add({name, left ? format_seconds(*left) : "-", now ? format_seconds(*now) : "-",
               left && now && *now > 0 ? format_ratio(*left / *now) : "-"});
  };
  const auto median = [](const core::CaseResult* c) {
    return c != nullptr ? std::optional(c->median) : std::nullopt;
  };
  for (const std::string& name : case_names(a, b))
    row(printable(name), median(timed_case(a, name)), median(timed_case(b, name)));
  row("geometric mean", geomean_of(a), geomean_of(b));
  return table.text(screen);
}

std::string origin(const app::NamedCandidate& candidate, const Screen& screen) {
  if (!candidate.evaluation && candidate.lacks_plan)
    return fmt::format(
        "{}: has no launch plan, and no evaluation of it with a task's plan was found; `hone log` "
        "lists evaluations, whose ids can be named instead of the file",
        printable(candidate.label));
  if (!candidate.evaluation) return fmt::format("{}: never evaluated", printable(candidate.label));
  const auto& record = *candidate.evaluation;
  return fmt::format("{}: {} by evaluation {} ({}, {}, {})", printable(candidate.label),
                     paint_outcome(record.evaluation.outcome, screen), record.id,
                     core::name_of(record.evaluation.key.depth), printable(record.device_name),
                     format_time(record.created));
}

// A unified diff in its usual colours.
std::string paint_diff(const std::string& diff, const Screen& screen) {
  std::string out;
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    const std::string text = printable_lines(line);
    const Colour colour = line.starts_with("---") || line.starts_with("+++") ? Colour::strong
                          : line.starts_with("@@")                           ? Colour::faint
                          : line.starts_with("+")                            ? Colour::good
                          : line.starts_with("-")                            ? Colour::bad
                                                                             : Colour::plain;
    out += (colour == Colour::plain ? text : paint(text, colour, screen)) + "\n";
  }
  return out;
}

}  // namespace

std::string diff_text(const app::DiffResult& result, const Screen& screen) {
  const auto& [a, b, diff, compared] = result;
  std::string out;
  if (diff.empty())
    out = a.source == b.source ? "The sources are the same.\n\n"
                               : "Only the last line's end differs.\n\n";
  else
    out = paint_diff(diff, screen) + "\n";
  out += "a  " + origin(a, screen) + "\nb  " + origin(b, screen) + "\n";
  if (a.evaluation || b.evaluation) out += "\n" + time_table(a, b, screen);
  if (compared)
    out += fmt::format("\nSide by side, {}: {} as fast (99 %: {} to {}).\n",
                       core::sentence(compared->word, "b", "a"), format_ratio(1 / compared->ratio),
                       format_ratio(1 / compared->interval.high),
                       format_ratio(1 / compared->interval.low));
  return out;
}

int diff(const Typed<app::DiffRequest>& command) {
  const auto result = app::diff(command);
  put(command.json ? base::json_text(result) : diff_text(result, screen_of(stdout)));
  return 0;
}

}  // namespace hone::cli
