// `hone tune` through the binary, on the fake GPU: its times are what the kernel says, so every run
// of a test is the same run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <set>

#include "base/json_probe.h"
#include "copy_task.h"
#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;

struct Kernel {
  std::string behaviour = "", where = "[]", a = "1", b = "1";  // the defaults of A and B
};

// Best at A = 8, B = 2; the time is seconds, so that no clock of a loaded machine comes near it.
std::string text_of(const Kernel& kernel) {
  return "/* hone 1\nwhere = " + kernel.where +
         "\n[tune]\nA = { values = [1, 2, 4, 8], default = " + kernel.a +
         " }\nB = { values = [1, 2, 4], default = " + kernel.b + R"( }
[[launch]]
kernel = "copy"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel copy(buffer, buffer) copy ns=1000000000*(1+max(A-8,8-A)+max(B-2,2-B)) )" +
         kernel.behaviour + "\n";
}

// A home, a task and a kernel of a test's own.
struct RunParts {
  explicit RunParts(const Kernel& kernel = {}) {
    write_copy_task(task());
    base::write_file_atomically(hone.folder() / "copy/seed.fake", text_of(kernel));
  }
  std::string task() const { return hone.folder() / "copy"; }
  std::string result() const { return hone.folder() / "copy/seed.tuned.fake"; }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"tune", task(), hone.folder() / "copy/seed.fake", "--device",
                                    "fake:1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Finished tune(std::vector<std::string> more = {}) const {
    return hone.run(words(std::move(more)));
  }
  JsonProbe tune_json(std::vector<std::string> more = {}) const {
    more.push_back("--json");
    const Finished finished = tune(std::move(more));
    EXPECT_EQ(finished.code, 0) << finished.err;
    return JsonProbe(finished.out);
  }
  // The points of all screenings in the archive, as text, newest first.
  std::vector<std::string> screened() const {
    std::vector<std::string> points;
    const JsonProbe log(hone.run({"log", "--json", "--limit", "1000"}).out);
    for (const auto& line : log["evaluations"].items())
      if (line["depth"] == "screen") points.push_back(line["point"].dump());
    return points;
  }

  Hone hone;
};

constexpr const char* best_point = R"({"A":8,"B":2})";

TEST(Tune, FindsTheBestPointCertifiesItAndWritesItDown) {
  const RunParts here;
  const JsonProbe result = here.tune_json();
  EXPECT_EQ(result["winner"].dump(), best_point);
  EXPECT_EQ(result["points"]["done"], 12);
  EXPECT_EQ(result["certified"]["outcome"], "accepted");
  EXPECT_EQ(result["certified"]["key"]["depth"], "certify");
  EXPECT_EQ(result["compared"]["word"], "faster");
  EXPECT_NEAR(result["compared"]["ratio"].number(), 1.0 / 9, 1e-6);
  const std::string written = base::read_file(here.result());
  EXPECT_EQ(written, text_of({.a = "8", .b = "2"}));
  const std::string hash = result["certified"]["key"]["candidate"];
  EXPECT_THAT(here.hone.run({"show", hash}).out, HasSubstr("seed.fake"));  // its parent
}

TEST(Tune, SaysHonestlyThatNothingBeatTheDefault) {
  const RunParts here({.a = "8", .b = "2"});
  const auto finished = here.tune();
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("no other point came near the default"));
  EXPECT_FALSE(std::filesystem::exists(here.result()));
}

TEST(Tune, TreatsFailedPointsAsData) {
  const RunParts here(
      {.behaviour =
           "after=max(0,100000*(A-7)) nan"});  // wrong from the first call on, unless A is 8
  const JsonProbe result = here.tune_json();
  EXPECT_EQ(result["points"]["failed"], 9);
  EXPECT_EQ(result["winner"].dump(), best_point);
  EXPECT_EQ(result["compared"],
            nullptr);  // the default was not accepted: there is nothing to compare with
}

TEST(Tune, WhereEveryPointFailsSaysSoAndExitsWithOne) {
  const RunParts here({.behaviour = "nan"});
  const auto finished = here.tune();
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.out, HasSubstr("no point was accepted"));
  EXPECT_FALSE(std::filesystem::exists(here.result()));
}

TEST(Tune, RefusesASpaceThatWhereEmpties) {
  const auto finished = RunParts({.where = R"(["A > 100"])"}).tune();
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("satisfies its `where`"));
}

TEST(Tune, RefusesAnOutputItCouldNotWriteBeforeItMeasuresAnything) {
  const RunParts here;
  EXPECT_EQ(here.tune({"--out", "/nowhere/result.fake"}).code, 4);
  EXPECT_EQ(here.tune({"--out", here.task() + "/result.cl"}).code, 2);
  EXPECT_TRUE(here.screened().empty());
}

