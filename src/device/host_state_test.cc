#include "device/host_state.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hone::device {
namespace {

TEST(HostState, DoesNotTakeOurselvesForSomebodyElse) {
  read_host_state({});
  const DeviceState state = read_host_state({});
  for (const std::string& user : state.other_users)
    EXPECT_FALSE(user.starts_with("pid " + std::to_string(::getpid()) + " ")) << user;
}

TEST(HostState, GivesPlausibleFigures) {
  const DeviceState state = read_host_state({});
  EXPECT_GT(state.sm_clock_mhz.value_or(1000), 100);
  EXPECT_LT(state.temperature_c.value_or(50), 150);
  EXPECT_GE(last_level_cache_bytes(), 0);
}

}  // namespace
}  // namespace hone::device
