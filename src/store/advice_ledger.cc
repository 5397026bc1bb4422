#include "store/advice_ledger.h"

#include <map>

#include "store/profiles.h"
#include "store/research.h"

namespace hone::store {

void record_shown(Archive& archive, const std::string& run, int generation, int node,
                  const std::string& profile) {
  archive.database().run("insert_shown", row_of_research_run(archive, run), generation, node,
                         row_of_profile(archive, profile), now());
}

void record_cited(Archive& archive, std::int64_t experiment, const std::string& profile,
                  const std::vector<std::string>& advice) {
  Database& database = archive.database();
  Transaction transaction(database);
  for (const std::string& id : advice) {
    std::int64_t row = 0;
    {
      Query query = database.query("advice_row", profile, id);
      if (!query.step()) continue;
      query.read(row);
    }
    database.run("insert_cited", experiment, row, now());
  }
  transaction.commit();
}

void record_realised(Archive& archive, std::int64_t experiment, int node, core::Outcome outcome,
                     std::optional<double> gain) {
  archive.database().run("insert_realised", experiment, node, core::name_of(outcome), gain, now());
}

std::vector<Shown> shown_in(Archive& archive, const std::string& run) {
  std::vector<Shown> all;
  Query query = archive.database().query("shown_in_run", row_of_research_run(archive, run));
  while (query.step()) {
    Shown& one = all.emplace_back();
    query.read(one.generation, one.node, one.profile);
  }
  return all;
}

std::vector<Citation> citations_of(Archive& archive, const std::string& run) {
  std::vector<Citation> all;
  Query query = archive.database().query("citations_of_run", row_of_research_run(archive, run));
  while (query.step()) {
    Citation& c = all.emplace_back();
    query.read(c.experiment, c.generation, c.advice, c.tool, c.title, c.predicted.low,
               c.predicted.high, c.profile, c.case_name, c.node, c.outcome, c.realised);
  }
  return all;
}

std::vector<ToolRecord> tool_records(Archive& archive) {
  Database& database = archive.database();
  std::map<std::string, ToolRecord> records;
  std::string tool;
  ToolRecord read;
  for (Query query = database.query("tools_fired"); query.step();) {
    query.read(tool, read.fired, read.width);
    records[tool].fired = read.fired;
    records[tool].width = read.width;
  }
  for (Query query = database.query("tools_shown"); query.step();) {
    query.read(tool, read.shown);
    records[tool].shown = read.shown;
  }
  for (Query query = database.query("tools_cited"); query.step();) {
    query.read(tool, read.cited, read.followed, read.right, read.covered, read.realised);
    ToolRecord& record = records[tool];
    record.cited = read.cited;
    record.followed = read.followed;
    record.right = read.right;
    record.covered = read.covered;
    record.realised = read.realised;
  }
  std::vector<ToolRecord> list;
  for (auto& [name, record] : records) {
    record.tool = name;
    list.push_back(std::move(record));
  }
  return list;
}

}  // namespace hone::store
