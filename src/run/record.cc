#include "run/record.h"

#include "base/files.h"
#include "store/advice_ledger.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/profiles.h"

namespace hone::run {

void record_task(store::Archive& archive, const core::Task& task) {
  const std::string toml = base::read_file(task.folder / "task.toml", base::largest_text_file);
  store::record_task(archive,
                     {task.hash, task.name, std::filesystem::absolute(task.folder).string(), toml});
}

void record_candidate(store::Archive& archive, const core::Candidate& candidate,
                      const Provenance& origin) {
  store::record_candidate(
      archive, {{candidate.hash, candidate.language, candidate.name, origin.author, origin.note},
                candidate.source,
                origin.parents});
}

std::string record(store::Archive& archive, const core::Task& task,
                   const core::Candidate& candidate, const core::Evaluation& evaluation,
                   const core::DeviceInfo& info, const std::string& tuning_run) {
  record_task(archive, task);
  record_candidate(archive, candidate);
  return store::record_evaluation(archive, evaluation, info.name, tuning_run);
}

store::ComparisonRecord comparison_record(const core::Task& task, const core::Candidate& a,
                                          const core::Candidate& b,
                                          const judge::ComparisonResult& result,
                                          const core::DeviceInfo& info) {
  store::ComparisonRecord comparison{.task = task.hash,
                                     .device = info.uuid,
                                     .device_name = info.name,
                                     .driver = info.driver,
                                     .compiler = info.compiler,
                                     .protocol = judge::protocol_version,
                                     .a = {a.hash, result.a.key.point},
                                     .b = {b.hash, result.b.key.point},
                                     .ratio = result.ratio_estimate,
                                     .interval = result.ratio,
                                     .margin = result.margin,
                                     .word = result.word,
                                     .stopped_by = std::string(judge::name_of(result.stopped_by)),
                                     .seconds = result.seconds};
  for (const auto& c : result.cases)
    comparison.cases.push_back({c.name, c.ratio_estimate, c.ratio, c.round_ratios});
  return comparison;
}

std::string record(store::Archive& archive, const core::Task& task, const core::Candidate& a,
                   const core::Candidate& b, const judge::ComparisonResult& result,
                   const core::DeviceInfo& info) {
  if (!result.compared) return "";
  record_task(archive, task);
  record_candidate(archive, a);
  record_candidate(archive, b);
  return store::record_comparison(archive, comparison_record(task, a, b, result, info));
}

std::string record(store::Archive& archive, const core::Task& task,
                   const core::Candidate& candidate, const core::Profile& profile,
                   const core::DeviceInfo& info) {
  record_task(archive, task);
  record_candidate(archive, candidate);
  return store::record_profile(archive, profile, info.name);
}

std::map<std::string, profile::TrackRecord> records_of_tools(store::Archive& archive) {
  std::map<std::string, profile::TrackRecord> records;
  for (const auto& tool : store::tool_records(archive))
    records[tool.tool] = {tool.followed, tool.right};
  return records;
}

}  // namespace hone::run
