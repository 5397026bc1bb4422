#include "cli/show_profile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "core/json.h"
#include "core/profile_json.h"
#include "text/evaluation_text.h"
#include "text/profile_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

std::string facts_of(const store::ProfileRecord& record) {
  const core::EvaluationKey& key = record.profile.key;
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) { facts.add({"", name, value}); };
  add("task", fmt::format("{} ({})", printable(record.task_name), store::short_hash(key.task)));
  add("candidate", fmt::format("{} ({})", printable(record.candidate_name), store::short_hash(key.candidate)));
  add("point", key.point.empty() ? "nothing to tune" : format_point(key.point));
  add("device", fmt::format("{} ({})", printable(record.device_name), printable(key.device)));
  add("driver", printable(key.driver));
  add("compiler", printable(key.compiler));
  add("recorded", format_time(record.created));
  return facts.text();
}

}  // namespace

void show_profile(const store::ProfileRecord& record, const ShowOptions& options, std::ostream& out,
                  const Screen& screen) {
  if (options.json) {
    auto json = core::to_json(record.profile);
    json["kind"] = "profile";
    json["id"] = record.id;
    json["created"] = core::json_time(record.created);
    json["task_name"] = record.task_name;
    json["candidate_name"] = record.candidate_name;
    json["device_name"] = record.device_name;
    out << core::json_text(json);
    return;
  }
  out << paint("profile " + record.id, Colour::strong, screen) << "\n"
      << facts_of(record) << "\n"
      << profile_text(record.profile, screen);
  if (!record.profile.metrics.empty())
    out << "\n" << paint("metrics", Colour::strong, screen) << "\n" << metric_table(record.profile.metrics, screen);
}

}  // namespace hone::cli
