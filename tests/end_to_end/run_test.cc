// `hone run` through the binary, in a laboratory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/json_probe.h"
#include "laboratory.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// The same model with other words in some places.
std::string model_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = laboratory_model;
  for (const auto& [from, to] : changes) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  return text;
}

// Its first experiment is a probe whose program is none; of its second, no candidate ever comes.
std::string clumsy_model() {
  return model_with(
      {{R"("innovation": 90, "kind": "kernel")", R"("innovation": 90, "kind": "probe")"},
       {"      *writer-3/try-1)", "      *writer-2/*) echo 'no idea' ;;\n      *writer-3/try-1)"}});
}

TEST(Run, GoesFromASeedToAFasterCandidateAndSaysSo) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe result(finished.out);
  EXPECT_EQ(result["state"], "finished");
  EXPECT_EQ(result["stopped"], "8 candidates were allowed");
  EXPECT_TRUE(result["certified"]);
  EXPECT_EQ(result["compared"]["word"], "faster");
  EXPECT_EQ(result["candidates"]["all"], 9) << "the seed and eight by the model";
  EXPECT_GE(result["candidates"]["failed"].number(), 1) << "the wrong one of the third writer";
  EXPECT_EQ(result["candidates"]["accepted"].number() + result["candidates"]["failed"].number(), 9)
      << "what was judged last is counted too";
  EXPECT_THAT(lab.asked(), Contains("g002/learner/try-1")) << "the cap fell into this generation";
}

