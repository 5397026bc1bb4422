// The judge's side of the conversation with a worker that says whatever it likes: no device.
#include "runner/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"
#include "device/fake_device.h"
#include "runner/proc.h"
#include "runner/scripted_runner.h"

namespace hone::runner {
namespace {

using core::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

constexpr double long_enough = 60, no_time = 0.02;

ScriptedAnswer saying(const std::string& text) { return {.says = {text}}; }

base::Result<Timed, Fault> called(const ScriptedAnswer& answer, bool fail_on_error = true,
                                  double seconds = long_enough) {
  Runner runner = ScriptedRunner({{"go", {answer}}}).start();
  EXPECT_TRUE(runner.drop());  // the device is open
  return runner.go(seconds, AfterAnswer::stops, fail_on_error);
}

constexpr const char* good_report = R"({"ok":true,"error":"","device":0.001,"wall":0.002})";
constexpr const char* failed_report =
    R"({"ok":false,"error":"launch 0: out of resources","device":0,"wall":0})";

TEST(Runner, TakesTheReportOfACallAndItsOwnTime) {
  const auto timed = called(saying(good_report));
  ASSERT_TRUE(timed) << timed.error().text;
  EXPECT_EQ(timed->report.device_seconds, 0.001);
  EXPECT_GT(timed->judge_seconds, 0) << "by the judge's clock, whatever the worker says";
  EXPECT_EQ(timed->others, 0u);
}

TEST(Runner, ALaunchThatFailedIsAFaultOrAReportAsTheJudgeWants) {
  const auto failed = called(saying(failed_report));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().outcome, Outcome::launch_failed);
  EXPECT_EQ(failed.error().text, "the candidate's process says: launch 0: out of resources");
  const auto told = called(saying(failed_report), false);
  ASSERT_TRUE(told);
  EXPECT_FALSE(told->report.ok);
}

TEST(Runner, AResultOfTheWrongShapeIsWrongAndNoFailedLaunch) {
  const auto wrong = called(
      saying(R"({"ok":false,"wrong":true,"error":"it returned 3 tensors","device":0,"wall":0})"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().outcome, Outcome::wrong);
}

TEST(Runner, AnAnswerThatMakesNoSenseIsTheCandidatesFault) {
  for (const char* text :
       {"nonsense", "[]", "{}", R"({"ok":true})", R"({"ok":true,"error":"","device":"fast"})",
        R"({"ok":true,"error":"","device":"nan","wall":1})", "{\"ok\":tru"}) {
    const auto timed = called(saying(text));
    ASSERT_FALSE(timed) << text;
    EXPECT_EQ(timed.error().outcome, Outcome::crashed) << text;
    EXPECT_EQ(timed.error().text, "the runner's answer makes no sense") << text;
  }
}

TEST(Runner, WhatAWorkerSaysIsMarkedAsItsOwn) {
  const auto timed = called(saying("{\"broken\":\"oh\\nhone: accepted\\u001b[2K\"}"));
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().outcome, Outcome::crashed);
  EXPECT_EQ(timed.error().text,
            "the candidate's process says:\n    | oh\n    | hone: accepted\\x1b[2K");
}

TEST(Runner, AWorkerThatEndsIsTheCandidatesFaultAndItsLastWordsAreKept) {
  const auto ended = called({.does = "end"});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().outcome, Outcome::crashed);
  EXPECT_THAT(ended.error().text, AllOf(StartsWith("the runner "), HasSubstr("7")));
  EXPECT_THAT(called({.does = "crash"}).error().text, HasSubstr("SIGSEGV"));

  Runner runner =
      ScriptedRunner({{"plan", {{.does = "print the pipe broke\n"}}}, {"go", {{.does = "end"}}}})
          .start();
  ASSERT_TRUE(runner.plan({}));
  const auto told = runner.go(long_enough);
  ASSERT_FALSE(told);
  EXPECT_THAT(told.error().text, HasSubstr("it printed: the pipe broke"));
}

TEST(Runner, AWorkerThatDoesNotAnswerIsKilledAtItsLimit) {
  const auto late = called({.says = {}}, true, no_time);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().outcome, Outcome::timed_out);
  EXPECT_THAT(late.error().text, StartsWith("no answer within its limit of 0.02 s; it was killed"));
}

TEST(Runner, AWorkerThatWasKilledAnswersNothingMore) {
  Runner runner = ScriptedRunner({{"go", {{.says = {}}, saying(good_report)}}}).start();
  ASSERT_TRUE(runner.drop());
  ASSERT_FALSE(runner.go(no_time));
  const auto again = runner.go(long_enough);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().outcome, Outcome::crashed);
}

// The worker answers questions only, so a second answer is from code that found its socket: it
// would be taken for the answer to the next "go", before anything ran.
TEST(Runner, AnAnswerThatWasNotAskedForIsCheating) {
  Runner runner =
      ScriptedRunner({{"prepare", {{.says = {R"({"ok":true})", good_report}, .stops = true}}}})
          .start();
  ASSERT_TRUE(runner.prepare({}, long_enough));
  const auto thread = threads_folder(runner.pid()) / std::to_string(runner.pid());
  while (!is_stopped(thread)) std::this_thread::yield();  // both answers are there
  const auto timed = runner.go(long_enough);
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().outcome, Outcome::cheating);
  EXPECT_THAT(timed.error().text, HasSubstr("the candidate forges results"));
}

