#include "search/descent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

struct Walked {
  explicit Walked(const Grown& run)
      : tree(run.tree, MctsConstants{}),
        expansions(run.tree, settings(), {.model = 4, .judge = 1}),
        descent(tree, expansions) {}
  static StrategySettings settings() {
    StrategySettings settings;
    settings.explains = false;
    return settings;
  }
  SearchTree tree;
  Expansions expansions;
  Descent descent;
};

TEST(Descent, GoesToTheFastest) {
  Grown run;
  const auto fast = run.made(1, {0.5});
  run.made(1, {0.98});
  const Walked walked(run);
  const auto place = walked.descent.walk();
  ASSERT_TRUE(place);
  EXPECT_EQ(place->number, fast);
  EXPECT_THAT(place->why, testing::HasSubstr("score"));
}

TEST(Descent, WaitsForAQuestionRatherThanTryWhatIsMuchWorse) {
  Grown run;
  const auto fast = run.made(1, {0.5});
  run.design_asked(fast);
  const Walked walked(run);
  EXPECT_FALSE(walked.descent.walk());
}

TEST(Descent, RevivesWhatWasPrunedWhenNothingElseIsLeft) {
  Grown run;
  run.designed(1, {});
  const auto slower = run.made(1, {1.5});
  const SearchTree tree(run.tree, MctsConstants{});
  EXPECT_THAT(why_pruned(tree, slower), testing::HasSubstr("no faster than 00001"));
  EXPECT_EQ(why_pruned(tree, 1), "");
}

}  // namespace
}  // namespace hone::search
