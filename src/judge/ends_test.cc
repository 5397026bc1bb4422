#include "judge/ends.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::judge {
namespace {

std::vector<std::int64_t> counts_of(const std::vector<std::int64_t>& ends) {
  std::vector<std::int64_t> counts;
  std::int64_t before = 0;
  for (const auto end : ends) {
    counts.push_back(end - before);
    before = end;
  }
  return counts;
}

TEST(Ends, NeverDecreaseAndCoverAllItems) {
  for (const EndsRequest request : {EndsRequest{128, 65536, 0, 0}, EndsRequest{7, 3, 4, 2},
                                    EndsRequest{1, 10, 0, 0}, EndsRequest{5, 0, 1, 0}}) {
    const auto ends = draw_ends(request, 9);
    ASSERT_EQ(ends.size(), static_cast<std::size_t>(request.parts));
    EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
    EXPECT_GE(ends.front(), 0);
    EXPECT_EQ(ends.back(), request.total);
  }
}

TEST(Ends, AreAnotherDrawForAnotherSeed) {
  const EndsRequest request{16, 1000, 0, 0};
  EXPECT_EQ(draw_ends(request, 1), draw_ends(request, 1));
  EXPECT_NE(draw_ends(request, 1), draw_ends(request, 2));
}

TEST(Ends, LeaveAsManyPartsEmptyAsAskedFor) {
  const auto counts = counts_of(draw_ends({64, 100000, 0, 20}, 3));
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 0), 20);
  const auto all = counts_of(draw_ends({4, 10, 0, 9}, 3));
  EXPECT_EQ(std::count(all.begin(), all.end(), 0), 3);  // one part is left for the items
}

TEST(Ends, AreSkewedWhereThatIsAskedFor) {
  const auto even = counts_of(draw_ends({128, 65536, 0, 0}, 5));
  const auto skewed = counts_of(draw_ends({128, 65536, 4, 0}, 5));
  EXPECT_LT(*std::max_element(even.begin(), even.end()), 2 * 512);
  EXPECT_GT(*std::min_element(even.begin(), even.end()), 512 / 2);
  EXPECT_GT(*std::max_element(skewed.begin(), skewed.end()), 2 * 512);
  EXPECT_LT(*std::min_element(skewed.begin(), skewed.end()), 512 / 8);
}

}  // namespace
}  // namespace hone::judge