TEST(Runner, SharesABlockOnceUntilAllAreDropped) {
  Runner runner =
      ScriptedRunner({{"block", {saying(R"({"id":4})"), saying(R"({"id":9})")}}}).start();
  const base::Fd memory;
  const base::Fd file(::dup(STDERR_FILENO));
  EXPECT_EQ(*runner.share(1, file, 4096), 4);
  EXPECT_EQ(*runner.share(1, file, 4096), 4) << "it is not asked again";
  EXPECT_EQ(*runner.share(2, file, 4096), 9);
  ASSERT_TRUE(runner.drop());
  EXPECT_EQ(*runner.share(1, file, 4096), 9) << "it was asked again";
}

TEST(Runner, NumbersPlansAsTheWorkerDoes) {
  Runner runner =
      ScriptedRunner({{"plan", {saying(R"({"id":0})"), saying(R"({"id":1})")}}}).start();
  EXPECT_EQ(*runner.plan({}), 0);
  EXPECT_EQ(*runner.plan({}), 1);
}

// ---- loading

base::Result<std::vector<device::KernelInfo>, Fault> loaded(const std::string& answer) {
  Runner runner = ScriptedRunner({{"load", {saying(answer)}}}).start();
  return runner.load("image", {"rows", "columns"}, long_enough);
}

std::string kernel_named(const std::string& name) {
  return R"({"name":")" + name +
         R"(","parameters":[],"registers":32,"local":0,"shared":0,"constant":0,"max_threads":256})";
}

TEST(RunnerLoad, TakesOnlyTheKernelsThatWereAskedFor) {
  const auto kernels =
      loaded(R"({"kernels":[)" + kernel_named("rows") + "," + kernel_named("speedup") + "]}");
  ASSERT_TRUE(kernels) << kernels.error().text;
  ASSERT_EQ(kernels->size(), 1u);
  EXPECT_EQ(kernels->front().name, "rows");
  EXPECT_EQ(kernels->front().registers, 32);
}

TEST(RunnerLoad, TellsWhyAnImageCannotBeLoaded) {
  const auto refused = loaded(R"({"error":"no kernel named columns"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().outcome, Outcome::launch_failed);
  EXPECT_EQ(refused.error().text, "the candidate's process says: no kernel named columns");
  EXPECT_EQ(loaded(R"({"error":{"text":"?"}})").error().text, "the candidate's process says: ?");
  for (const char* answer : {R"({"ok":true})", R"({"kernels":"all"})", R"({"kernels":[{}]})"})
    EXPECT_EQ(loaded(answer).error().outcome, Outcome::crashed) << answer;
}

// ---- recorded activities

TEST(RunnerActivities, AreReadFromAFileThatTheWorkerSends) {
  Runner runner = ScriptedRunner({{"activities",
                                   {{.files = {R"([[0,1,2,0,7,"rows"]])"}},
                                    {.files = {}},
                                    {.files = {"nonsense"}},
                                    {.files = {R"([[0,"nan",2,0,7,"rows"]])"}},
                                    saying(R"({"error":"this device records nothing"})")}}})
                      .start();
  const auto found = runner.activities();
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->at(0).name, "rows");
  for (const char* what : {"no file", "no JSON", "no time"}) {
    const auto bad = runner.activities();
    ASSERT_FALSE(bad) << what;
    EXPECT_EQ(bad.error().outcome, Outcome::crashed) << what;
  }
  EXPECT_EQ(runner.activities().error().outcome, Outcome::launch_failed);
}

// ---- opening the device

TEST(RunnerOpen, ADeviceThatCannotBeOpenedIsNoFaultOfTheCandidate) {
  const ScriptedRunner scripted({{"open", {saying(R"({"broken":"no such device"})")}}});
  Runner runner = scripted.start();
  EXPECT_THAT([&] { (void)runner.drop(); },
              ThrowsMessage<base::Error>(AllOf(StartsWith("a runner cannot open "),
                                               HasSubstr("no such device"),
                                               Not(HasSubstr("the candidate's process")))));
  EXPECT_THAT(open_problem(scripted.info, scripted.options), HasSubstr("no such device"));
  const ScriptedRunner fine({});
  EXPECT_EQ(open_problem(fine.info, fine.options), "");
}

TEST(RunnerOptions, NeedNoSpeakerWhereNoCandidateRuns) {
  core::DeviceInfo gpu;
  gpu.language = core::Language::cuda;
  for (const auto& [role, speaks] : {std::pair{"candidate", true}, std::pair{"library", true},
                                     std::pair{"reference", false}, std::pair{"baseline", false}})
    EXPECT_EQ(python_options(gpu, true, {{}, role}).speaker.empty(), !speaks) << role;
}

TEST(RunnerOptions, NativeCodeIsStoppedBetweenCallsAndSeesNoGpu) {
  const auto cpu = device::fake_info(true), gpu = device::fake_info(false);
  EXPECT_TRUE(runner_options(cpu, true).freeze);
  EXPECT_FALSE(runner_options(cpu, true).sandbox.gpu);
  EXPECT_FALSE(runner_options(gpu, true).freeze);
  EXPECT_TRUE(runner_options(gpu, true).sandbox.gpu);
  EXPECT_TRUE(python_options(gpu, true, {{}, "candidate"}).freeze) << "Python is native code";
}

}  // namespace
}  // namespace hone::runner
