#include "search/disagreement.h"

#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

std::optional<Disagreement> found_in(const Grown& run) {
  StrategySettings settings;
  return disagreement_on(run.tree, bases_of(run.tree, settings)[1]);
}

TEST(Disagreement, IsBetweenPredictionsThatExcludeEachOther) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5, 0, {"A1"})});
  run.designed(1, {experiment("b", 20, 30, 0, {"A1"})});
  const auto found = found_in(run);
  ASSERT_TRUE(found);
  EXPECT_NE(found->one, found->other);
}

TEST(Disagreement, IsNotBetweenPredictionsThatOverlap) {
  Grown run;
  run.designed(1, {experiment("a", 0, 25, 0, {"A1"})});
  run.designed(1, {experiment("b", 20, 30, 0, {"A1"})});
  EXPECT_FALSE(found_in(run));
}

TEST(Disagreement, IsNotBetweenDifferentChanges) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5, 0, {"A1"})});
  run.designed(1, {experiment("b", 20, 30, 0, {"A2"})});
  EXPECT_FALSE(found_in(run));
}

}  // namespace
}  // namespace hone::search
