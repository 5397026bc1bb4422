// Stage two as a whole: which launches are looked at, what is left out, in what order advice comes,
// and programs.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "base/json_probe.h"
#include "profile/launches.h"
#include "profile/program_words.h"
#include "profile/programs.h"
#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::ElementsAre;
using testing::HasSubstr;

Example divergent() {
  Example example;
  example.takes(1e-3, 1e8).source("__global__ void work() {\n}\n");
  return example.with(tag::active_threads, 16)
      .with(tag::issue_fraction, 0.6)
      .with(tag::compute_fraction, 0.3)
      .with(tag::memory_fraction, 0.3);
}

TEST(RunTools, LooksAtEveryLaunchThatMattersAndScalesItsGain) {
  auto example = divergent();
  for (const auto* kernel : {"second", "third"}) example.launch(kernel, {132, 1, 1}, {256, 1, 1});
  for (const int launch : {1, 2})
    example.with(tag::active_threads, 16, launch).with(tag::issue_fraction, 0.6, launch);
  const double seconds[] = {6e-4, 3.7e-4, 3e-5};
  for (int launch = 0; launch < 3; ++launch)
    example.with(tag::system_launch_seconds, seconds[launch], launch);
  std::vector<core::Advice> advice;
  for (const auto& one : run_tools(example.facts()).advice)
    if (one.tool == "divergence") advice.push_back(one);
  ASSERT_EQ(advice.size(), 2u) << "the third has 3 % of the time";
  EXPECT_EQ(advice[0].launch, 0);
  EXPECT_NEAR(advice[0].gain.high, 30, 0.1);
  EXPECT_EQ(advice[1].launch, 1);
  EXPECT_NEAR(advice[1].gain.high, 18.5, 0.1);
}

TEST(RunTools, GivesLaunchesThatNobodyTimedEqualPartsOfTheCallAndSaysSo) {
  auto example = divergent();
  for (int launch = 1; launch < 25; ++launch)
    example.launch("other", {132, 1, 1}, {256, 1, 1}).with(tag::active_threads, 32, launch);
  example.with(tag::system_launch_seconds, 1e-3, 1);
  double all = 0;
  for (const auto& launch : launches_of(example.facts())) {
    EXPECT_FALSE(launch.timed);
    all += launch.share;
  }
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_NEAR(launches_of(example.facts()).front().share, 0.04, 1e-9);
  Example two = divergent();
  two.launch("second", {132, 1, 1}, {256, 1, 1}).with(tag::active_threads, 32, 1);
  const auto stage = run_tools(two.facts());
  const auto found = std::find_if(stage.advice.begin(), stage.advice.end(),
                                  [](const core::Advice& one) { return one.tool == "divergence"; });
  ASSERT_NE(found, stage.advice.end());
  EXPECT_NEAR(found->gain.high, 25, 0.1) << "half of the lanes in half of the call";
  EXPECT_THAT(found->evidence,
              HasSubstr("The launch's own time is not known: it counts as 50 % of the call."));
}

TEST(RunTools, SaysOnceWhatWasLeftOutAndForWhichLaunches) {
  auto example = divergent();
  example.launch("second", {132, 1, 1}, {256, 1, 1});
  EXPECT_THAT(example.left_out("divergence"),
              HasSubstr("for some launches: needs kernel.threads.active: it was not measured"));
}

TEST(RunTools, HaveTriggersThatStateTheirThresholds) {
  const std::pair<std::string_view, const char*> thresholds[] = {
      {"tensor-idle", "30 % of the call"},
      {"narrow-access", "1.3 times the ideal sectors"},
      {"narrow-access", "not with wgmma or asynchronous copies"},
      {"occupancy", "at least 80 % of it reached"},
      {"few-blocks", "2 µs"},
      {"divergence", "not with wgmma"}};
  for (const auto& [name, words] : thresholds) {
    const auto named = [&](const Tool& tool) { return tool.name == name; };
    const auto found = std::find_if(tools().begin(), tools().end(), named);
    ASSERT_NE(found, tools().end()) << name;
    EXPECT_THAT(std::string(found->trigger), HasSubstr(words)) << name;
  }
}

TEST(RunTools, KeepsToolsToTheirHardware) {
  Example cpu;
  cpu.on_a_cpu().takes(1e-3, 1e6);
  for (const auto& left : run_tools(cpu.facts()).left_out)
    EXPECT_THAT(left.tool, testing::StartsWith("cpu-"));
}

TEST(RunTools, GivesTheSameAnswerEachTime) {
  const auto facts = divergent().facts();
  const auto first = run_tools(facts), second = run_tools(facts);
  ASSERT_EQ(first.advice.size(), second.advice.size());
  for (std::size_t i = 0; i < first.advice.size(); ++i)
    EXPECT_EQ(first.advice[i].evidence, second.advice[i].evidence);
}

