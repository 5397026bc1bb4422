// Runs that are killed and resumed, again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <random>

#include "laboratory.h"
#include "nothing_lost.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

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