TEST(Run, GoesOnFromTheBestOfSeveralFirstAttempts) {
  const Laboratory lab(model_with({{"      seed/*) kernel copy 900000000 ;;",
                                    "      seed/attempt-2/*) kernel copy 600000000 ;;\n"
                                    "      seed/*) kernel copy 900000000 ;;"}}));
  const auto finished = lab.hone.run(lab.words({"--json", "--attempts", "3"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const auto asked = lab.asked();
  for (const char* step : {"seed/attempt-1/try-1", "seed/attempt-2/try-1", "seed/attempt-3/try-1"})
    EXPECT_EQ(std::count(asked.begin(), asked.end(), step), 1) << step;
  const JsonProbe result(finished.out);
  EXPECT_EQ(result["candidates"]["all"], 9) << "they are among the eight that the model may write";
  EXPECT_NEAR(result["compared"]["ratio"].number(), 0.6, 0.01)
      << "600 ms beside the seed's 1 s: the loop found nothing faster";
}

TEST(Run, SendsAFailureBackToItsWriterWithTheEvidence) {
  const Laboratory lab;
  ASSERT_EQ(lab.hone.run(lab.words()).code, 0);
  EXPECT_THAT(lab.asked(), Contains("g001/writer-3/try-2"));
  auto archive = lab.archive();
  const auto run = store::list_runs(archive, 1)[0];
  for (const auto& call : store::calls_of(archive, run.id, true))
    if (call.start.step == "g001/writer-3/try-2") {
      EXPECT_THAT(call.start.prompt, HasSubstr("wrong"));
    }
}

TEST(Run, AsksNothingAgainWhenAFinishedRunIsResumed) {
  const Laboratory lab;
  const auto first = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(first.code, 0) << first.err;
  const auto asked = lab.asked();
  const auto again = lab.hone.run({"resume", JsonProbe(first.out)["run"], "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(lab.asked(), asked);
  EXPECT_EQ(JsonProbe(again.out)["best"], JsonProbe(first.out)["best"]);
}

TEST(Run, LearnsFromWhatFailedAndCountsItWhenItIsResumed) {
  const Laboratory lab(clumsy_model());
  const auto first = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string run = JsonProbe(first.out)["run"];
  const auto asked = lab.asked();
  EXPECT_EQ(lab.hone.run({"resume", run, "--json"}).code, 0);
  EXPECT_EQ(lab.asked(), asked) << "answers that became no candidate took their places for good";

  auto archive = lab.archive();
  int looked_at = 0;
  for (const auto& call : store::calls_of(archive, run, true))
    if (call.start.step == "g002/designer/try-1" || call.start.step == "g002/selector/try-1") {
      ++looked_at;
      EXPECT_THAT(call.start.prompt, HasSubstr("| two | kernel | no candidate: "));
      EXPECT_THAT(call.start.prompt, HasSubstr("| wrong: ")) << "the first try of the third writer";
      EXPECT_THAT(call.start.prompt, HasSubstr("A probe asked: one It came to no numbers: "));
    }
  EXPECT_EQ(looked_at, 2);
  const std::string report = lab.hone.run({"report", run}).out;
  EXPECT_THAT(report, HasSubstr("**unusable answer**"));
  EXPECT_THAT(report, HasSubstr("**probe without numbers**"));
}

TEST(Run, IsToldAfterwardsWithItsBestAndWhatChanged) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe result(finished.out);
  const std::string run = result["run"], file = lab.hone.folder() / "report.md";
  const JsonProbe summary(lab.hone.run({"report", run, "-o", file, "--json"}).out);
  EXPECT_TRUE(summary["certified"]);
  EXPECT_EQ(summary["members"].size(), 9u);
  EXPECT_EQ(summary["compared"]["word"], "faster");
  EXPECT_FALSE(summary["failures"].empty());
  EXPECT_FALSE(summary["findings"].empty());
  EXPECT_EQ(summary["members"].items().back()["experiment"]["gain"].kind(), "array");
  EXPECT_THAT(base::read_file(file), HasSubstr("+kernel copy(buffer, buffer) copy ns=700000000"));
  EXPECT_THAT(base::read_file(lab.hone.folder() / "report.svg"), HasSubstr("</svg>"));
  const std::string best = lab.hone.folder() / "best.fake";
  EXPECT_EQ(lab.hone.run({"best", run, "-o", best}).code, 0);
  EXPECT_THAT(base::read_file(best), HasSubstr("ns=700000000"));
  EXPECT_EQ(lab.hone.run({"best", run, "-o", best}).code, 0) << "the same text again";
  EXPECT_EQ(lab.hone.run({"report", run, "-o", file}).code, 0) << "the same report again";
  for (const auto& [command, place] :
       {std::pair<std::string, std::string>{"best", best}, {"report", file}}) {
    base::write_file_atomically(place, "my own work\n");
    const auto refused = lab.hone.run({command, run, "-o", place});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, AllOf(HasSubstr(place), HasSubstr("--force")));
    EXPECT_EQ(base::read_file(place), "my own work\n");
    EXPECT_EQ(lab.hone.run({command, run, "-o", place, "--force"}).code, 0);
    EXPECT_NE(base::read_file(place), "my own work\n");
  }
  EXPECT_EQ(JsonProbe(lab.hone.run({"diff", run + ":1", best, "--json"}).out)["compared"]["word"],
            "faster");
  EXPECT_EQ(JsonProbe(lab.hone.run({"runs", "--json"}).out)["runs"][0]["members"], 9);
}

TEST(Run, KeepsTheHardCapOnCalls) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--max-calls", "4"}));
  EXPECT_EQ(JsonProbe(finished.out)["stopped"], "4 calls were allowed") << finished.err;
  EXPECT_EQ(lab.asked().size(), 4u);
}

TEST(Run, EndsAtOnceWhereNoServerIsThere) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--llm.writer", "openai:m@http://127.0.0.1:1/v1"}));
  EXPECT_EQ(finished.code, 4) << finished.out << finished.err;
  EXPECT_THAT(finished.out + finished.err, HasSubstr("there is no connection to 127.0.0.1"));
  auto archive = lab.archive();
  EXPECT_LE(store::calls_of(archive, store::list_runs(archive, 1)[0].id, false).size(), 3u);
}

TEST(Run, RefusesABudgetThatNoCallFitsInto) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--llm.writer", "openai:m@http://127.0.0.1:1/v1",
                                                "--price.writer", "10,30", "--max-usd", "0.001"}));
  EXPECT_EQ(finished.code, 2) << finished.out << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("--max-usd"));
}

TEST(Run, SaysInPlainLinesWhomItAsksAndWhatItWaitsFor) {
  const Laboratory lab;
  const std::string mailbox = "mailbox:" + (lab.hone.folder() / "mail").string();
  // No answer ever comes: it is stopped as soon as it has asked.
  const std::string said = "translator asks " + mailbox + ": seed/translation/try-1\n";
  const auto finished =
      lab.hone.run_and_signal(lab.words({"--llm.writer", mailbox}), said, 1, SIGINT);
  EXPECT_EQ(finished.code, 130) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr(said));
}

