#include "search/point_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "search/exhaustive.h"
#include "search/local_search.h"

namespace hone::search {
namespace {

using Landscape =
    std::function<std::optional<double>(const core::Point&)>;  // nothing: the point fails

core::Plan plan_with(int tunables, int values, const std::vector<std::string>& where = {}) {
  core::Plan plan;
  for (int i = 0; i < tunables; ++i) {
    core::Tunable tunable{std::string(1, static_cast<char>('A' + i)), {}, 1, {}};
    for (int v = 0; v < values; ++v) tunable.values.push_back(std::int64_t{1} << v);
    plan.tunables.push_back(tunable);
  }
  for (const auto& text : where) plan.where.push_back({*base::Expr::parse(text), {}});
  return plan;
}

// Each tunable has a best value of its own; the product of how far off they are is the time.
std::optional<double> separable(const core::Point& point) {
  double seconds = 1;
  int wanted = 0;
  for (const auto& [name, value] : point)
    seconds *= 1 + 0.3 * std::abs(std::log2(static_cast<double>(value)) - (++wanted * 2) % 5);
  return seconds;
}

struct Walk {
  std::vector<core::Point> points;
  std::optional<double> best;
};

// Keeps `in_flight` points outstanding and tells the oldest first.
Walk walk(PointSearch& strategy, const Landscape& landscape, std::size_t most,
          std::size_t in_flight = 1) {
  Walk result;
  std::vector<core::Point> open;
  while (true) {
    while (open.size() < in_flight && result.points.size() < most) {
      auto point = strategy.ask();
      if (!point) break;
      result.points.push_back(*point);
      open.push_back(*point);
    }
    if (open.empty()) return result;
    const auto seconds = landscape(open.front());
    if (seconds && (!result.best || *seconds < *result.best)) result.best = seconds;
    strategy.tell(
        {open.front(), seconds ? core::Outcome::accepted : core::Outcome::wrong, seconds});
    open.erase(open.begin());
  }
}

std::size_t distinct(const Walk& walked) {
  return std::set<core::Point>(walked.points.begin(), walked.points.end()).size();
}

TEST(Space, ListsWhatWhereAdmits) {
  const Space space(plan_with(2, 3, {"A * B <= 4"}), {});
  EXPECT_EQ(space.size(), 9);
  EXPECT_EQ(space.all(9)->size(), 6u);
  EXPECT_EQ(space.all(8), std::nullopt);
}

TEST(Space, HasOnePointWithoutTunables) {
  const Space space(core::Plan{}, {});
  EXPECT_EQ(space.all(10)->size(), 1u);
  EXPECT_TRUE(space.default_place());
}

TEST(Space, TreatsAConditionWithoutAValueAsFalse) {
  EXPECT_TRUE(Space(plan_with(1, 3, {"8 / (A - 1) > 0"}), {}).all(10)->size() == 2);
}

TEST(Space, UsesTheDevicesFactsInWhere) {
  EXPECT_EQ(Space(plan_with(1, 5, {"A <= max_threads"}), {{"max_threads", 4}}).all(10)->size(), 3u);
}

TEST(Space, NamesNeighboursOneStepAwayOnly) {
  const Space space(plan_with(2, 3), {});
  EXPECT_THAT(space.neighbours({0, 1}),
              testing::UnorderedElementsAre(GridPoint{1, 1}, GridPoint{0, 0}, GridPoint{0, 2}));
  EXPECT_THAT(space.further_neighbours({0, 1}),
              testing::UnorderedElementsAre(GridPoint{2, 1}, GridPoint{1, 0}, GridPoint{1, 2}));
}

TEST(Exhaustive, AsksEveryPointOnceTheDefaultFirst) {
  const Space space(plan_with(3, 4, {"A * B * C <= 64"}), {});
  const auto strategy = make_point_search(PointSearchKind::exhaustive, space, 7);
  const auto all = *strategy->total();
  const Walk walked = walk(*strategy, separable, 1000, 3);
  EXPECT_EQ(walked.points.front(), (core::Point{{"A", 1}, {"B", 1}, {"C", 1}}));
  EXPECT_EQ(walked.points.size(), all);
  EXPECT_EQ(distinct(walked), all);
  EXPECT_TRUE(strategy->done());
}

TEST(Exhaustive, IsShuffledByItsSeed) {
  const Space space(plan_with(3, 4), {});
  const auto order = [&](std::uint64_t seed) {
    return walk(*make_point_search(PointSearchKind::exhaustive, space, seed), separable, 64).points;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(Exhaustive, LeavesOutADefaultThatWhereForbids) {
  const Space space(plan_with(1, 3, {"A > 1"}), {});
  EXPECT_FALSE(space.default_place());
  EXPECT_EQ(
      walk(*make_point_search(PointSearchKind::exhaustive, space, 1), separable, 10).points.size(),
      2u);
}

TEST(Strategies, AreDoneAtOnceWhereNothingIsAdmitted) {
  const Space space(plan_with(3, 5, {"A < 0"}), {});
  for (const auto kind : {PointSearchKind::exhaustive, PointSearchKind::local}) {
    const auto strategy = make_point_search(kind, space, 1);
    EXPECT_EQ(strategy->ask(), std::nullopt);
    EXPECT_TRUE(strategy->done());
    EXPECT_EQ(strategy->total(), 0u);
  }
}

TEST(LocalSearch, FindsTheBestOfASeparableSpaceOfFifteenThousandPointsInTwoHundred) {
  const Space space(plan_with(6, 5), {});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    LocalSearch search(space, seed);
    const Walk walked = walk(search, separable, 200);
    EXPECT_EQ(walked.points.size(), 200u);
    EXPECT_EQ(distinct(walked), 200u);
    EXPECT_DOUBLE_EQ(*walked.best, 1.0) << "seed " << seed;
  }
}

TEST(LocalSearch, StartsFromTheDefault) {
  LocalSearch search(Space(plan_with(4, 5), {}), 3);
  EXPECT_EQ(search.ask(), (core::Point{{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}}));
}

TEST(LocalSearch, IsTheSameForTheSameSeedAndAnswers) {
  const Space space(plan_with(6, 5), {});
  const auto points = [&](std::uint64_t seed) {
    LocalSearch search(space, seed);
    return walk(search, separable, 120, 4).points;
  };
  EXPECT_EQ(points(5), points(5));
  EXPECT_NE(points(5), points(6));
}

TEST(LocalSearch, GoesOnWithManyPointsInFlight) {
  LocalSearch search(Space(plan_with(6, 5), {}), 1);
  const Walk walked = walk(search, separable, 300, 16);
  EXPECT_EQ(distinct(walked), 300u);
  EXPECT_DOUBLE_EQ(*walked.best, 1.0);
}

TEST(LocalSearch, VisitsEveryPointIfItMay) {
  const Space space(plan_with(3, 4, {"A * B * C <= 64"}), {});
  LocalSearch search(space, 1);
  const Walk walked = walk(search, separable, 1000);
  EXPECT_EQ(distinct(walked), space.all(1000)->size());
  EXPECT_TRUE(search.done());
}

TEST(LocalSearch, GoesThroughASpaceWhereEverythingFailsAndEnds) {
  const Space space(plan_with(3, 4), {});
  LocalSearch search(space, 1);
  const Walk walked = walk(
      search, [](const core::Point&) { return std::nullopt; }, 1000);
  EXPECT_EQ(distinct(walked), 64u);
  EXPECT_FALSE(walked.best);
  EXPECT_TRUE(search.done());
}

TEST(LocalSearch, ClimbsRoundFailures) {
  const Space space(plan_with(4, 6), {});
  const auto holes = [](const core::Point& point) -> std::optional<double> {
    if (point.at("A") * point.at("B") % 128 == 0) return std::nullopt;
    return separable(point);
  };
  LocalSearch search(space, 4);
  EXPECT_DOUBLE_EQ(*walk(search, holes, 200).best, 1.0);
}

TEST(LocalSearch, NeverLeavesWhatWhereAdmits) {
  const Space space(plan_with(5, 6, {"A * B * C <= 256", "D >= E"}), {});
  LocalSearch search(space, 1);
  for (const auto& point : walk(search, separable, 250).points) {
    EXPECT_LE(point.at("A") * point.at("B") * point.at("C"), 256);
    EXPECT_GE(point.at("D"), point.at("E"));
  }
}

TEST(LocalSearch, SearchesGridsTooLargeToList) {
  const Space space(plan_with(9, 8), {});  // 134 million points
  LocalSearch search(space, 1);
  const Walk walked = walk(search, separable, 400);
  EXPECT_EQ(search.total(), std::nullopt);
  EXPECT_DOUBLE_EQ(*walked.best, 1.0);
}

TEST(LocalSearch, ClimbsByTheTimesOfPointsThatWereGivenUp) {
  const Space space(plan_with(6, 5), {});
  LocalSearch search(space, 2);
  double best = 1e9;
  for (int i = 0; i < 250; ++i) {
    const auto point = search.ask();
    const double seconds = *separable(*point);
    const bool too_slow = seconds > 1.2 * best;
    best = std::min(best, seconds);
    search.tell({*point, too_slow ? core::Outcome::rejected : core::Outcome::accepted, seconds});
  }
  EXPECT_DOUBLE_EQ(best, 1.0);
}

TEST(ChooseStrategy, TakesAllPointsWhereTheyAreFewOrTheBudgetCoversThem) {
  const Space small(plan_with(2, 4), {}), medium(plan_with(4, 4), {}), huge(plan_with(9, 8), {});
  EXPECT_EQ(choose_point_search(small, 0, false), PointSearchKind::exhaustive);
  EXPECT_EQ(choose_point_search(small, 0, true), PointSearchKind::exhaustive);
  EXPECT_EQ(choose_point_search(small, 10, false), PointSearchKind::local);
  EXPECT_EQ(choose_point_search(medium, 0, false), PointSearchKind::local);
  EXPECT_EQ(choose_point_search(medium, 256, false), PointSearchKind::exhaustive);
  EXPECT_EQ(choose_point_search(huge, 0, false), PointSearchKind::local);
}

}  // namespace
}  // namespace hone::search
