#pragma once
// The lines of a run's journal, in order, and what the run does at this moment. What the lines mean
// is for run/journal.h. Appending is part of a ArchiveTransaction where other records belong with
// it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/archive.h"

namespace hone::store {

struct JournalLine {
  std::int64_t number = 0;  // larger than that of every line before it
  std::string kind;
  Time created{};
  std::string body;  // JSON
};
void append_journal(Archive& archive, const std::string& run, std::string_view kind,
                    const std::string& body);
std::vector<JournalLine> journal_of(Archive& archive, const std::string& run,
                                    std::int64_t after = 0);

// Replaced by the next one: what a run at work does, for processes that watch it.
struct Activity {
  Time changed{};
  std::string body;  // JSON
};
void set_activity(Archive& archive, const std::string& run, const std::string& body);
std::optional<Activity> activity_of(Archive& archive, const std::string& run);

}  // namespace hone::store
