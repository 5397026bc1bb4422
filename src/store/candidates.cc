#include "store/candidates.h"

#include "base/error.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

Time or_now(Time time) { return time == Time{} ? now() : time; }

core::Language language_from(const std::string& name) {
  if (const auto language = core::language_from(name)) return *language;
  fail(ExitCode::archive,
       "the archive holds a candidate in the language '{}', which this hone does not know: use a "
       "newer one",
       name);
}

std::vector<CandidateLine> read_lines(Query query) {
  std::vector<CandidateLine> lines;
  std::string language;
  while (query.step()) {
    CandidateLine& line = lines.emplace_back();
    query.read(line.hash, language, line.name, line.author, line.note, line.created);
    line.language = language_from(language);
  }
  return lines;
}

}  // namespace

bool record_task(Archive& archive, const TaskRecord& task) {
  const StoredText toml = archive.objects().keep(task.toml);
  return archive.database().run("insert_task", task.hash, task.name, task.folder,
                                or_now(task.created), toml.text, toml.object) > 0;
}

TaskRecord get_task(Archive& archive, const std::string& hash) {
  Query query = archive.database().query("get_task", hash);
  if (!query.step()) fail(ExitCode::bad_input, "the archive has no task with the hash {}", hash);
  TaskRecord task;
  StoredText toml;
  query.read(task.hash, task.name, task.folder, task.created, toml.text, toml.object);
  task.toml = archive.objects().fetch(toml);
  return task;
}

std::optional<std::string> newest_task_named(Archive& archive, const std::string& name) {
  Query query = archive.database().query("newest_task_named", name);
  if (!query.step()) return std::nullopt;
  std::string hash;
  query.read(hash);
  return hash;
}

bool record_candidate(Archive& archive, const CandidateRecord& candidate) {
  Database& database = archive.database();
  const CandidateLine& line = candidate.line;
  const StoredText source = archive.objects().keep(candidate.source);
  Transaction transaction(database);
  const bool fresh =
      database.run("insert_candidate", line.hash, core::name_of(line.language), line.name,
                   line.author, line.note, or_now(line.created), source.text, source.object) > 0;
  if (fresh) {
    const std::int64_t row = database.last_row();
    for (const std::string& parent : candidate.parents)
      database.run("insert_parent", row, row_of_candidate(archive, parent));
  }
  transaction.commit();
  return fresh;
}

CandidateRecord get_candidate(Archive& archive, const std::string& hash) {
  CandidateRecord record;
  std::string language;
  StoredText source;
  {
    Query query = archive.database().query("get_candidate", hash);
    if (!query.step())
      fail(ExitCode::bad_input, "the archive has no candidate with the hash {}", hash);
    CandidateLine& line = record.line;
    query.read(line.hash, language, line.name, line.author, line.note, line.created, source.text,
               source.object);
  }
  record.line.language = language_from(language);
  record.source = archive.objects().fetch(source);
  for (const CandidateLine& parent : parents_of(archive, hash))
    record.parents.push_back(parent.hash);
  return record;
}

std::string author_of(Archive& archive, const std::string& hash) {
  CandidateLine line;
  std::string language;
  StoredText source;
  Query query = archive.database().query("get_candidate", hash);
  if (!query.step()) return "";
  query.read(line.hash, language, line.name, line.author, line.note, line.created, source.text,
             source.object);
  return line.author;
}

std::vector<CandidateLine> list_candidates(Archive& archive, int limit) {
  return read_lines(archive.database().query("list_candidates", limit));
}
std::vector<CandidateLine> parents_of(Archive& archive, const std::string& hash) {
  return read_lines(archive.database().query("parents", hash));
}
std::vector<CandidateLine> children_of(Archive& archive, const std::string& hash, int limit) {
  return read_lines(archive.database().query("children", hash, limit));
}
std::vector<CandidateLine> lineage_of(Archive& archive, const std::string& hash) {
  return read_lines(archive.database().query("lineage", hash));
}

TaskRow row_of_task(Archive& archive, const std::string& hash) {
  TaskRow row;
  Query query = archive.database().query("task_row", hash);
  if (!query.step())
    fail(ExitCode::archive, "the task {} has to be recorded before what refers to it", hash);
  query.read(row.id, row.name);
  return row;
}

std::int64_t row_of_candidate(Archive& archive, const std::string& hash) {
  std::int64_t row = 0;
  Query query = archive.database().query("candidate_row", hash);
  if (!query.step())
    fail(ExitCode::archive, "the candidate {} has to be recorded before what refers to it", hash);
  query.read(row);
  return row;
}

}  // namespace hone::store
