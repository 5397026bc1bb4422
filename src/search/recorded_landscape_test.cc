#include "search/recorded_landscape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;

RecordedRun recorded() {
  example::Grown run;
  const auto rewrite = run.made(1, {0.5}, experiment("rewrite", 40, 60));
  run.made(rewrite, {0.45}, experiment("gain", 5, 15));
  run.made(rewrite, {0.55}, experiment("loss", 0, 10));
  run.failed(rewrite);
  return recorded_run_of(run.tree, "run");
}

TEST(RecordedLandscape, HasTheExperimentsOfTheRun) {
  const Landscape landscape = recorded_landscape(recorded(), {}, 1);
  ASSERT_EQ(landscape.changes.size(), 3u);
  EXPECT_NEAR(landscape.changes[0].gain[0], std::log(2.0), 1e-9);
  EXPECT_LT(landscape.changes[2].gain[0], 0);
  EXPECT_FALSE(can_change(landscape, Kernel{}, 1)) << "a later step belongs to a rewrite";
  EXPECT_TRUE(can_change(landscape, changed(landscape, Kernel{}, 0), 1));
}

TEST(RecordedLandscape, IsNotMadeOfARunWithoutExperiments) {
  EXPECT_THROW(recorded_landscape(recorded_run_of(example::Grown().tree, "r"), {}, 1), base::Error);
}

TEST(RecordedLandscape, GivesTheFiguresByWhichOthersAreDrawn) {
  const RecordedFigures figures = figures_of({recorded()});
  EXPECT_EQ(figures.candidates, 4);
  EXPECT_EQ(figures.failed, 1);
  EXPECT_EQ(figures.later, 2);
  EXPECT_EQ(figures.gaining, 1);
  EXPECT_NEAR(figures.mean_gain, 10, 1e-9);
  EXPECT_NEAR(figures.mean_loss, 10, 1e-9);
}

}  // namespace
}  // namespace hone::search