// Whatever the counters say, no tool stumbles, and every gain is a share of the call.
TEST(RunTools, StandAnyFigures) {
  std::mt19937 random(4);
  const double factors[] = {0, 1e-3, 0.3, 1, 1, 3, 1e6, -1, std::nan("")};
  for (const auto* kernel : {"saxpy", "strided", "conflicts", "spills", "wmma16", "atomics"})
    for (int round = 0; round < 30; ++round) {
      Example example;
      example.recorded(kernel)
          .takes(1e-3, 1e8, {{"f32", 1e9}, {"bf16", 1e10}})
          .source("void work() { double a = 1.0; }");
      for (const auto& [tag, value] : example.facts().metrics.under("", 0))
        example.with(tag, value * factors[random() % std::size(factors)]);
      for (const auto tag :
           {tag::spill_stores, tag::spill_loads, tag::stack, tag::sass_instructions, tag::sass_hmma,
            tag::sass_f64, tag::sass_address_per_access, tag::clock_load, tag::clock_most,
            tag::system_span, tag::system_gaps})
        example.with(tag, 10 * factors[random() % std::size(factors)]);
      const auto stage = run_tools(example.facts());
      for (const auto& advice : stage.advice) {
        EXPECT_GE(advice.gain.low, 0) << advice.tool;
        EXPECT_LE(advice.gain.low, advice.gain.high) << advice.tool;
        EXPECT_LE(advice.gain.high, 100) << advice.tool;
      }
    }
}

core::Advice said(std::string tool, Severity severity, double low, double high) {
  core::Advice advice;
  advice.tool = std::move(tool);
  advice.severity = severity;
  advice.gain = {low, high};
  return advice;
}
std::vector<std::string> names(const std::vector<core::Advice>& advice) {
  std::vector<std::string> all;
  for (const auto& one : advice) all.push_back(one.tool);
  return all;
}

TEST(Order, IsBySeverityThenByExpectedGain) {
  std::vector advice{said("d", Severity::note, 0, 90), said("b", Severity::major, 10, 20),
                     said("c", Severity::major, 5, 15), said("a", Severity::critical, 20, 30)};
  order(advice, {});
  EXPECT_THAT(names(advice), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(advice.front().id, "A1");
  EXPECT_EQ(advice.back().id, "A4");
}

TEST(Order, BelievesToolsThatWereRightButNotAfterOneExperiment) {
  const std::vector advice{said("often-wrong", Severity::major, 10, 20),
                           said("proven", Severity::major, 8, 18)};
  auto few = advice, many = advice;
  order(few, {{"often-wrong", {.followed = 0, .right = 0}}});
  EXPECT_THAT(names(few), ElementsAre("often-wrong", "proven"));
  order(many,
        {{"often-wrong", {.followed = 8, .right = 1}}, {"proven", {.followed = 8, .right = 8}}});
  EXPECT_THAT(names(many), ElementsAre("proven", "often-wrong"));
}

TEST(Order, LowersTheSeverityOfAToolThatWasWrong) {
  std::vector advice{said("wrong", Severity::critical, 25, 35),
                     said("other", Severity::major, 8, 16)};
  order(advice, {{"wrong", {.followed = 13, .right = 1}}});
  EXPECT_THAT(names(advice), ElementsAre("other", "wrong"));
  EXPECT_EQ(advice[1].severity, Severity::minor) << "3/15 of 25 to 35 % is 6 % in the middle";
  order(advice, {{"wrong", {.followed = 13, .right = 1}}});
  EXPECT_EQ(advice[1].severity, Severity::minor) << "and stays where it is";
}

TEST(Order, DoesNotRewardAnAdviceThatPromisesAnything) {
  std::vector advice{said("vague", Severity::critical, 0, 100),
                     said("firm", Severity::major, 10, 14), said("wide", Severity::major, 2, 60)};
  order(advice, {});
  EXPECT_THAT(names(advice), ElementsAre("firm", "wide", "vague"));
  EXPECT_EQ(advice[2].severity, Severity::major) << "critical needs a low end";
  EXPECT_NEAR(expected_gain({0, 100}, 1), 10, 1e-9);
  EXPECT_NEAR(expected_gain({20, 30}, 0.5), 12.25, 0.01);
  EXPECT_EQ(expected_gain({0, 0}, 1), 0);
  EXPECT_EQ(expected_gain({1, std::nan("")}, 1), 0);
  EXPECT_EQ(weight_of({.followed = 2, .right = 0}), 0.5);
}

TEST(Order, LeavesANoteANote) {
  std::vector advice{said("note", Severity::note, 0, 90), said("minor", Severity::minor, 30, 40)};
  order(advice, {});
  EXPECT_THAT(names(advice), ElementsAre("minor", "note"));
  EXPECT_EQ(advice[0].severity, Severity::minor) << "never more than its tool said";
}

TEST(Order, DoesNotDependOnTheOrderItGets) {
  std::vector one{said("x", Severity::minor, 4, 6), said("y", Severity::minor, 4, 6)},
      other{one[1], one[0]};
  order(one, {});
  order(other, {});
  EXPECT_EQ(names(one), names(other));
}

// ---- programs
std::string quoted(std::string text) {
  for (auto at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 4))
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}
std::string shell(const std::string& script) { return "sh -c " + quoted(script); }

