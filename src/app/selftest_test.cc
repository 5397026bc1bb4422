#include "app/selftest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/test_support.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

// Its specimen runs on the fake GPU, whichever device is tested.
constexpr const char* row_on_the_fake = "22";

TEST(SelftestRequest, JudgesTheSpecimensAndCountsThem) {
  const FakePlace place;
  RecordingSink sink;
  auto request = place.request<SelftestRequest>();
  request.only_row = row_on_the_fake;
  request.no_clock = true;
  const auto result = selftest(request, sink);
  EXPECT_EQ(result.shown, 1);
  EXPECT_EQ(result.bad, 0) << base::probe(result).dump();
  ASSERT_EQ(sink.steps.size(), 2u);
  EXPECT_EQ(sink.steps[0].text, "1 of 1: row 22: instant on fake:2");
  EXPECT_EQ(sink.steps[0].part, 0.0);
  EXPECT_EQ(sink.steps[0].seconds_left, std::nullopt) << "nothing was judged that could say so";
  EXPECT_EQ(sink.steps[1].text, "");
  const auto said = base::probe(result);
  EXPECT_EQ(said["device"]["id"], "fake:1");
  EXPECT_EQ(said["bad"], 0);
  EXPECT_EQ(said["lines"][0]["state"], "caught");
  EXPECT_EQ(said["lines"][0]["specimen"], "instant");
}

// Half of the specimens would pass for all of them.
TEST(SelftestRequest, HasNoResultWhereItWasCancelled) {
  const FakePlace place;
  RecordingSink sink;
  sink.cancel();
  EXPECT_EQ(code_of([&] { selftest(place.request<SelftestRequest>(), sink); }),
            base::ExitCode::interrupted);
  EXPECT_TRUE(sink.steps.empty());
}

TEST(SelftestRequest, ListsTheGuardsWithWhatShowsThem) {
  const FakePlace place;
  const auto list = list_guards(place.request<CommonOptions>());
  const auto said = base::probe(list);
  ASSERT_EQ(said.size(), list.guards.size());
  const auto guards = said.items();
  const auto floor = std::find_if(guards.begin(), guards.end(),
                                  [](const auto& guard) { return guard["name"] == "floor"; });
  ASSERT_NE(floor, guards.end());
  EXPECT_EQ((*floor)["specimens"], "instant (fake)");
  EXPECT_EQ((*floor)["rows"], "22");
}

}  // namespace
}  // namespace hone::app
