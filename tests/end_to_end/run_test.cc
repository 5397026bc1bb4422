// `hone run` through the binary: a model that is a shell script, on the fake GPU, whose times are what the kernels say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "copy_task.h"
#include "hone_binary.h"
#include "store/profiles.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

// Answers by role and step, and writes down every question it is asked. The first writer of the first generation finds
// something; the third writer is wrong at its first try.
constexpr const char* model = R"sh(#!/bin/sh
cat > /dev/null
echo "$HONE_STEP" >> "$ASKED"
kernel() {
  printf '```\n/* hone 1\n[[launch]]\nkernel = "copy"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n*/\nkernel copy(buffer, buffer) %s ns=%s\n```\n## Report\nThe time is another.\n' "$1" "$2"
}
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "the first is as good as any"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "two", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel"},
    {"description": "three", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "four", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "five", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": ["Copies are quicker when they say so."], "reports": []}' ;;
  writer)
    case $HONE_STEP in
      *writer-3/try-1) kernel zeros 100 ;;
      seed/*) kernel copy 900000000 ;;
      *) generation=$(echo "$HONE_STEP" | sed 's/^g0*\([0-9]*\).*/\1/')
         writer=$(echo "$HONE_STEP" | sed 's/[^-]*-0*\([0-9]*\).*/\1/')
         if [ "$generation" = 1 ] && [ "$writer" = 1 ]; then kernel copy 700000000; else kernel copy $((2000000000 + 10000000 * generation + 1000000 * writer)); fi ;;
    esac ;;
esac
)sh";

constexpr const char* seed = R"(/* hone 1
[[launch]]
kernel = "copy"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel copy(buffer, buffer) copy ns=1000000000
)";

// The same model with other words in some places.
std::string model_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = model;
  for (const auto& [from, to] : changes) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  return text;
}

// Its first experiment is a probe whose program is none; of its second, no candidate ever comes.
std::string clumsy_model() {
  return model_with({{R"("innovation": 90, "kind": "kernel")", R"("innovation": 90, "kind": "probe")"},
                     {"      *writer-3/try-1)", "      *writer-2/*) echo 'no idea' ;;\n      *writer-3/try-1)"}});
}

struct Laboratory {
  explicit Laboratory(const std::string& script = model) {
    write_copy_task(hone.folder() / "copy");
    base::write_file_atomically(hone.folder() / "seed.fake", seed);
    base::write_file_atomically(hone.folder() / "model.sh", script);
    ::chmod((hone.folder() / "model.sh").c_str(), 0755);
    hone.set("ASKED", hone.folder() / "asked");
  }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"run",
                                    hone.folder() / "copy",
                                    "--device",
                                    "fake:1",
                                    "--seed",
                                    hone.folder() / "seed.fake",
                                    "--llm",
                                    "exec:" + (hone.folder() / "model.sh").string(),
                                    "--max-candidates",
                                    "8"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> asked() const {
    std::vector<std::string> steps;
    std::istringstream lines(base::read_file(hone.folder() / "asked"));
    for (std::string line; std::getline(lines, line);) steps.push_back(line);
    return steps;
  }
  store::Archive archive() const { return store::Archive::open(hone.home() / "archive.db"); }

  Hone hone;
};

TEST(Run, GoesFromASeedToAFasterCandidateAndSaysSo) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const json result = json::parse(finished.out);
  EXPECT_EQ(result["state"], "finished");
  EXPECT_EQ(result["stopped"], "8 candidates were allowed");
  EXPECT_TRUE(result["certified"]);
  EXPECT_EQ(result["compared"]["word"], "faster");
  EXPECT_EQ(result["candidates"]["all"], 9) << "the seed and eight by the model";
  EXPECT_GE(result["candidates"]["failed"], 1) << "the wrong one of the third writer";
  EXPECT_EQ(result["candidates"]["accepted"].get<int>() + result["candidates"]["failed"].get<int>(), 9)
      << "what was judged last is counted too";
  EXPECT_THAT(lab.asked(), Contains("g002/learner/try-1")) << "the cap fell into this generation";
}

