#include "cli/show.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/log.h"
#include "cli/show_candidate.h"
#include "cli/show_profile.h"
#include "cli/subject.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "store/evaluations.h"
#include "store/profiles.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using cli::to_json;  // beside those below

std::string facts_of(const store::EvaluationRecord& record) {
  const core::Evaluation& e = record.evaluation;
  const core::EvaluationKey& key = e.key;
  std::string cases;
  for (const std::string& name : key.cases) cases += (cases.empty() ? "" : ", ") + printable(name);
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const std::string& name, const std::string& value) { facts.add({"", name, value}); };
  add("task", fmt::format("{} ({})", printable(record.task_name), store::short_hash(key.task)));
  add("candidate", fmt::format("{} ({})", printable(record.candidate_name), store::short_hash(key.candidate)));
  add("point", key.point.empty() ? "nothing to tune" : format_point(key.point));
  add("cases", cases.empty() ? "all" : cases);
  add("depth", std::string(core::name_of(key.depth)));
  add("device", fmt::format("{} ({})", printable(record.device_name), printable(key.device)));
  add("driver", printable(key.driver));
  add("compiler", printable(key.compiler));
  add("protocol", std::to_string(key.protocol));
  add("recorded", format_time(record.created));
  add("judging took", fmt::format("{}: building {}, kernels {}, reference {}", format_seconds(e.seconds_total),
                                  format_seconds(e.seconds_build), format_seconds(e.seconds_kernels),
                                  format_seconds(e.seconds_reference)));
  if (e.geomean) add("geometric mean", format_seconds(*e.geomean));
  for (const auto& metric : e.metrics)
    if (const std::string score = "gpumode.score."; metric.tag.starts_with(score) && metric.value)
      add("GPU MODE, " + printable(metric.tag.substr(score.size())), format_seconds(*metric.value));
  return facts.text();
}

void show_evaluation(const store::EvaluationRecord& record, std::ostream& out, const Screen& screen) {
  const core::Evaluation& e = record.evaluation;
  out << paint("evaluation " + record.id, Colour::strong, screen) << ": " << paint_outcome(e.outcome, screen) << "\n"
      << facts_of(record);
  const auto section = [&](const char* title, const std::string& text) {
    if (!text.empty()) out << "\n" << paint(title, Colour::strong, screen) << "\n" << text;
  };
  section("evidence", evidence_text(e.evidence, screen));
  section("cases", case_table(e, screen));
  section("metrics", metric_table(e.metrics, screen));
  std::string log = printable_lines(e.build_log);
  if (!log.empty() && !log.ends_with('\n')) log += '\n';
  section("build log", log);
}

nlohmann::json to_json(const store::EvaluationRecord& record) {
  nlohmann::json json = to_json(record.evaluation);
  json["kind"] = "evaluation";
  json["id"] = record.id;
  json["created"] = core::json_time(record.created);
  json["task_name"] = record.task_name;
  json["candidate_name"] = record.candidate_name;
  json["device_name"] = record.device_name;
  return json;
}

}  // namespace

void print_show(store::Archive& archive, const ShowOptions& options, std::ostream& out, const Screen& screen) {
  if (options.id.starts_with('r'))  // a member of a run, or its best
    return show_candidate(archive, subject_from(archive, options.id).hash, options, out, screen);
  const store::Found found = store::find_by_id(archive, options.id);
  if (found.kind == store::Found::Kind::candidate) return show_candidate(archive, found.id, options, out, screen);
  if (found.kind == store::Found::Kind::profile)
    return show_profile(store::get_profile(archive, found.id), options, out, screen);
  const store::EvaluationRecord record = store::get_evaluation(archive, found.id);
  if (options.json)
    out << core::json_text(to_json(record));
  else
    show_evaluation(record, out, screen);
}

}  // namespace hone::cli
