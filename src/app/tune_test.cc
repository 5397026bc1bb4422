#include "app/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/test_support.h"
#include "base/json_probe.h"
#include "store/evaluations.h"
#include "text/format.h"

namespace hone::app {
namespace {

// As the command line prints it.
std::string time_left(const run::TuneStatus& status, double seconds, double most_seconds) {
  const auto left = seconds_left(status, seconds, most_seconds);
  return left ? text::format_time_left(*left) : "";
}

TEST(TuneStatus, SaysHowLongTheSearchWillStillTake) {
  run::TuneStatus status;
  status.total = 40;
  status.done = 1;
  EXPECT_EQ(time_left(status, 5, 0), "") << "one point says little";
  status.done = 10;
  EXPECT_EQ(time_left(status, 20, 0), "about 60 s left");
  EXPECT_EQ(time_left(status, 200, 0), "about 10 min left");
  EXPECT_EQ(time_left(status, 200, 230), "about 30 s left") << "the minutes that were given end it";
  status.known = 5;
  EXPECT_EQ(time_left(status, 20, 0), "about 2 min left")
      << "what came from the archive took no time";
  status.allowed = 12;
  EXPECT_EQ(time_left(status, 20, 0), "about 8 s left");
  status.done = 12;
  EXPECT_EQ(time_left(status, 20, 0), "");
  status.total.reset();
  status.allowed = 0;
  EXPECT_EQ(time_left(status, 20, 0), "") << "the end of a local search is not known";
}

TEST(TuneStatus, KnowsWhichPartIsDoneWhereTheNumberOfPointsIsKnown) {
  run::TuneStatus status;
  status.done = 10;
  EXPECT_EQ(part_done(status), std::nullopt);
  status.total = 40;
  EXPECT_EQ(part_done(status), 0.25);
  status.allowed = 20;
  EXPECT_EQ(part_done(status), 0.5);
  status.done = 21;  // a run that was resumed with a smaller budget
  EXPECT_EQ(part_done(status), 1.0);
}

// The default, A = 4, is the best point, so that nothing is certified: a fresh process would be
// this test once more.
constexpr const char* tunable = R"(/* hone 1
[tune]
A = { values = [1, 2, 4, 8], default = 4 }
[[launch]]
kernel = "run"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel run(buffer, buffer) copy ns=1000000000*(1+max(A-4,4-A))
)";

struct Tune : testing::Test {
  FakePlace place;
  RecordingSink sink;
  TuneRequest request = place.request<TuneRequest>();

  Tune() {
    request.task = place.task_name();
    request.candidate = place.write("kernel.fake", tunable);
  }
};

TEST_F(Tune, TriesEveryPointAndSaysHowFarItIs) {
  const auto result = tune(request, sink);
  EXPECT_EQ(result.tuning.status.done, 4u);
  EXPECT_FALSE(result.tuning.interrupted);
  EXPECT_FALSE(std::filesystem::exists(place.path() / "kernel.tuned.fake"));
  ASSERT_EQ(sink.said.size(), 5u) << "the search, and a line for each point";
  EXPECT_THAT(sink.said[0], testing::HasSubstr("tuning run " + result.tuning.run));
  for (int point = 1; point <= 4; ++point)
    EXPECT_THAT(sink.said[static_cast<std::size_t>(point)],
                testing::StartsWith(std::to_string(point) + "/4 points"));
  std::vector<double> parts;
  for (const auto& step : sink.steps)
    if (step.part) parts.push_back(*step.part);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_THAT(parts, testing::Contains(0.75));
  const auto said = base::probe(result);
  EXPECT_EQ(said["points"]["done"], 4);
  EXPECT_EQ(said["default"]["point"]["A"], 4);
  EXPECT_EQ(said["device"]["id"], "fake:1");
  for (const char* none : {"winner", "certified", "compared", "written"})
    EXPECT_EQ(said[none], nullptr) << none;
}

TEST_F(Tune, EndsAfterThePointInFlightOnceItIsCancelledAndGoesOnLater) {
  sink.after_say = [&] {
    if (sink.said.size() == 3) sink.cancel();  // after the second point
  };
  const auto first = tune(request, sink);
  EXPECT_TRUE(first.tuning.interrupted);
  EXPECT_EQ(first.tuning.status.done, 2u);
  EXPECT_EQ(base::probe(first)["interrupted"], true);
  RecordingSink undisturbed;
  request.start = run::TuneOptions::Start::resume;
  const auto second = tune(request, undisturbed);
  EXPECT_EQ(second.tuning.run, first.tuning.run);
  EXPECT_EQ(second.tuning.status.known, 2u);
  EXPECT_EQ(second.tuning.status.done, 4u);
}

TEST_F(Tune, RefusesAnOutputItCouldNotWriteBeforeItMeasuresAnything) {
  request.out = "/nowhere/result.fake";
  EXPECT_EQ(code_of([&] { tune(request, sink); }), base::ExitCode::environment);
  request.out = place.path() / "result.cl";
  EXPECT_EQ(code_of([&] { tune(request, sink); }), base::ExitCode::usage);
  EXPECT_TRUE(sink.steps.empty());
}

TEST(TuneJson, HasComparisonsAsTheArchiveHasThem) {
  TuneResult result;
  store::ComparisonRecord final;
  final.id = "0123456789ab";
  final.word = core::Comparison::faster;
  final.b = {"hash", {{"A", 8}}};
  final.cases = {{"main", 0.5, {0.4, 0.6}, {0.5, 0.5, 0.5}}};
  result.tuning.finals = {final};
  const auto said = base::probe(result)["finals"][0];
  EXPECT_EQ(said["id"], "0123456789ab");
  EXPECT_EQ(said["b"]["point"]["A"], 8);
  EXPECT_EQ(said["word"], "faster");
  EXPECT_EQ(said["cases"][0]["rounds"].size(), 3u);
}

}  // namespace
}  // namespace hone::app