TEST(Tune, KeepsAnEarlierResultThatIsNoSlower) {
  const RunParts here;
  ASSERT_EQ(here.tune().code, 0);
  const std::string best = base::read_file(here.result());
  const JsonProbe poorer = here.tune_json({"--fresh", "--max-evals", "5"});
  EXPECT_EQ(base::read_file(here.result()), best);
  EXPECT_THAT(poorer["conclusion"], HasSubstr("stays as it is"));
  here.tune_json({"--fresh", "--max-evals", "5", "--force"});
  EXPECT_NE(base::read_file(here.result()), best);
  here.tune_json({"--fresh"});
  EXPECT_EQ(base::read_file(here.result()), best)
      << "a faster result takes the place of a slower one";
}

TEST(Tune, NeverOverwritesWhatAPersonHasChanged) {
  const RunParts here;
  ASSERT_EQ(here.tune().code, 0);
  const std::string edited = base::read_file(here.result()) + "// mine\n";
  base::write_file_atomically(here.result(), edited);
  const auto refused = here.tune({"--fresh"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(base::read_file(here.result()), edited);
}

TEST(Tune, ResumesNothingWhereThereIsNothingToResume) {
  const auto finished = RunParts().tune({"--resume"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("no unfinished tuning run"));
}

TEST(Tune, StopsAtItsBudgetAndGoesOnWithALargerOne) {
  const RunParts here;
  const JsonProbe first = here.tune_json({"--max-evals", "5"});
  EXPECT_EQ(first["points"]["done"], 5);
  EXPECT_EQ(here.screened().size(), 5u);
  const JsonProbe second = here.tune_json({"--max-evals", "12"});
  EXPECT_EQ(second["run"], first["run"]);
  EXPECT_EQ(second["points"]["known"], 5);
  const auto report = here.hone.run({"report", first["run"]});
  EXPECT_EQ(report.code, 3);
  EXPECT_THAT(report.err, HasSubstr("is a tuning run"));
  EXPECT_EQ(second["winner"].dump(), best_point);
  EXPECT_EQ(here.screened().size(), 12u);
}

TEST(Tune, BeginsAgainWhenToldTo) {
  const RunParts here;
  const JsonProbe first = here.tune_json({"--max-evals", "2"});
  const JsonProbe second = here.tune_json({"--max-evals", "2", "--fresh"});
  EXPECT_NE(second["run"], first["run"]);
  EXPECT_EQ(second["points"]["known"], 0);
}

TEST(Tune, InterruptedEndsAfterThePointInFlightAndCanBeResumed) {
  const RunParts here;
  const auto interrupted = here.hone.run_and_signal(here.words(), "/12 points", 3, SIGINT);
  EXPECT_EQ(interrupted.code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.out, HasSubstr("goes on from here"));
  const auto known = here.screened().size();
  EXPECT_GE(known, 3u);
  const JsonProbe result = here.tune_json({"--resume"});
  EXPECT_EQ(result["points"]["known"], known);
  EXPECT_EQ(result["winner"].dump(), best_point);
}

TEST(Tune, InterruptedWhileTheWinnerIsCertifiedCanBeResumed) {
  const RunParts here;
  EXPECT_EQ(here.hone.run_and_signal(here.words(), "certifying", 1, SIGINT).code, 130);
  EXPECT_FALSE(std::filesystem::exists(here.result()));
  const JsonProbe result = here.tune_json();
  EXPECT_EQ(result["points"]["known"], 12);
  EXPECT_EQ(result["winner"].dump(), best_point);
}

TEST(Tune, KilledAtAnyMomentGoesOnWithoutMeasuringAnythingTwice) {
  const RunParts undisturbed;
  const JsonProbe whole = undisturbed.tune_json();
  struct Moment {
    std::string mark;
    int count;
  };
  for (const auto& [mark, count] :
       {Moment{"/12 points", 1}, {"/12 points", 5}, {"/12 points", 12}, {"certifying", 1}}) {
    const RunParts here;
    here.hone.run_and_signal(here.words(), mark, count, SIGKILL);
    const auto before = here.screened();
    if (mark == "/12 points") {
      EXPECT_GE(before.size(), static_cast<std::size_t>(count))
          << "a point was reported before it was recorded";
    }
    const JsonProbe result = here.tune_json();
    const auto points = here.screened();
    EXPECT_EQ(std::set(points.begin(), points.end()).size(), points.size())
        << "a point was measured twice";
    EXPECT_EQ(points, undisturbed.screened());
    EXPECT_EQ(result["points"]["known"], before.size());
    for (const char* same : {"winner", "strategy", "conclusion"})
      EXPECT_EQ(result[same], whole[same]);
    EXPECT_EQ(result["certified"]["key"]["candidate"], whole["certified"]["key"]["candidate"]);
    EXPECT_EQ(base::read_file(here.result()), base::read_file(undisturbed.result()));
  }
}

}  // namespace
}  // namespace hone::end_to_end