// The library of OpenCL starts threads when devices are looked for, which is where no device is
// named.
TEST(Run, IsStoppedCleanlyByCtrlCWhereItLookedForADevice) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const std::filesystem::path specimens =
      std::filesystem::path(HONE_EXAMPLES).parent_path() / "resources/selftest";
  const Laboratory lab;
  const std::string mailbox = "mailbox:" + (lab.hone.folder() / "mail").string();
  const auto finished = lab.hone.run_and_signal({"run", specimens / "tasks/rowsum", "--seed",
                                                 specimens / "rowsum/honest.cl", "--llm", mailbox},
                                                "asks " + mailbox, 1, SIGINT);
  EXPECT_EQ(finished.code, 130) << finished.err;
  auto archive = lab.archive();
  const auto runs = store::list_runs(archive, 1);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].state, store::RunState::stopped);
  EXPECT_THAT(finished.out, HasSubstr("hone resume " + runs[0].id));
  EXPECT_EQ(finished.survivors, 0);
}

TEST(Run, WaitsForNobodyBeyondItsMinutesAndHasNoneLeftWhenResumed) {
  const Laboratory lab;
  const std::string mailbox = "mailbox:" + (lab.hone.folder() / "mail").string();
  const auto finished =
      lab.hone.run(lab.words({"--json", "--llm.writer", mailbox, "--max-minutes", "0.01"}));
  EXPECT_THAT(finished.code, testing::AnyOf(0, 1))
      << "whether the seed was judged within that time: " << finished.err;
  const JsonProbe first(finished.out);
  EXPECT_EQ(first["stopped"], "0.01 minutes were allowed");
  const auto calls = [&] {
    auto archive = lab.archive();
    return store::calls_of(archive, first["run"], false).size();
  };
  const auto before = calls();
  const JsonProbe again(lab.hone.run({"resume", first["run"], "--json"}).out);
  EXPECT_EQ(again["stopped"], "0.01 minutes were allowed");
  EXPECT_EQ(calls(), before);
}

TEST(Run, GoesOnByRuleWhereTheSelectorAndTheDesignerTalkNonsense) {
  const Laboratory lab;
  base::write_file_atomically(lab.hone.folder() / "nonsense.sh",
                              "#!/bin/sh\ncat > /dev/null\necho no idea\n");
  ::chmod((lab.hone.folder() / "nonsense.sh").c_str(), 0755);
  const std::string nonsense = "exec:" + (lab.hone.folder() / "nonsense.sh").string();
  const auto finished =
      lab.hone.run(lab.words({"--json", "--llm.selector", nonsense, "--llm.designer", nonsense}));
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(JsonProbe(finished.out)["compared"]["word"], "faster");
  EXPECT_THAT(lab.asked(), Contains("g001/writer-3/try-1"))
      << "each writer has the general experiment";
}

TEST(Run, OneshotsAreIndependentFirstAttempts) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--strategy", "oneshot"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (const auto& step : lab.asked()) EXPECT_THAT(step, HasSubstr("oneshot"));
  EXPECT_EQ(lab.asked().size(), 8u);
}

TEST(Run, OneshotsWithoutASeedAreAllFirstAttemptsToWhichNothingGoesBack) {
  const Laboratory lab;
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1",
                                      "--llm", "exec:" + (lab.hone.folder() / "model.sh").string(),
                                      "--strategy", "oneshot", "--max-candidates", "4", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const auto asked = lab.asked();
  EXPECT_EQ(asked.size(), 4u);
  for (const auto& step : asked)
    EXPECT_THAT(step, AllOf(HasSubstr("oneshot"), testing::EndsWith("try-1")));
  const JsonProbe said(finished.out);
  EXPECT_EQ(said["candidates"]["all"], 4);
  // The first that was accepted stands for the seed, unless it is the best itself.
  EXPECT_EQ(said["compared"] == nullptr, said["best"] == said["seed"]) << said.dump();
}

