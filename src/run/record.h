#pragma once
// What was judged, into the archive: the task and the candidates by their content, then the
// evaluation, comparison or profile of them. Everything that judges goes through here, so that the
// archive says the same of all.
#include <map>
#include <string>
#include <vector>

#include "core/candidate.h"
#include "core/device_info.h"
#include "judge/compare.h"
#include "profile/tool.h"
#include "store/archive.h"
#include "store/comparisons.h"

namespace hone::run {

struct Provenance {
  std::vector<std::string> parents;  // hashes, recorded before
  std::string author, note;
};

void record_task(store::Archive& archive, const core::Task& task);
void record_candidate(store::Archive& archive, const core::Candidate& candidate,
                      const Provenance& origin = {});

// Gives the evaluation's id. With a tuning run's id it becomes a point of that run.
std::string record(store::Archive& archive, const core::Task& task,
                   const core::Candidate& candidate, const core::Evaluation& evaluation,
                   const core::DeviceInfo& info, const std::string& tuning_run = "");
// What the archive keeps of a comparison that was made.
store::ComparisonRecord comparison_record(const core::Task& task, const core::Candidate& a,
                                          const core::Candidate& b,
                                          const judge::ComparisonResult& result,
                                          const core::DeviceInfo& info);
// Gives the comparison's id; "" where nothing was compared, because one of the two was not
// accepted.
std::string record(store::Archive& archive, const core::Task& task, const core::Candidate& a,
                   const core::Candidate& b, const judge::ComparisonResult& result,
                   const core::DeviceInfo& info);

// Gives the profile's id.
std::string record(store::Archive& archive, const core::Task& task,
                   const core::Candidate& candidate, const core::Profile& profile,
                   const core::DeviceInfo& info);
// What became of each tool's earlier advice, over all runs of the archive: for the order of new
// advice.
std::map<std::string, profile::TrackRecord> records_of_tools(store::Archive& archive);

}  // namespace hone::run
