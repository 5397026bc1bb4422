// A candidate with all that the archive has of it: see record_text.h.
#include <fmt/format.h>

#include "task/plan_comment.h"
#include "text/evaluation_table.h"
#include "text/evaluation_text.h"
#include "text/record_text.h"
#include "text/table.h"

namespace hone::text {
namespace {

std::string relatives(const std::vector<store::CandidateLine>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", store::short_hash(line.hash),
                        printable(line.name));
  return text.empty() ? "none" : text;
}

std::string candidate_facts(const store::CandidateHistory& history) {
  const store::CandidateLine& line = history.candidate.line;
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) {
    facts.add({"", name, value});
  };
  add("name", printable(line.name));
  add("hash", line.hash);
  add("language", std::string(core::name_of(line.language)));
  add("author", line.author.empty() ? "not said" : printable(line.author));
  add("recorded", format_time(line.created));
  if (!line.note.empty()) add("note", printable(line.note));
  add("parents", relatives(history.parents));
  add("children", relatives(history.children));
  return facts.text();
}

std::string comparison_table(const store::CandidateHistory& history, const Screen& screen) {
  if (history.comparisons.empty()) return "";
  constexpr auto left = Column::Align::left;
  Table table({{"when", left, 2},
               {"task", left, 3},
               {"b"},
               {"against a"},
               {"a"},
               {"ratio b / a"},
               {"margin", left, 1},
               {"device", left, 4}});
  const auto side = [](const store::Compared& c) {
    return fmt::format("{} {}", store::short_hash(c.candidate), format_point(c.point));
  };
  for (const auto& c : history.comparisons)
    table.add({format_time(c.created), printable(c.task_name), side(c.b),
               std::string(core::name_of(c.word)), side(c.a),
               fmt::format("{:.4f} ({:.4f} .. {:.4f})", c.ratio, c.interval.low, c.interval.high),
               fmt::format("{:.4f}", c.margin), printable(c.device_name)});
  return table.text(screen);
}

std::string profile_table(const store::CandidateHistory& history, const Screen& screen) {
  if (history.profiles.empty()) return "";
  Table table({{"id"},
               {"when", Column::Align::left, 1},
               {"task", Column::Align::left, 2},
               {"case"},
               {"time", Column::Align::right},
               {"bound by"},
               {"advice"},
               {"device", Column::Align::left, 3}});
  for (const auto& p : history.profiles)
    table.add({p.id, format_time(p.created), printable(p.task_name), printable(p.case_name),
               format_seconds(p.seconds), p.bound, std::to_string(p.advice),
               printable(p.device_name)});
  return table.text(screen);
}

}  // namespace

std::string record_text(const store::CandidateHistory& history, const Screen& screen) {
  std::string out =
      paint("candidate " + store::short_hash(history.candidate.line.hash), Colour::strong, screen) +
      "\n" + candidate_facts(history);
  const auto section = [&](const char* title, std::string text) {
    if (text.empty()) return;
    if (!text.ends_with('\n')) text += '\n';
    out += "\n" + paint(title, Colour::strong, screen) + "\n" + text;
  };
  section("evaluations",
          history.evaluations.empty() ? "none\n" : evaluation_table(history.evaluations, screen));
  section("comparisons", comparison_table(history, screen));
  section("profiles", profile_table(history, screen));
  const auto parts = task::source_parts(history.candidate.source);
  section("plan", printable_lines(parts.plan));
  section("source", printable_lines(parts.code));
  return out;
}

}  // namespace hone::text