class Programs : public testing::Test {
 protected:
  StageTwo run(const std::string& command) {
    StageTwo result;
    const auto facts = example_.facts();
    run_program(command, facts_json(facts), facts, result);
    return result;
  }
  std::string why(const std::string& script) {
    const auto result = run(shell(script));
    EXPECT_TRUE(result.advice.empty());
    return result.left_out.empty() ? "" : result.left_out.front().why;
  }
  Example example_ = divergent();
};

constexpr const char* answer =
    R"({"advice": [{"severity": "major", "title": "t", "evidence": "e", "cause": "c", "recommendation": "r",
  "launch": 0, "lines": [1], "gain": [5, 12.5], "model": "m"}]})";

TEST_F(Programs, GiveAdviceAsTheBuiltInToolsDo) {
  const auto result = run(shell(std::string("cat > /dev/null; printf '%s' '") + answer + "'"));
  ASSERT_EQ(result.advice.size(), 1u)
      << (result.left_out.empty() ? "" : result.left_out.front().why);
  EXPECT_EQ(result.advice[0].severity, Severity::major);
  EXPECT_EQ(result.advice[0].launch, 0);
  EXPECT_THAT(result.advice[0].lines, ElementsAre(1));
  EXPECT_EQ(result.advice[0].gain.high, 12.5);
}

TEST_F(Programs, AreGivenTheFacts) {
  const base::JsonProbe facts(facts_json(example_.facts()));
  EXPECT_EQ(facts["protocol"], 1);
  EXPECT_EQ(facts["device"]["arch"], "sm_90a");
  EXPECT_EQ(facts["launches"][0]["metrics"]["kernel.threads.active"], 16);
  EXPECT_EQ(facts["launches"][0]["block"][0], 256);
  EXPECT_EQ(facts["diagnosis"]["theory"], "memory");
  EXPECT_THAT(facts["source"].text(), HasSubstr("__global__"));
}

TEST_F(Programs, ThatMisbehaveAreReportedAndSkipped) {
  EXPECT_EQ(why("echo nonsense"), "its answer is not JSON: \"nonsense\\n\"");
  EXPECT_EQ(why("true"), "it answered nothing");
  EXPECT_EQ(why("echo '[]'"), "its answer is not an object but []");
  EXPECT_EQ(why("echo '{\"advice\": null}'"),
            "its answer makes no sense: it has no list 'advice', and no 'left_out'");
  EXPECT_THAT(why("echo broken >&2; exit 3"), HasSubstr("exit code 3: broken"));
  EXPECT_THAT(why("kill -SEGV $$"), HasSubstr("signal 11"));
  EXPECT_THAT(run("no-such-program-here").left_out.at(0).why,
              HasSubstr("exit code 127: no-such-program-here: No such file"));
  EXPECT_THAT(why("yes"), HasSubstr("more than 1024 KiB"));
  EXPECT_THAT(why("echo '{\"left_out\": \"needs another device\"}'"),
              HasSubstr("needs another device"));
  EXPECT_THAT(why("echo '{\"left_out\": \"\"}'"), HasSubstr("'left_out' is empty"));
}

TEST_F(Programs, ThatHangAreEnded) {
  StageTwo result;
  const auto facts = example_.facts();
  run_program("sleep 600", facts_json(facts), facts, result, std::chrono::milliseconds(100));
  ASSERT_EQ(result.left_out.size(), 1u);
  EXPECT_THAT(result.left_out.front().why, HasSubstr("did not answer within 0.1 s"));
}

// The answer with another value, as JSON, in its advice.
std::string answer_with(const char* key, const std::string& value) {
  using Object = std::map<std::string, base::RawJson>;
  auto changed = *base::from_json<std::map<std::string, std::vector<Object>>>(answer);
  changed["advice"][0][key].text = value;
  return "printf '%s' '" + base::json_line(changed) + "'";
}