TEST(Run, SendsAFailureBackToItsWriterWithTheEvidence) {
  const Laboratory lab;
  ASSERT_EQ(lab.hone.run(lab.words()).code, 0);
  EXPECT_THAT(lab.asked(), Contains("g001/writer-3/try-2"));
  auto archive = lab.archive();
  const auto run = store::list_runs(archive, 1).at(0);
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
  const auto again = lab.hone.run({"resume", json::parse(first.out)["run"], "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(lab.asked(), asked);
  EXPECT_EQ(json::parse(again.out)["best"], json::parse(first.out)["best"]);
}

TEST(Run, LearnsFromWhatFailedAndCountsItWhenItIsResumed) {
  const Laboratory lab(clumsy_model());
  const auto first = lab.hone.run(lab.words({"--json"}));
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string run = json::parse(first.out)["run"];
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
  const json result = json::parse(finished.out);
  const std::string run = result["run"], file = lab.hone.folder() / "report.md";
  const json story = json::parse(lab.hone.run({"report", run, "-o", file, "--json"}).out);
  EXPECT_TRUE(story["certified"]);
  EXPECT_EQ(story["members"].size(), 9u);
  EXPECT_EQ(story["compared"]["word"], "faster");
  EXPECT_FALSE(story["failures"].empty());
  EXPECT_FALSE(story["findings"].empty());
  EXPECT_TRUE(story["members"].back()["experiment"]["gain"].is_array());
  EXPECT_THAT(base::read_file(file), HasSubstr("+kernel copy(buffer, buffer) copy ns=700000000"));
  EXPECT_THAT(base::read_file(lab.hone.folder() / "report.svg"), HasSubstr("</svg>"));
  const std::string best = lab.hone.folder() / "best.fake";
  EXPECT_EQ(lab.hone.run({"best", run, "-o", best}).code, 0);
  EXPECT_THAT(base::read_file(best), HasSubstr("ns=700000000"));
  EXPECT_EQ(json::parse(lab.hone.run({"diff", run + ":1", best, "--json"}).out)["compared"]["word"], "faster");
  EXPECT_EQ(json::parse(lab.hone.run({"runs", "--json"}).out)["runs"][0]["members"], 9);
}

TEST(Run, KeepsTheHardCapOnCalls) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--max-calls", "4"}));
  EXPECT_EQ(json::parse(finished.out)["stopped"], "4 calls were allowed") << finished.err;
  EXPECT_EQ(lab.asked().size(), 4u);
}

TEST(Run, SaysInPlainLinesWhomItAsksAndWhatItWaitsFor) {
  const Laboratory lab;
  const std::string mailbox = "mailbox:" + (lab.hone.folder() / "mail").string();
  const auto finished = lab.hone.run(lab.words({"--llm.writer", mailbox, "--max-minutes", "0.01"}));
  EXPECT_THAT(finished.err, HasSubstr("translator asks " + mailbox + ": seed/translation/try-1\n"));
}

TEST(Run, WaitsForNobodyBeyondItsMinutesAndHasNoneLeftWhenResumed) {
  const Laboratory lab;
  const std::string mailbox = "mailbox:" + (lab.hone.folder() / "mail").string();
  const auto finished = lab.hone.run(lab.words({"--json", "--llm.writer", mailbox, "--max-minutes", "0.01"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const json first = json::parse(finished.out);
  EXPECT_EQ(first["stopped"], "0.01 minutes were allowed");
  const auto calls = [&] {
    auto archive = lab.archive();
    return store::calls_of(archive, first["run"], false).size();
  };
  const auto before = calls();
  const json again = json::parse(lab.hone.run({"resume", first["run"], "--json"}).out);
  EXPECT_EQ(again["stopped"], "0.01 minutes were allowed");
  EXPECT_EQ(calls(), before);
}

TEST(Run, GoesOnByRuleWhereTheSelectorAndTheDesignerTalkNonsense) {
  const Laboratory lab;
  base::write_file_atomically(lab.hone.folder() / "nonsense.sh", "#!/bin/sh\ncat > /dev/null\necho no idea\n");
  ::chmod((lab.hone.folder() / "nonsense.sh").c_str(), 0755);
  const std::string nonsense = "exec:" + (lab.hone.folder() / "nonsense.sh").string();
  const auto finished = lab.hone.run(lab.words({"--json", "--llm.selector", nonsense, "--llm.designer", nonsense}));
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out)["compared"]["word"], "faster");
  EXPECT_THAT(lab.asked(), Contains("g001/writer-3/try-1")) << "each writer has the general experiment";
}

TEST(Run, OneshotsAreIndependentFirstAttempts) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--strategy", "oneshot"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (const auto& step : lab.asked()) EXPECT_THAT(step, HasSubstr("oneshot"));
  EXPECT_EQ(lab.asked().size(), 8u);
}

TEST(Run, OneshotsWithoutASeedBeginWithAnAttemptToWhichNothingGoesBack) {
  const Laboratory lab(model_with({{"      seed/*)", "      seed/bootstrap-1/*) kernel zeros 100 ;;\n      seed/*)"}}));
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--llm",
                                      "exec:" + (lab.hone.folder() / "model.sh").string(), "--strategy", "oneshot",
                                      "--max-calls", "4", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out)["stopped"], "4 calls were allowed");
  const auto asked = lab.asked();
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0], "seed/bootstrap-1/try-1");
  EXPECT_EQ(asked[1], "seed/bootstrap-2/try-1");
  for (const auto& step : asked) EXPECT_THAT(step, testing::EndsWith("try-1"));
}

