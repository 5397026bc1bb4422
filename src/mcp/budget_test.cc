#include "mcp/budget.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::mcp {
namespace {

TEST(ServerBudget, BooksWhatIsLeftAndGivesBackWhatWasNotUsed) {
  Budget budget(10, 60);
  EXPECT_EQ(budget.book(4), 4);
  EXPECT_EQ(budget.book(200), 6);
  EXPECT_THROW(budget.book(1), base::Error);
  budget.settle(6, 1);
  EXPECT_EQ(budget.evals(), 5);
  EXPECT_EQ(budget.book(200), 5);
}

TEST(ServerBudget, DoesNotBeginWhatItCannotEnd) {
  Budget budget(3, 60);
  EXPECT_EQ(budget.book(2), 2);
  EXPECT_THROW(budget.book(2), base::Error) << "a comparison needs both sides";
  EXPECT_EQ(budget.book(1), 1);
}

TEST(ServerBudget, EndsWithItsMinutes) {
  Budget budget(10, 1);
  EXPECT_TRUE(budget.spend(59));
  EXPECT_EQ(budget.book(1), 1);
  EXPECT_FALSE(budget.spend(2));
  EXPECT_THROW(budget.book(1), base::Error);
  EXPECT_THROW(budget.book(0), base::Error);
}

TEST(ServerBudget, AsksNothingOfWhatJudgesNothing) {
  Budget budget(2, 1);
  EXPECT_EQ(budget.book(2), 2);
  EXPECT_EQ(budget.book(0), 0);
}

TEST(ServerBudget, BooksDollarsForRuns) {
  Budget budget(10, 1, 5);
  EXPECT_EQ(budget.book_usd(2), 2);
  EXPECT_EQ(budget.book_usd(0), 3) << "all that is left";
  EXPECT_THROW(budget.book_usd(1), base::Error);
  budget.settle_usd(3, 0.5);
  EXPECT_EQ(budget.usd(), 2.5);
  EXPECT_EQ(budget.book_usd(100), 2.5);
  Budget without(10, 1);
  EXPECT_EQ(without.book_usd(0), 0);
  EXPECT_EQ(without.book_usd(7), 7);
}

TEST(ServerBudget, IsNotMovedByImpossibleUse) {
  Budget budget(10, 1);
  budget.settle(budget.book(3), 100);
  EXPECT_EQ(budget.evals(), 3);
  budget.settle(budget.book(3), -5);
  EXPECT_EQ(budget.evals(), 3);
}

}  // namespace
}  // namespace hone::mcp
