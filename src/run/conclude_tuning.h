#pragma once
// What follows the search of a tuning run: the best few points are compared with the default, the
// winner is certified and compared once more in fresh processes, and written down. On the thread of
// the run.
#include <map>
#include <optional>
#include <string>

#include "judge/judge.h"
#include "run/finals.h"

namespace hone::run {

// The judge of a run, made when it is first needed.
class TuningJudge {
 public:
  TuningJudge(const core::Task& task, const core::DeviceInfo& info, judge::JudgeOptions options);
  judge::Judge& get();
  void release() { judge_.reset(); }  // a fresh process may need the memory

 private:
  const core::Task& task_;
  const core::DeviceInfo& info_;
  judge::JudgeOptions options_;
  std::optional<judge::Judge> judge_;
};

// Fills in what the result says of the winner. `evaluations` are the points of the search; the
// result has its status.
void conclude_tuning(const Finals& finals, TuningJudge& judge,
                     const std::map<core::Point, core::Evaluation>& evaluations,
                     const TuneWatcher& watcher, TuneResult& result);

// Why the default stands, from the comparison of the best other point with it.
std::string default_stands_text(const store::ComparisonRecord& closest);

}  // namespace hone::run