TEST(Run, KeepsWhatItIsGivenWhenItIsResumed) {
  const Laboratory lab;
  auto words = lab.words({"--json", "--time-limit", "77"});
  words[words.size() - 4] = "2";  // of --max-candidates
  const auto first = lab.hone.run(words);
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string run = JsonProbe(first.out)["run"];
  EXPECT_EQ(JsonProbe(first.out)["candidates"]["all"], 3);
  EXPECT_EQ(lab.hone.run({"resume", run, "--max-candidates", "3", "--device", "fake:1"}).code, 0);
  const auto asked = lab.asked();
  EXPECT_EQ(JsonProbe(lab.hone.run({"resume", run, "--json"}).out)["candidates"]["all"], 4);
  EXPECT_EQ(lab.asked(), asked) << "the three that were allowed are there";
  EXPECT_EQ(JsonProbe(lab.hone.run({"runs", run, "--json"}).out)["budget"]["candidates"], 3);
  auto archive = lab.archive();
  EXPECT_THAT(store::get_run(archive, run).settings, HasSubstr("\"time_limit\":77"));
  const auto other = lab.hone.run({"resume", run, "--device", "fake:0"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("times of two devices"));
}

TEST(Run, BeginsNoRunThatCouldNotEndWell) {
  const Laboratory lab;
  const std::string task = lab.hone.folder() / "copy";
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", task, "--device", "fake:1", "--llm", "exec:true"};
    words.insert(words.end(), more.begin(), more.end());
    const auto finished = lab.hone.run(words);
    EXPECT_NE(finished.code, 0);
    return finished.err;
  };
  EXPECT_THAT(refused({"--strategy", "oneshot"}), HasSubstr("--max-minutes"));
  EXPECT_THAT(refused({"--seed", lab.hone.folder() / "nothing.fake"}), HasSubstr("nothing.fake"));
  EXPECT_THAT(refused({"--executor", "foo:bar"}), HasSubstr("It is bundle:DIR"));
  EXPECT_FALSE(std::filesystem::exists(lab.hone.home() / "archive.db"));
}

TEST(Run, EstimatesInsideEveryCap) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--dry-run", "--max-calls", "5"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe estimate(finished.out);
  EXPECT_EQ(estimate["candidates"], 2) << "with a selector, a designer and a learner: five";
  EXPECT_THAT(estimate["assumptions"], HasSubstr("--max-calls 5"));
}

TEST(Run, EstimatesWithoutAskingAnybody) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--dry-run"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(JsonProbe(finished.out)["candidates"], 8);
  EXPECT_FALSE(std::filesystem::exists(lab.hone.folder() / "asked"));
}

TEST(Run, WithoutAModelItSaysHowToGetOne) {
  const Laboratory lab;
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("The three easiest ways"));
  const auto as_json =
      lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--json"});
  EXPECT_EQ(JsonProbe(as_json.out)["error"]["kind"], "usage");
}

TEST(Run, WithoutAModelADryRunTunesNothing) {
  const Laboratory lab;
  const std::string tunable = lab.hone.folder() / "tunable.fake";
  std::string source = laboratory_seed;
  source.insert(source.find("*/"), "[tune]\nA = { values = [1, 2], default = 1 }\n");
  base::write_file_atomically(tunable, source);
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1",
                                      "--seed", tunable, "--dry-run", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(JsonProbe(finished.out)["would_tune"], tunable);
  EXPECT_FALSE(std::filesystem::exists(lab.hone.home() / "archive.db"));
}

TEST(Run, TakesWordsThatAreNotUtf8) {
  const Laboratory lab;
  const std::string odd = lab.hone.folder() / "seed\xe9.fake";
  base::write_file_atomically(odd, laboratory_seed);
  const auto finished =
      lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--seed", odd, "--llm",
                    "exec:" + (lab.hone.folder() / "model.sh").string() + " \xe9",
                    "--max-candidates", "1", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
}

TEST(Run, WillNotSpendDollarsOnAModelWhosePriceIsNotKnown) {
  const Laboratory lab;
  const auto finished =
      lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--llm",
                    "openai:unknown-model@http://127.0.0.1:9/v1", "--max-usd", "1"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("--price"));
}

}  // namespace
}  // namespace hone::end_to_end