TEST(Run, KeepsWhatItIsGivenWhenItIsResumed) {
  const Laboratory lab;
  auto words = lab.words({"--json", "--time-limit", "7"});
  words[words.size() - 4] = "2";  // of --max-candidates
  const auto first = lab.hone.run(words);
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string run = json::parse(first.out)["run"];
  EXPECT_EQ(json::parse(first.out)["candidates"]["all"], 3);
  EXPECT_EQ(lab.hone.run({"resume", run, "--max-candidates", "3", "--device", "fake:1"}).code, 0);
  const auto asked = lab.asked();
  EXPECT_EQ(json::parse(lab.hone.run({"resume", run, "--json"}).out)["candidates"]["all"], 4);
  EXPECT_EQ(lab.asked(), asked) << "the three that were allowed are there";
  EXPECT_EQ(json::parse(lab.hone.run({"runs", run, "--json"}).out)["budget"]["candidates"], 3);
  auto archive = lab.archive();
  EXPECT_THAT(store::get_run(archive, run).settings, HasSubstr("\"time_limit\":7"));
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
  EXPECT_THAT(refused({"--executor", "foo:bar"}), HasSubstr("it is bundle:DIR"));
  EXPECT_FALSE(std::filesystem::exists(lab.hone.home() / "archive.db"));
}

TEST(Run, EstimatesInsideEveryCap) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--dry-run", "--max-calls", "5"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const json estimate = json::parse(finished.out);
  EXPECT_EQ(estimate["candidates"], 2) << "with a selector, a designer and a learner: five";
  EXPECT_THAT(estimate["assumptions"], HasSubstr("--max-calls 5"));
}

TEST(Run, EstimatesWithoutAskingAnybody) {
  const Laboratory lab;
  const auto finished = lab.hone.run(lab.words({"--json", "--dry-run"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out)["candidates"], 8);
  EXPECT_FALSE(std::filesystem::exists(lab.hone.folder() / "asked"));
}

TEST(Run, WithoutAModelItSaysHowToGetOne) {
  const Laboratory lab;
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("The three easiest ways"));
  const auto as_json = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--json"});
  EXPECT_EQ(json::parse(as_json.out)["error"]["kind"], "usage");
}

TEST(Run, WithoutAModelADryRunTunesNothing) {
  const Laboratory lab;
  const std::string tunable = lab.hone.folder() / "tunable.fake";
  std::string source = seed;
  source.insert(source.find("*/"), "[tune]\nA = { values = [1, 2], default = 1 }\n");
  base::write_file_atomically(tunable, source);
  const auto finished =
      lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--seed", tunable, "--dry-run", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out)["would_tune"], tunable);
  EXPECT_FALSE(std::filesystem::exists(lab.hone.home() / "archive.db"));
}

TEST(Run, TakesWordsThatAreNotUtf8) {
  const Laboratory lab;
  const std::string odd = lab.hone.folder() / "s\xe9ed.fake";
  base::write_file_atomically(odd, seed);
  const auto finished =
      lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--seed", odd, "--llm",
                    "exec:" + (lab.hone.folder() / "model.sh").string() + " \xe9", "--max-candidates", "1", "--json"});
  EXPECT_EQ(finished.code, 0) << finished.err;
}