TEST_F(Programs, MayNotPromiseTheImpossible) {
  EXPECT_THAT(why(answer_with("gain", "[50, 20]")), HasSubstr("low <= high"));
  EXPECT_THAT(why(answer_with("gain", "[0, 400]")), HasSubstr("high <= 100"));
  EXPECT_THAT(why(answer_with("gain", "[true, true]")),
              HasSubstr("two numbers, [low, high], not [true,true]"));
  EXPECT_THAT(why(answer_with("severity", R"("fatal")")),
              HasSubstr("critical, major, minor, note, not \"fatal\""));
  EXPECT_THAT(why(answer_with("launch", "7")),
              HasSubstr("it names launch 7, and the plan has no such launch"));
  EXPECT_THAT(why(answer_with("launch", "0.5")), HasSubstr("it names launch 0.5"));
  EXPECT_THAT(why(answer_with("title", "4")), HasSubstr("'title' is not a text but 4"));
  EXPECT_THAT(why(answer_with("title", R"(" ")")), HasSubstr("'title' is empty"));
}

TEST_F(Programs, MayNameSixteenLinesOfTheSource) {
  EXPECT_THAT(why(answer_with("lines", "[99]")),
              HasSubstr("it names line 99, and the source has lines 1 to 2"));
  EXPECT_THAT(why(answer_with("lines", "[3]")), HasSubstr("lines 1 to 2"))
      << "the last line ends with its newline";
  EXPECT_THAT(why(answer_with("lines", "[2.7]")), HasSubstr("it names line 2.7"));
  EXPECT_THAT(why(answer_with("lines", "[0]")), HasSubstr("it names line 0"));
  EXPECT_THAT(why(answer_with("lines", "[18446744073709551615]")), HasSubstr("it names line 1844"));
  EXPECT_THAT(why(answer_with("lines", "1")), HasSubstr("'lines' is not a list"));
  std::string source;
  std::vector<int> lines;
  for (int line = 1; line <= 17; ++line) {
    source += "//\n";
    if (line < 17) lines.push_back(line), lines.push_back(line);
  }
  example_.source(source);
  const auto sixteen = run(shell(answer_with("lines", base::json_line(lines))));
  ASSERT_EQ(sixteen.advice.size(), 1u) << sixteen.left_out.front().why;
  EXPECT_EQ(sixteen.advice[0].lines.size(), 16u) << "each once";
  lines.push_back(17);
  EXPECT_THAT(why(answer_with("lines", base::json_line(lines))), HasSubstr("more than 16 lines"));
}

TEST_F(Programs, TheExampleFindsABlockThatIsNoMultipleOfAWarp) {
  if (std::system("python3 -c pass 2> /dev/null") != 0) GTEST_SKIP() << "there is no python3 here";
  const std::string command = "python3 " HONE_TEST_DATA "/../../examples/tools/block_size.py";
  const auto silent = run(command);
  EXPECT_TRUE(silent.advice.empty() && silent.left_out.empty());
  Example odd("work", {1000, 1, 1}, {100, 1, 1});
  StageTwo result;
  const auto facts = odd.takes(1e-3, 1e6).facts();
  run_program(command, facts_json(facts), facts, result);
  ASSERT_EQ(result.advice.size(), 1u);
  EXPECT_EQ(result.advice[0].tool, "program:block_size.py");
  EXPECT_NEAR(result.advice[0].gain.high, 100.0 * 28 / 128, 0.1);
}

TEST(ProgramName, IsItsFileAndNeverABuiltInTools) {
  EXPECT_EQ(program_name("python3 examples/tools/block_size.py --strict"), "program:block_size.py");
  EXPECT_EQ(program_name("./my-tool"), "program:my-tool");
  EXPECT_EQ(program_name("/usr/bin/python3.11 a/b.py"), "program:b.py");
  EXPECT_EQ(program_name("'/opt/my tools/register-spill' a.b"), "program:register-spill");
  EXPECT_EQ(program_name("sh -c 'cat a.txt | b'"), "program:sh");
  for (const auto& tool : tools())
    EXPECT_EQ(tool.name.find(':'), std::string_view::npos) << tool.name;
}

TEST(ProgramWords, AreSplitAtBlanksOutsideQuotes) {
  EXPECT_THAT(*program_words(R"( a  'b  c' "d e"f \ g '' $HOME;x )"),
              ElementsAre("a", "b  c", "d ef", " g", "", "$HOME;x"));
  EXPECT_THAT(*program_words(R"("a\"b" 'c\d')"), ElementsAre("a\"b", "c\\d"));
  EXPECT_EQ(program_words("").error(), "it names no program");
  EXPECT_EQ(program_words("''").error(), "it names no program");
  EXPECT_EQ(program_words("a 'b").error(), "a quote (') is not closed");
  EXPECT_EQ(program_words("a \\").error(), "nothing follows its last backslash");
}

TEST_F(Programs, AreRunWithoutAShell) {
  const auto result = run("echo {\\\"left_out\\\":\\\"$HOME;`id`\\\"}");
  ASSERT_EQ(result.left_out.size(), 1u);
  EXPECT_EQ(result.left_out.front().why, "$HOME;`id`");
}

}  // namespace
}  // namespace hone::profile
