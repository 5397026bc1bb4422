#pragma once
// A recorded run as its report tells it: the tables of all candidates and of what was predicted,
// read from the Markdown that `hone report` wrote. For reports whose archive is not at hand.
#include <filesystem>
#include <string>
#include <vector>

#include "search/recorded_landscape.h"

namespace hone::app {

// Throws Error (bad input) where there is no table of candidates.
search::RecordedRun recorded_report(const std::string& markdown, const std::string& name);

// The reports of a folder by name, and for each those of its control arm: NAME.md, NAME.oneshot.md.
struct RecordedReports {
  search::RecordedRun run;
  std::vector<search::RecordedRun> control;
};
std::vector<RecordedReports> recorded_reports(const std::filesystem::path& folder);

}  // namespace hone::app
