#pragma once
// The parts of a story that the loop wrote as JSON, and the sums over its calls. Private to run/story.cc and its tests:
// whatever is missing or of another type is left out.
#include "report/story.h"

namespace hone::report {

struct ResultDecision {
  std::optional<int> best, seed;
  std::string comparison, conclusion;
  // Evaluations by member, in a fresh process with unseen seeds: of a member that was certified before, on its way to
  // be the one to beat, this is the figure that is reported.
  std::map<int, std::string> finals;
};

void read_settings(Story& story);
StoryExperiment read_experiment(const store::ExperimentRecord& record);
ResultDecision read_decisions(Story& story, const std::vector<std::pair<std::string, std::string>>& decisions);
std::vector<RoleSpending> spending_by_role(const std::vector<store::CallRecord>& calls);

}  // namespace hone::report
