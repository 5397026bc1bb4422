#include "cli/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "agents/prompts.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "store/comparisons.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

const core::CaseResult* timed_case(const Subject& subject, const std::string& name) {
  if (!subject.evaluation) return nullptr;
  for (const auto& c : subject.evaluation->evaluation.cases)
    if (c.timed && c.name == name) return &c;
  return nullptr;
}

std::vector<std::string> case_names(const Subject& a, const Subject& b) {
  std::vector<std::string> names;
  for (const Subject* subject : {&a, &b})
    if (subject->evaluation)
      for (const auto& c : subject->evaluation->evaluation.cases)
        if (c.timed && std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
  return names;
}

std::optional<double> geomean_of(const Subject& subject) {
  return subject.evaluation ? subject.evaluation->evaluation.geomean : std::nullopt;
}

std::string time_table(const Subject& a, const Subject& b, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"case"}, {"a", right}, {"b", right}, {"a / b", right}});
  const auto row = [&](const std::string& name, std::optional<double> left, std::optional<double> now) {
    table.add({name, left ? format_seconds(*left) : "-", now ? format_seconds(*now) : "-",
               left && now && *now > 0 ? format_ratio(*left / *now) : "-"});
  };
  const auto median = [](const core::CaseResult* c) { return c != nullptr ? std::optional(c->median) : std::nullopt; };
  for (const std::string& name : case_names(a, b))
    row(printable(name), median(timed_case(a, name)), median(timed_case(b, name)));
  row("geometric mean", geomean_of(a), geomean_of(b));
  return table.text(screen);
}

std::string origin(const Subject& subject, const Screen& screen) {
  if (!subject.evaluation && subject.lacks_plan)
    return fmt::format(
        "{}: has no launch plan, and no evaluation of it with a task's plan was found; `hone log` lists evaluations, "
        "whose ids can be named instead of the file",
        printable(subject.label));
  if (!subject.evaluation) return fmt::format("{}: never evaluated", printable(subject.label));
  const auto& record = *subject.evaluation;
  return fmt::format("{}: {} by evaluation {} ({}, {}, {})", printable(subject.label),
                     paint_outcome(record.evaluation.outcome, screen), record.id,
                     core::name_of(record.evaluation.key.depth), printable(record.device_name),
                     format_time(record.created));
}

// What was measured of exactly these two, in interleaved blocks: worth more than two times of different hours.
std::optional<store::ComparisonRecord> compared(store::Archive& archive, const Subject& a, const Subject& b) {
  constexpr int recent = 200;
  if (a.hash.empty() || b.hash.empty()) return std::nullopt;
  for (auto& record : store::comparisons_of(archive, b.hash, recent))
    if (record.a.candidate == a.hash && record.b.candidate == b.hash) return std::move(record);
  return std::nullopt;
}

json subject_json(const Subject& subject) {
  json cases = json::object();
  if (subject.evaluation)
    for (const auto& c : subject.evaluation->evaluation.cases)
      if (c.timed) cases[c.name] = {{"median_s", c.median}, {"interval_s", {c.interval.low, c.interval.high}}};
  const auto geomean = geomean_of(subject);
  return {{"name", subject.label},
          {"candidate", subject.hash.empty() ? json(nullptr) : json(subject.hash)},
          {"evaluation", subject.evaluation ? json(subject.evaluation->id) : json(nullptr)},
          {"outcome", subject.evaluation ? json(core::name_of(subject.evaluation->evaluation.outcome)) : json(nullptr)},
          {"geomean_s", geomean ? json(*geomean) : json(nullptr)},
          {"cases", cases}};
}

}  // namespace

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

void print_diff(store::Archive& archive, const Subject& a, const Subject& b, bool as_json, std::ostream& out,
                const Screen& screen) {
  const std::string diff = agents::diff(a.source, b.source, a.label, b.label);
  const auto comparison = compared(archive, a, b);
  if (as_json) {
    json answer = {{"a", subject_json(a)}, {"b", subject_json(b)}, {"diff", diff}, {"compared", nullptr}};
    if (comparison)
      answer["compared"] = {{"id", comparison->id},
                            {"word", core::name_of(comparison->word)},
                            {"ratio", comparison->ratio},
                            {"interval", {comparison->interval.low, comparison->interval.high}}};
    out << core::json_text(answer);
    return;
  }
  if (diff.empty())
    out << (a.source == b.source ? "The sources are the same.\n\n" : "Only the last line's end differs.\n\n");
  else
    out << paint_diff(diff, screen) << "\n";
  out << "a  " << origin(a, screen) << "\nb  " << origin(b, screen) << "\n";
  if (a.evaluation || b.evaluation) out << "\n" << time_table(a, b, screen);
  if (comparison)
    out << fmt::format("\nSide by side, {}: {} as fast (99 %: {} to {}).\n", core::sentence(comparison->word, "b", "a"),
                       format_ratio(1 / comparison->ratio), format_ratio(1 / comparison->interval.high),
                       format_ratio(1 / comparison->interval.low));
}

int diff(const DiffCommand& command) {
  auto archive = archive_to_read(command);
  const Subject a = subject_from(archive, command.a), b = subject_from(archive, command.b);
  print_diff(archive, a, b, command.json, std::cout, screen_of(stdout));
  return 0;
}

}  // namespace hone::cli
