#include "store/findings.h"

#include "base/error.h"
#include "base/words.h"
#include "store/research.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

struct Row {
  std::int64_t number = 0;
  Finding finding;
};

std::vector<Row> read_findings(Archive& archive, Query query) {
  std::vector<Row> rows;
  for (StoredText text; query.step();) {
    auto& [number, f] = rows.emplace_back();
    query.read(number, f.id, f.created, f.task, f.device, text.text, text.object, f.source, f.run,
               f.deleted);
    f.text = archive.objects().fetch(text);
  }
  return rows;
}

std::string whole_finding_id(Archive& archive, const std::string& id_or_prefix) {
  constexpr int listed = 8;
  const auto ids = read_ids(
      archive.database().query("findings_by_prefix", checked_prefix(id_or_prefix), listed));
  if (ids.empty())
    fail(ExitCode::bad_input,
         "no finding has an id that begins with {}: `hone findings` lists them", id_or_prefix);
  if (ids.size() > 1)
    fail(ExitCode::bad_input, "several findings have an id that begins with {}: {}", id_or_prefix,
         fmt::join(ids, ", "));
  return ids.front();
}

Row get_row(Archive& archive, const std::string& id_or_prefix) {
  auto rows = read_findings(
      archive, archive.database().query("get_finding", whole_finding_id(archive, id_or_prefix)));
  return std::move(rows.at(0));
}

void add_version(Archive& archive, std::int64_t finding, const std::string& text, bool deleted,
                 Time created) {
  const StoredText stored = archive.objects().keep(text);
  archive.database().run("insert_finding_version", finding, deleted, created, stored.text,
                         stored.object);
}

}  // namespace

std::string add_finding(Archive& archive, const Finding& finding) {
  // Several runs learn the same, and each copy would take room in every prompt.
  if (!finding.deleted)
    for (const Finding& known : findings(archive, {.everything = true}))
      if (known.task == finding.task && known.device == finding.device &&
          base::normalized(known.text) == base::normalized(finding.text))
        return known.id;
  const std::string id = new_id();
  std::optional<std::int64_t> run;
  Transaction transaction(archive.database());
  if (!finding.run.empty()) run = row_of_research_run(archive, finding.run);
  archive.database().run("insert_finding", id, finding.task, finding.device, finding.source, run);
  add_version(archive, archive.database().last_row(), finding.text, finding.deleted,
              finding.created == Time{} ? now() : finding.created);
  transaction.commit();
  return id;
}

void edit_finding(Archive& archive, const std::string& id_or_prefix, const std::string& text) {
  const Row row = get_row(archive, id_or_prefix);
  if (row.finding.deleted)
    fail(ExitCode::bad_input, "the finding {} was deleted: add it again with `hone findings add`",
         row.finding.id);
  add_version(archive, row.number, text, false, now());
}

void delete_finding(Archive& archive, const std::string& id_or_prefix) {
  const Row row = get_row(archive, id_or_prefix);
  if (!row.finding.deleted) add_version(archive, row.number, row.finding.text, true, now());
}

Finding get_finding(Archive& archive, const std::string& id_or_prefix) {
  return get_row(archive, id_or_prefix).finding;
}

std::vector<Finding> findings(Archive& archive, const FindingFilter& filter) {
  const std::string task = filter.everything ? "" : filter.task,
                    device = filter.everything ? "" : filter.device;
  std::vector<Finding> found;
  for (Row& row : read_findings(
           archive, archive.database().query("list_findings", task, device, filter.limit)))
    found.push_back(std::move(row.finding));
  return found;
}

}  // namespace hone::store
