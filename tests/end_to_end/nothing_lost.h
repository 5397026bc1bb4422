#pragma once
// What must be true of a run that processes worked on which were killed.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "laboratory.h"
#include "run/journal.h"
#include "store/profiles.h"
#include "store/research.h"

namespace hone::end_to_end {

// What must be true of an archive whatever happened to the processes that wrote it.
inline void expect_nothing_lost_or_done_twice(const Laboratory& lab, int kills) {
  auto archive = lab.archive();
  EXPECT_TRUE(archive.check().empty());
  const auto runs = store::list_runs(archive, 10);
  ASSERT_EQ(runs.size(), 1u);
  std::map<std::string, int> answered, begun;
  for (const auto& call : store::calls_of(archive, runs[0].id, false)) {
    ++begun[call.start.step];
    if (call.end && call.end->answered) ++answered[call.start.step];
  }
  int lost = 0;
  for (const auto& [step, count] : begun) {
    const int answers = answered.contains(step) ? answered[step] : 0;
    EXPECT_LE(answers, 1) << step << " was asked again after it was answered";
    lost += count - answers;
  }
  // A translation beside three first attempts; later three writers.
  constexpr int most_in_flight = 4;
  EXPECT_LE(lost, most_in_flight * kills) << "a call can only be lost in a crash";
  for (const auto& act : run::tree_of(archive, runs[0].id).actions)
    EXPECT_NE(act.state, core::DecidedAction::State::under_way)
        << "action " << act.number << " was forgotten";
  const auto rows = store::node_rows_of(archive, runs[0].id);
  std::set<std::string> steps;
  for (const auto& row : rows) EXPECT_TRUE(steps.insert(row.step).second) << row.step;
  std::size_t explained = 0;
  for (const auto& record : run::records_of(archive, runs[0].id))
    if (const auto* profiled = std::get_if<core::Profiled>(&record))
      explained += !profiled->note.profile.empty();
  EXPECT_GE(explained, 1u);
  EXPECT_EQ(store::list_profiles(archive, 1000).size(), explained)
      << "a profile is made once, and recorded with its node";
  std::map<int, int> screenings;
  for (const auto& evaluation : store::evaluations_of_run(archive, runs[0].id))
    if (evaluation.record.evaluation.key.depth == core::Depth::screen)
      ++screenings[evaluation.node];
  for (const auto& row : rows)
    EXPECT_EQ(screenings[row.number], 1) << row.step << " was judged that often";
  for (const auto& [step, count] : answered)
    if (step.find("writer") != std::string::npos || step.starts_with("seed/")) {
      EXPECT_TRUE(steps.contains(step)) << step << " was answered and lost";
    }
}

}  // namespace hone::end_to_end
