#include "profile/timeline.h"

#include <gtest/gtest.h>

#include "profile/tags.h"

namespace hone::profile {
namespace {

using device::Activity;
using Kind = Activity::Kind;

TEST(Timeline, GapsAreWhatNoKernelCovers) {
  const std::vector<Activity> call = {{Kind::launch_call, 0, 2, 0, 0, ""},
                                      {Kind::launch_call, 2, 6, 1, 0, ""},
                                      {Kind::kernel, 10, 14, 0, 7, "a"},
                                      {Kind::kernel, 15, 20, 1, 7, "b"},
                                      {Kind::kernel, 20, 21, 1, 7, "b"}};
  const MetricTable metrics(timeline_metrics(call, 25));
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_launches, {}), 3);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_span, {}), 11);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_kernels, {}), 10);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_gaps, {}), 1);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_launch_cost, {}), 3);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_wall, {}), 25);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_overlap, {}), 0);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_launch_seconds, 0), 4);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_launch_seconds, 1), 6);
}

TEST(Timeline, KernelsAtOnceAreCountedOnceAndAsOverlap) {
  const std::vector<Activity> call = {{Kind::kernel, 0, 10, 0, 7, "a"},
                                      {Kind::kernel, 5, 12, 1, 8, "b"},
                                      {Kind::copy, 1, 3, -1, 7, ""},
                                      {Kind::fill, 2, 4, -1, 7, ""},
                                      {Kind::sync, 11, 12, -1, 0, ""}};
  const MetricTable metrics(timeline_metrics(call, 12));
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_kernels, {}), 12);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_gaps, {}), 0);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_overlap, {}), 5.0 / 12);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_copies, {}), 3);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::system_syncs, {}), 1);
  EXPECT_FALSE(metrics.get(tag::system_launch_cost, {}));
}

TEST(Timeline, NothingRecordedIsSaid) {
  const MetricTable metrics(timeline_metrics({}, 1));
  EXPECT_FALSE(metrics.get(tag::system_span, {}));
  EXPECT_EQ(metrics.missing(tag::system_span, {}), "no kernel was recorded");
}

}  // namespace
}  // namespace hone::profile
