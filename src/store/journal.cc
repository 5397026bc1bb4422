#include "store/journal.h"

#include "store/research.h"

namespace hone::store {

void append_journal(Archive& archive, const std::string& run, std::string_view kind,
                    const std::string& body) {
  const StoredText stored = archive.objects().keep(body);
  archive.database().run("append_journal", row_of_research_run(archive, run), kind, now(),
                         stored.text, stored.object);
}

std::vector<JournalLine> journal_of(Archive& archive, const std::string& run, std::int64_t after) {
  std::vector<JournalLine> lines;
  Query query =
      archive.database().query("journal_of_run", row_of_research_run(archive, run), after);
  for (StoredText body; query.step();) {
    JournalLine& line = lines.emplace_back();
    query.read(line.number, line.kind, line.created, body.text, body.object);
    line.body = archive.objects().fetch(body);
  }
  return lines;
}

void set_activity(Archive& archive, const std::string& run, const std::string& body) {
  archive.database().run("set_activity", row_of_research_run(archive, run), now(), body);
}

std::optional<Activity> activity_of(Archive& archive, const std::string& run) {
  Query query = archive.database().query("activity_of_run", row_of_research_run(archive, run));
  if (!query.step()) return std::nullopt;
  Activity activity;
  query.read(activity.changed, activity.body);
  return activity;
}

}  // namespace hone::store
