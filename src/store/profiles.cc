#include "store/profiles.h"

#include "base/error.h"
#include "base/json.h"
#include "store/candidates.h"
#include "store/encoding.h"
#include "store/evaluations.h"
#include "store/metrics.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

core::Severity known_severity(const std::string& name) {
  if (const auto severity = core::severity_from(name)) return *severity;
  fail(ExitCode::archive,
       "the archive holds the severity '{}', which this hone does not know: use a newer one", name);
}

void insert_advice(Database& database, std::int64_t row, const std::vector<core::Advice>& advice) {
  int ord = 0;
  for (const core::Advice& a : advice) {
    database.run("insert_advice", row, ord, a.id.empty() ? fmt::format("A{}", ord + 1) : a.id,
                 a.tool, core::name_of(a.severity), a.title, a.evidence, a.cause, a.recommendation,
                 a.launch, encode(a.lines), a.gain.low, a.gain.high, a.model);
    ++ord;
  }
}

std::vector<core::Advice> get_advice(Database& database, std::int64_t row) {
  std::vector<core::Advice> all;
  std::string severity, lines;
  for (Query query = database.query("get_advice", row); query.step();) {
    core::Advice& a = all.emplace_back();
    query.read(a.id, a.tool, severity, a.title, a.evidence, a.cause, a.recommendation, a.launch,
               lines, a.gain.low, a.gain.high, a.model);
    a.severity = known_severity(severity);
    decode(lines, a.lines);
  }
  return all;
}

std::string body_of(core::Profile profile) {
  return base::json_line([&](base::Fields& f) { core::describe_body(f, profile); });
}

std::vector<ProfileLine> read_lines(Query query) {
  std::vector<ProfileLine> lines;
  while (query.step()) {
    ProfileLine& line = lines.emplace_back();
    query.read(line.id, line.created, line.task_name, line.candidate, line.candidate_name,
               line.case_name, line.seconds, line.bound, line.device_name, line.advice);
  }
  return lines;
}

}  // namespace

std::string record_profile(Archive& archive, const core::Profile& profile,
                           const std::string& device_name, Time created) {
  Database& database = archive.database();
  const core::EvaluationKey& key = profile.key;
  const std::string id = new_id();
  const StoredText body = archive.objects().keep(body_of(profile));
  Transaction transaction(database);
  database.run("insert_profile", id, row_of_candidate(archive, key.candidate),
               row_of_task(archive, key.task).id, row_of_device(archive, key.device, device_name),
               key.driver, key.compiler, key.protocol, encode(key.point), profile.case_name,
               profile.seconds, core::name_of(profile.diagnosis.bound), created, body.text,
               body.object);
  const std::int64_t row = database.last_row();
  insert_metrics(database, "insert_profile_metric", row, profile.metrics);
  insert_advice(database, row, profile.advice);
  transaction.commit();
  return id;
}

ProfileRecord get_profile(Archive& archive, const std::string& id) {
  Database& database = archive.database();
  ProfileRecord record;
  core::Profile& profile = record.profile;
  core::EvaluationKey& key = profile.key;
  std::int64_t row = 0;
  std::string point;
  StoredText body;
  {
    Query query = database.query("get_profile", id);
    if (!query.step()) fail(ExitCode::bad_input, "the archive has no profile with the id {}", id);
    query.read(row, record.id, record.created, record.task_name, record.candidate_name,
               record.device_name, key.candidate, point, key.task, key.device, key.driver,
               key.compiler, key.protocol, profile.case_name, profile.seconds, body.text,
               body.object);
  }
  decode(point, key.point);
  const std::string body_text = archive.objects().fetch(body);
  try {
    base::read_json(body_text, [&](base::Fields& f) { core::describe_body(f, profile); });
  } catch (const base::Error& error) {
    fail(ExitCode::archive, "the profile {} is damaged or was written by a newer hone: {}", id,
         error.what());
  }
  profile.advice = get_advice(database, row);
  profile.metrics = get_metrics(database, "get_profile_metrics", row);
  return record;
}

std::vector<ProfileLine> list_profiles(Archive& archive, int limit) {
  return read_lines(archive.database().query("list_profiles", limit));
}

std::vector<ProfileLine> profiles_of(Archive& archive, const std::string& candidate, int limit) {
  return read_lines(archive.database().query("list_profiles_of_candidate", limit, candidate));
}

std::int64_t row_of_profile(Archive& archive, const std::string& id) {
  std::int64_t row = 0;
  Query query = archive.database().query("profile_row", id);
  if (!query.step()) fail(ExitCode::bad_input, "the archive has no profile with the id {}", id);
  query.read(row);
  return row;
}

}  // namespace hone::store
