#include "run/finals.h"

#include <gtest/gtest.h>

namespace hone::run {
namespace {

core::Evaluation took(double seconds) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::accepted;
  evaluation.geomean = seconds;
  return evaluation;
}

const core::Point standard = {{"A", 1}};

TEST(Finalists, AreTheFastestThatScreeningCannotTellApart) {
  const auto finalists = choose_finalists({{standard, took(9)},
                                           {{{"A", 2}}, took(1.0)},
                                           {{{"A", 4}}, took(1.015)},
                                           {{{"A", 8}}, took(1.05)}},
                                          standard, core::ClockKind::device);
  ASSERT_EQ(finalists.size(), 2u);
  EXPECT_EQ(finalists[0].point.at("A"), 2);
  EXPECT_EQ(finalists[1].point.at("A"), 4);
}

TEST(Finalists, AreMoreWhereThereIsMoreNoise) {
  EXPECT_EQ(choose_finalists({{{{"A", 2}}, took(1.0)}, {{{"A", 4}}, took(1.05)}}, standard,
                             core::ClockKind::judge)
                .size(),
            2u);
}

TEST(Finalists, AreThreeAtTheMost) {
  std::map<core::Point, core::Evaluation> known;
  for (int i = 2; i < 10; ++i) known[{{"A", i}}] = took(1);
  EXPECT_EQ(choose_finalists(known, standard, core::ClockKind::device).size(), 3u);
}

TEST(Finalists, AreNoneWhereTheDefaultIsFarAhead) {
  EXPECT_TRUE(choose_finalists({{standard, took(1)}, {{{"A", 2}}, took(2)}}, standard,
                               core::ClockKind::judge)
                  .empty());
}

TEST(Finalists, AreNeverPointsThatFailed) {
  EXPECT_TRUE(choose_finalists({{{{"A", 2}}, core::Evaluation{}}}, standard, core::ClockKind::judge)
                  .empty());
}

TEST(TuningSettings, ReadWhatTheyWrote) {
  const auto settings =
      settings_from(to_text({18446744073709551615u, "main", search::PointSearchKind::local}));
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->seed, 18446744073709551615u);
  EXPECT_EQ(settings->case_name, "main");
  EXPECT_EQ(settings->strategy, search::PointSearchKind::local);
}

TEST(TuningSettings, AreNothingWhereAnotherVersionWroteThem) {
  EXPECT_FALSE(settings_from("not JSON"));
  EXPECT_FALSE(settings_from("{}"));
  EXPECT_FALSE(settings_from(R"({"seed": "one"})"));
}

}  // namespace
}  // namespace hone::run