TEST(Learn, TriesAgainWhatGaveNoUsableAnswerAndDigestsNothingTwice) {
  const Laboratory lab;
  const std::string document = lab.hone.folder() / "caf\xe9.md", good = lab.hone.folder() / "good";
  base::write_file_atomically(document, "Copies are quick.");
  base::write_file_atomically(lab.hone.folder() / "reader.sh",
                              "#!/bin/sh\ncat > /dev/null\nif [ -e '" + good +
                                  "' ]; then echo '{\"findings\": [\"Quick.\"], \"reports\": []}'; else echo no; fi\n");
  ::chmod((lab.hone.folder() / "reader.sh").c_str(), 0755);
  const auto learn = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"learn", document, "--json", "--llm",
                                   "exec:" + (lab.hone.folder() / "reader.sh").string()};
    words.insert(words.end(), more.begin(), more.end());
    return lab.hone.run(words);
  };
  EXPECT_EQ(learn({}).code, 1);
  base::write_file_atomically(good, "");
  const auto second = learn({});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(json::parse(second.out)["findings"].size(), 1u);
  const auto third = learn({});
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_EQ(json::parse(third.out)["known"].size(), 1u);
  EXPECT_EQ(json::parse(third.out)["findings"].size(), 0u);
  EXPECT_EQ(json::parse(learn({"--again"}).out)["findings"].size(), 1u);
}

TEST(Run, WillNotSpendDollarsOnAModelWhosePriceIsNotKnown) {
  const Laboratory lab;
  const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1", "--llm",
                                      "openai:nobody-knows@http://127.0.0.1:9/v1", "--max-usd", "1"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("--price"));
}

// What must be true of an archive whatever happened to the processes that wrote it.
void expect_nothing_lost_or_done_twice(const Laboratory& lab, int kills) {
  auto archive = lab.archive();
  EXPECT_TRUE(archive.check().empty());
  const auto runs = store::list_runs(archive, 10);
  ASSERT_EQ(runs.size(), 1u);
  std::map<std::string, int> answered, begun;
  for (const auto& call : store::calls_of(archive, runs[0].id, false)) {
    ++begun[call.start.step];
    if (call.end && call.end->answered) ++answered[call.start.step];
  }
  int lost = 0;
  for (const auto& [step, count] : begun) {
    const int answers = answered.contains(step) ? answered[step] : 0;
    EXPECT_LE(answers, 1) << step << " was asked again after it was answered";
    lost += count - answers;
  }
  EXPECT_LE(lost, 3 * kills) << "a call can only be lost in a crash, and three are in flight at the most";
  const auto members = store::members_of(archive, runs[0].id);
  std::set<std::string> steps;
  for (const auto& member : members) EXPECT_TRUE(steps.insert(member.step).second) << member.step;
  std::size_t explained = 0;
  for (const auto& [name, body] : store::decisions_of(archive, runs[0].id)) explained += name.starts_with("profile/");
  EXPECT_GE(explained, 1u);
  EXPECT_EQ(store::list_profiles(archive, 1000).size(), explained) << "a profile is made once, and kept with its step";
  std::map<int, int> screenings;
  for (const auto& evaluation : store::evaluations_of_run(archive, runs[0].id))
    if (evaluation.record.evaluation.key.depth == core::Depth::screen) ++screenings[evaluation.member];
  for (const auto& member : members) EXPECT_EQ(screenings[member.number], 1) << member.step << " was judged that often";
  for (const auto& [step, count] : answered)
    if (step.find("writer") != std::string::npos) {
      EXPECT_TRUE(steps.contains(step)) << step << " was answered and lost";
    }
}

TEST(RunKilled, AtAHundredRandomMomentsLosesNothingAndDoesNothingTwice) {
  std::mt19937 random(20);
  constexpr int wanted = 100;
  const Laboratory first;  // its compiled reference serves all: the compiler's seconds are not what is tested
  ASSERT_EQ(first.hone.run(first.words()).code, 0);
  for (int kills = 0; kills < wanted;) {
    const Laboratory lab;
    std::filesystem::copy(first.hone.home() / "cache", lab.hone.home() / "cache",
                          std::filesystem::copy_options::recursive);
    int here = 0;
    std::string run;
    // Each start lives a little longer than the one before, so that every stretch of the run is hit, and it ends.
    for (double longest = 0.5;; longest *= 1.15) {
      const double seconds = std::uniform_real_distribution<>(0.0, longest)(random);
      auto words = run.empty() ? lab.words({"--json"}) : std::vector<std::string>{"resume", run, "--json"};
      const auto finished = lab.hone.run_and_kill(words, seconds);
      if (finished.code == 0) break;
      ASSERT_EQ(finished.code, 128 + SIGKILL) << finished.err;
      ++here;
      if (run.empty() && std::filesystem::exists(lab.hone.home() / "archive.db")) {
        auto archive = lab.archive();
        if (const auto runs = store::list_runs(archive, 1); !runs.empty()) run = runs[0].id;
      }
    }
    kills += here;
    expect_nothing_lost_or_done_twice(lab, here);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hone::end_to_end
