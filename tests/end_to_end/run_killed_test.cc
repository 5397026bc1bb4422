// Runs that are killed and resumed, again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "laboratory.h"
#include "run/journal.h"
#include "store/profiles.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

// What must be true of an archive whatever happened to the processes that wrote it.
void expect_nothing_lost_or_done_twice(const Laboratory& lab, int kills) {
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
  EXPECT_LE(lost, 3 * kills)
      << "a call can only be lost in a crash, and three are in flight at the most";
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

// How often; bench/kills.sh asks for more.
int wanted_kills() {
  const char* given = std::getenv("HONE_KILLS");
  return given == nullptr ? 25 : std::atoi(given);
}

TEST(RunKilled, AtRandomMomentsLosesNothingAndDoesNothingTwice) {
  std::mt19937 random(20);
  const int wanted = wanted_kills();
  const Laboratory
      first;  // what it compiled serves all: the compiler's seconds are not what is tested
  ASSERT_EQ(first.hone.run(first.words()).code, 0);
  for (int kills = 0; kills < wanted;) {
    const Laboratory lab;
    std::filesystem::copy(
        first.hone.home() / "cache", lab.hone.home() / "cache",
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_symlinks);
    int here = 0;
    std::string run;
    // Each start lives a little longer than the one before, so that every stretch of the run is
    // hit, and it ends.
    for (double longest = 0.5;; longest *= 1.15) {
      const double seconds = std::uniform_real_distribution<>(0.0, longest)(random);
      auto words = run.empty() ? lab.words({"--json", "--attempts", "2"})
                               : std::vector<std::string>{"resume", run, "--json"};
      const auto finished = lab.hone.run_and_kill(words, seconds);
      if (finished.code == 0) break;
      ASSERT_EQ(finished.code, 128 + SIGKILL) << finished.err;
      ++here;
      if (run.empty() && std::filesystem::exists(lab.hone.home() / "archive.db")) {
        auto archive = lab.archive();
        if (const auto runs = store::list_runs(archive, 1); !runs.empty()) run = runs[0].id;
      }
    }
    kills += here;
    expect_nothing_lost_or_done_twice(lab, here);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hone::end_to_end
