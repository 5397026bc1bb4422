#include "cli/show_candidate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/log.h"
#include "core/json.h"
#include "store/candidates.h"
#include "store/comparisons.h"
#include "store/profiles.h"
#include "task/plan_comment.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using cli::to_json;  // beside those below

using nlohmann::json;

// Everything that is shown of a candidate, read before anything is printed.
struct CandidateStory {
  store::CandidateRecord candidate;
  std::vector<store::CandidateLine> parents, children;
  std::vector<store::EvaluationLine> evaluations;
  std::vector<store::ComparisonRecord> comparisons;
  std::vector<store::ProfileLine> profiles;
};

CandidateStory read_story(store::Archive& archive, const std::string& hash, int limit) {
  return {store::get_candidate(archive, hash),         store::parents_of(archive, hash),
          store::children_of(archive, hash, limit),    store::evaluations_of(archive, hash, limit),
          store::comparisons_of(archive, hash, limit), store::profiles_of(archive, hash, limit)};
}

struct Parts {
  std::string plan, code;
};

Parts parts_of(const std::string& source) {
  task::Complaints unheard("");
  const auto plan = task::find_plan(source, unheard);
  if (!plan) return {"", source};
  const std::size_t code = source.find_first_not_of("\r\n", plan->end);
  return {source.substr(plan->begin, plan->end - plan->begin),
          source.substr(0, plan->begin) + (code == std::string::npos ? "" : source.substr(code))};
}

std::string relatives(const std::vector<store::CandidateLine>& lines) {
  std::string text;
  for (const auto& line : lines)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", store::short_hash(line.hash), printable(line.name));
  return text.empty() ? "none" : text;
}

std::string facts_of(const CandidateStory& story) {
  const store::CandidateLine& line = story.candidate.line;
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) { facts.add({"", name, value}); };
  add("name", printable(line.name));
  add("hash", line.hash);
  add("language", std::string(core::name_of(line.language)));
  add("author", line.author.empty() ? "not said" : printable(line.author));
  add("recorded", format_time(line.created));
  if (!line.note.empty()) add("note", printable(line.note));
  add("parents", relatives(story.parents));
  add("children", relatives(story.children));
  return facts.text();
}

std::string comparison_table(const CandidateStory& story, const Screen& screen) {
  if (story.comparisons.empty()) return "";
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
  for (const auto& c : story.comparisons)
    table.add({format_time(c.created), printable(c.task_name), side(c.b), std::string(core::name_of(c.word)), side(c.a),
               fmt::format("{:.4f} ({:.4f} .. {:.4f})", c.ratio, c.interval.low, c.interval.high),
               fmt::format("{:.4f}", c.margin), printable(c.device_name)});
  return table.text(screen);
}

std::string profile_table(const CandidateStory& story, const Screen& screen) {
  if (story.profiles.empty()) return "";
  Table table({{"id"},
               {"when", Column::Align::left, 1},
               {"task", Column::Align::left, 2},
               {"case"},
               {"time", Column::Align::right},
               {"bound by"},
               {"advice"},
               {"device", Column::Align::left, 3}});
  for (const auto& p : story.profiles)
    table.add({p.id, format_time(p.created), printable(p.task_name), printable(p.case_name), format_seconds(p.seconds),
               p.bound, std::to_string(p.advice), printable(p.device_name)});
  return table.text(screen);
}

void print_text(const CandidateStory& story, std::ostream& out, const Screen& screen) {
  out << paint("candidate " + store::short_hash(story.candidate.line.hash), Colour::strong, screen) << "\n"
      << facts_of(story);
  const auto section = [&](const char* title, std::string text) {
    if (text.empty()) return;
    if (!text.ends_with('\n')) text += '\n';
    out << "\n" << paint(title, Colour::strong, screen) << "\n" << text;
  };
  section("evaluations", story.evaluations.empty() ? "none\n" : evaluation_table(story.evaluations, screen));
  section("comparisons", comparison_table(story, screen));
  section("profiles", profile_table(story, screen));
  const Parts parts = parts_of(story.candidate.source);
  section("plan", printable_lines(parts.plan));
  section("source", printable_lines(parts.code));
}

json to_json(const store::CandidateLine& line) {
  return {{"hash", line.hash},     {"name", line.name}, {"language", core::name_of(line.language)},
          {"author", line.author}, {"note", line.note}, {"created", core::json_time(line.created)}};
}

json to_json(const store::ComparisonRecord& c) {
  const auto side = [](const store::Compared& s) -> json { return {{"candidate", s.candidate}, {"point", s.point}}; };
  return {{"id", c.id},         {"created", core::json_time(c.created)},
          {"task", c.task},     {"task_name", c.task_name},
          {"device", c.device}, {"device_name", c.device_name},
          {"a", side(c.a)},     {"b", side(c.b)},
          {"ratio", c.ratio},   {"interval", {c.interval.low, c.interval.high}},
          {"margin", c.margin}, {"word", core::name_of(c.word)}};
}

json to_json(const store::ProfileLine& p) {
  return {{"id", p.id},
          {"created", core::json_time(p.created)},
          {"task_name", p.task_name},
          {"case", p.case_name},
          {"seconds", p.seconds},
          {"bound", p.bound},
          {"advice", p.advice},
          {"device_name", p.device_name}};
}

template <typename T>
json list(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

json to_json(const CandidateStory& story) {
  json all = to_json(story.candidate.line);
  all["kind"] = "candidate";
  all["source"] = story.candidate.source;
  all["plan"] = parts_of(story.candidate.source).plan;
  all["parents"] = list(story.parents);
  all["children"] = list(story.children);
  all["evaluations"] = list(story.evaluations);
  all["comparisons"] = list(story.comparisons);
  all["profiles"] = list(story.profiles);
  return all;
}

}  // namespace

void show_candidate(store::Archive& archive, const std::string& hash, const ShowOptions& options, std::ostream& out,
                    const Screen& screen) {
  const CandidateStory story = read_story(archive, hash, options.limit);
  if (options.json)
    out << core::json_text(to_json(story));
  else
    print_text(story, out, screen);
}

}  // namespace hone::cli
