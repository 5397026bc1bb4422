#include "mcp/lane.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace hone::mcp {
namespace {

TEST(Lane, DoesAllJobsAndRefusesMoreThanMayWait) {
  std::promise<void> open;
  const std::shared_future<void> gate = open.get_future().share();
  std::promise<void> begun;
  std::atomic<int> done = 0;
  Lane lane(1, 2);
  ASSERT_TRUE(lane.add([&] {
    begun.set_value();
    gate.wait();
    ++done;
  }));
  begun.get_future().wait();
  std::promise<void> last;
  EXPECT_TRUE(lane.add([&] { ++done; }));
  EXPECT_TRUE(lane.add([&] {
    ++done;
    last.set_value();
  }));
  EXPECT_FALSE(lane.add([&] { ++done; }));
  EXPECT_EQ(lane.size(), 3u);
  open.set_value();
  last.get_future().wait();
  EXPECT_EQ(done, 3);
}

TEST(Lane, DropsWhatWaitsWhenItEnds) {
  std::promise<void> begun, open;
  std::atomic<int> done = 0;
  {
    Lane lane(1, 8);
    lane.add([&] {
      begun.set_value();
      open.get_future().wait();
      ++done;
    });
    begun.get_future().wait();
    for (int i = 0; i < 5; ++i) lane.add([&] { ++done; });
    std::thread([&] { open.set_value(); }).detach();
  }
  EXPECT_GE(done, 1);
}

}  // namespace
}  // namespace hone::mcp
