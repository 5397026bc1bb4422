#include "cli/log.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/error.h"
#include "core/json.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

std::string whole_evaluation_id(store::Archive& archive, const std::string& id_or_prefix) {
  const store::Found found = store::find_by_id(archive, id_or_prefix);
  if (found.kind != store::Found::Kind::evaluation)
    base::fail(base::ExitCode::bad_input,
               "--before {} is a candidate: give an evaluation's id, from the first column of `hone log`",
               id_or_prefix);
  return found.id;
}

void print_nothing(const LogOptions& options, std::ostream& out) {
  const bool filtered = !options.task.empty() || options.outcome || !options.before.empty();
  out << (filtered ? "No evaluation in the archive matches.\n"
                   : "The archive is empty: `hone eval TASK CANDIDATE` records an evaluation.\n");
}

}  // namespace

std::string evaluation_table(const std::vector<store::EvaluationLine>& lines, const Screen& screen) {
  constexpr auto left = Column::Align::left, right = Column::Align::right;
  Table table({{"id"},
               {"when"},
               {"task"},
               {"outcome"},
               {"time", right},
               {"candidate", left, 3},
               {"name", left, 1},
               {"depth", left, 2},
               {"device", left, 4},
               {"point", left, 5},
               {"cases", left, 6}});
  for (const store::EvaluationLine& line : lines) {
    std::string cases;
    for (const std::string& name : line.cases) cases += (cases.empty() ? "" : " ") + printable(name);
    table.add({line.id, format_time(line.created), printable(line.task_name), paint_outcome(line.outcome, screen),
               line.geomean ? format_seconds(*line.geomean) : "-", store::short_hash(line.candidate),
               printable(line.candidate_name), std::string(core::name_of(line.depth)), printable(line.device_name),
               line.point.empty() ? "-" : format_point(line.point), cases.empty() ? "all" : cases});
  }
  return table.text(screen);
}

json to_json(const store::EvaluationLine& line) {
  return {{"id", line.id},
          {"created", core::json_time(line.created)},
          {"task", line.task_name},
          {"candidate", line.candidate},
          {"candidate_name", line.candidate_name},
          {"point", line.point},
          {"cases", line.cases},
          {"depth", core::name_of(line.depth)},
          {"outcome", core::name_of(line.outcome)},
          {"geomean_s", line.geomean ? json(*line.geomean) : json(nullptr)},
          {"device", line.device_name},
          {"seconds_total", line.seconds_total}};
}

void print_log(store::Archive& archive, const LogOptions& options, std::ostream& out, const Screen& screen) {
  if (options.limit < 1)
    base::fail(base::ExitCode::usage, "--limit {}: give how many lines to show, 1 or more", options.limit);
  store::EvaluationFilter filter{options.task, options.outcome, options.before};
  if (!filter.before.empty()) filter.before = whole_evaluation_id(archive, filter.before);
  filter.limit = options.limit + 1;  // one more than shown tells whether there are more
  auto lines = store::list_evaluations(archive, filter);
  const bool more = lines.size() > static_cast<std::size_t>(options.limit);
  if (more) lines.pop_back();
  if (options.json) {
    json evaluations = json::array();
    for (const auto& line : lines) evaluations.push_back(to_json(line));
    out << core::json_text(
        {{"evaluations", std::move(evaluations)}, {"next", more ? json(lines.back().id) : json(nullptr)}});
    return;
  }
  if (lines.empty()) return print_nothing(options, out);
  out << evaluation_table(lines, screen);
  if (more && screen.width > 0)
    out << paint("earlier ones: --before " + lines.back().id, Colour::faint, screen) << "\n";
}

}  // namespace hone::cli
