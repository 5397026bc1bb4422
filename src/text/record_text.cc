#include "text/record_text.h"

#include <fmt/format.h>

#include "text/evaluation_text.h"
#include "text/profile_text.h"
#include "text/table.h"

namespace hone::text {
namespace {

// Of evaluations and of profiles alike: what was judged or explained, and where.
template <typename Record>
void add_key(Table& facts, const Record& record, const core::EvaluationKey& key) {
  facts.add({"", "task",
             fmt::format("{} ({})", printable(record.task_name), store::short_hash(key.task))});
  facts.add(
      {"", "candidate",
       fmt::format("{} ({})", printable(record.candidate_name), store::short_hash(key.candidate))});
  facts.add({"", "point", key.point.empty() ? "nothing to tune" : format_point(key.point)});
}

std::string device_text(const std::string& name, const core::EvaluationKey& key) {
  return fmt::format("{} ({})", printable(name), printable(key.device));
}

std::string evaluation_facts(const store::EvaluationRecord& record) {
  const core::Evaluation& e = record.evaluation;
  const core::EvaluationKey& key = e.key;
  std::string cases;
  for (const std::string& name : key.cases) cases += (cases.empty() ? "" : ", ") + printable(name);
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const std::string& name, const std::string& value) {
    facts.add({"", name, value});
  };
  add_key(facts, record, key);
  add("cases", cases.empty() ? "all" : cases);
  add("depth", std::string(core::name_of(key.depth)));
  add("device", device_text(record.device_name, key));
  add("driver", printable(key.driver));
  add("compiler", printable(key.compiler));
  add("protocol", std::to_string(key.protocol));
  add("recorded", format_time(record.created));
  add("judging took",
      fmt::format("{}: building {}, kernels {}, reference {}", format_seconds(e.seconds_total),
                  format_seconds(e.seconds_build), format_seconds(e.seconds_kernels),
                  format_seconds(e.seconds_reference)));
  if (e.geomean) add("geometric mean", format_seconds(*e.geomean));
  for (const auto& metric : e.metrics)
    if (const std::string score = "gpumode.score."; metric.tag.starts_with(score) && metric.value)
      add("GPU MODE, " + printable(metric.tag.substr(score.size())), format_seconds(*metric.value));
  return facts.text();
}

std::string profile_facts(const store::ProfileRecord& record) {
  const core::EvaluationKey& key = record.profile.key;
  Table facts({{""}, {""}, {""}});
  add_key(facts, record, key);
  facts.add({"", "device", device_text(record.device_name, key)});
  facts.add({"", "driver", printable(key.driver)});
  facts.add({"", "compiler", printable(key.compiler)});
  facts.add({"", "recorded", format_time(record.created)});
  return facts.text();
}

}  // namespace

std::string record_text(const store::EvaluationRecord& record, const Screen& screen) {
  const core::Evaluation& e = record.evaluation;
  std::string out = paint("evaluation " + record.id, Colour::strong, screen) + ": " +
                    paint_outcome(e.outcome, screen) + "\n" + evaluation_facts(record);
  const auto section = [&](const char* title, const std::string& text) {
    if (!text.empty()) out += "\n" + paint(title, Colour::strong, screen) + "\n" + text;
  };
  section("evidence", evidence_text(e.evidence, screen));
  section("cases", case_table(e, screen));
  section("metrics", metric_table(e.metrics, screen));
  std::string log = printable_lines(e.build_log);
  if (!log.empty() && !log.ends_with('\n')) log += '\n';
  section("build log", log);
  return out;
}

std::string record_text(const store::ProfileRecord& record, const Screen& screen) {
  std::string out = paint("profile " + record.id, Colour::strong, screen) + "\n" +
                    profile_facts(record) + "\n" + profile_text(record.profile, screen);
  if (!record.profile.metrics.empty())
    out += "\n" + paint("metrics", Colour::strong, screen) + "\n" +
           metric_table(record.profile.metrics, screen);
  return out;
}

}  // namespace hone::text
