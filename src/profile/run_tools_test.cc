// Stage two as a whole: which launches are looked at, what is left out, in what order advice comes, and programs.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "profile/programs.h"
#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Severity;
using nlohmann::json;
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
  for (const int launch : {1, 2}) example.with(tag::active_threads, 16, launch).with(tag::issue_fraction, 0.6, launch);
  const double seconds[] = {6e-4, 3.7e-4, 3e-5};
  for (int launch = 0; launch < 3; ++launch) example.with(tag::system_launch_seconds, seconds[launch], launch);
  std::vector<core::Advice> advice;
  for (const auto& one : run_tools(example.facts()).advice)
    if (one.tool == "divergence") advice.push_back(one);
  ASSERT_EQ(advice.size(), 2u) << "the third has 3 % of the time";
  EXPECT_EQ(advice[0].launch, 0);
  EXPECT_NEAR(advice[0].gain.high, 30, 0.1);
  EXPECT_EQ(advice[1].launch, 1);
  EXPECT_NEAR(advice[1].gain.high, 18.5, 0.1);
}

TEST(RunTools, SaysOnceWhatWasLeftOutAndForWhichLaunches) {
  auto example = divergent();
  example.launch("second", {132, 1, 1}, {256, 1, 1});
  EXPECT_THAT(example.left_out("divergence"),
              HasSubstr("for some launches: needs kernel.threads.active: it was not measured"));
}

TEST(RunTools, KeepsToolsToTheirHardware) {
  Example cpu;
  cpu.on_a_cpu().takes(1e-3, 1e6);
  for (const auto& left : run_tools(cpu.facts()).left_out) EXPECT_THAT(left.tool, testing::StartsWith("cpu-"));
}

TEST(RunTools, GivesTheSameAnswerEachTime) {
  const auto facts = divergent().facts();
  const auto first = run_tools(facts), second = run_tools(facts);
  ASSERT_EQ(first.advice.size(), second.advice.size());
  for (std::size_t i = 0; i < first.advice.size(); ++i) EXPECT_EQ(first.advice[i].evidence, second.advice[i].evidence);
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
           {tag::spill_stores, tag::spill_loads, tag::stack, tag::sass_instructions, tag::sass_hmma, tag::sass_f64,
            tag::sass_address_per_access, tag::clock_load, tag::clock_most, tag::system_span, tag::system_gaps})
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
  const std::vector advice{said("often-wrong", Severity::major, 10, 20), said("proven", Severity::major, 8, 18)};
  auto few = advice, many = advice;
  order(few, {{"often-wrong", {.followed = 0, .right = 0}}});
  EXPECT_THAT(names(few), ElementsAre("often-wrong", "proven"));
  order(many, {{"often-wrong", {.followed = 8, .right = 1}}, {"proven", {.followed = 8, .right = 8}}});
  EXPECT_THAT(names(many), ElementsAre("proven", "often-wrong"));
}

TEST(Order, DoesNotDependOnTheOrderItGets) {
  std::vector one{said("x", Severity::minor, 4, 6), said("y", Severity::minor, 4, 6)}, other{one[1], one[0]};
  order(one, {});
  order(other, {});
  EXPECT_EQ(names(one), names(other));
}

// ---- programs
class Programs : public testing::Test {
 protected:
  StageTwo run(const std::string& command) {
    StageTwo result;
    const auto facts = example_.facts();
    run_program(command, facts_json(facts), facts, result);
    return result;
  }
  std::string why(const std::string& command) {
    const auto result = run(command);
    EXPECT_TRUE(result.advice.empty());
    return result.left_out.empty() ? "" : result.left_out.front().why;
  }
  Example example_ = divergent();
};

constexpr const char* answer =
    R"({"advice": [{"severity": "major", "title": "t", "evidence": "e", "cause": "c", "recommendation": "r",
  "launch": 0, "lines": [1], "gain": [5, 12.5], "model": "m"}]})";

TEST_F(Programs, GiveAdviceAsTheBuiltInToolsDo) {
  const auto result = run(std::string("cat > /dev/null; printf '%s' '") + answer + "'");
  ASSERT_EQ(result.advice.size(), 1u) << (result.left_out.empty() ? "" : result.left_out.front().why);
  EXPECT_EQ(result.advice[0].severity, Severity::major);
  EXPECT_EQ(result.advice[0].launch, 0);
  EXPECT_THAT(result.advice[0].lines, ElementsAre(1));
  EXPECT_EQ(result.advice[0].gain.high, 12.5);
}

TEST_F(Programs, AreGivenTheFacts) {
  const auto facts = json::parse(facts_json(example_.facts()));
  EXPECT_EQ(facts.at("protocol"), 1);
  EXPECT_EQ(facts.at("device").at("arch"), "sm_90a");
  EXPECT_EQ(facts.at("launches").at(0).at("metrics").at("kernel.threads.active"), 16);
  EXPECT_EQ(facts.at("launches").at(0).at("block").at(0), 256);
  EXPECT_EQ(facts.at("diagnosis").at("theory"), "memory");
  EXPECT_THAT(facts.at("source").get<std::string>(), HasSubstr("__global__"));
}

TEST_F(Programs, ThatMisbehaveAreReportedAndSkipped) {
  EXPECT_THAT(why("echo nonsense"), HasSubstr("makes no sense"));
  EXPECT_THAT(why("true"), HasSubstr("makes no sense"));
  EXPECT_THAT(why("echo broken >&2; exit 3"), HasSubstr("exit code 3: broken"));
  EXPECT_THAT(why("kill -SEGV $$"), HasSubstr("signal 11"));
  EXPECT_THAT(why("no-such-program-here"), HasSubstr("exit code 127"));
  EXPECT_THAT(why("yes"), HasSubstr("more than 1024 KiB"));
  EXPECT_THAT(why("echo '{\"left_out\": \"needs another device\"}'"), HasSubstr("needs another device"));
}

TEST_F(Programs, ThatHangAreEnded) {
  StageTwo result;
  const auto facts = example_.facts();
  run_program("sleep 600", facts_json(facts), facts, result, std::chrono::milliseconds(100));
  ASSERT_EQ(result.left_out.size(), 1u);
  EXPECT_THAT(result.left_out.front().why, HasSubstr("did not answer within 0.1 s"));
}

TEST_F(Programs, MayNotPromiseTheImpossible) {
  const auto with = [](const char* key, const json& value) {
    auto changed = json::parse(answer);
    changed["advice"][0][key] = value;
    return "printf '%s' '" + changed.dump() + "'";
  };
  EXPECT_THAT(why(with("gain", {50, 20})), HasSubstr("low <= high"));
  EXPECT_THAT(why(with("gain", {0, 400})), HasSubstr("high <= 100"));
  EXPECT_THAT(why(with("severity", "fatal")), HasSubstr("critical, major, minor, note"));
  EXPECT_THAT(why(with("lines", {99})), HasSubstr("line that the source does not have"));
  EXPECT_THAT(why(with("launch", 7)), HasSubstr("launch that the plan does not have"));
  EXPECT_THAT(why(with("title", 4)), HasSubstr("makes no sense"));
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
  EXPECT_EQ(result.advice[0].tool, "block_size.py");
  EXPECT_NEAR(result.advice[0].gain.high, 100.0 * 28 / 128, 0.1);
}

TEST_F(Programs, AreFiledUnderTheirFile) {
  EXPECT_EQ(program_name("python3 examples/tools/block_size.py --strict"), "block_size.py");
  EXPECT_EQ(program_name("./my-tool"), "my-tool");
  EXPECT_EQ(program_name("/usr/bin/python3.11 a/b.py"), "b.py");
}

}  // namespace
}  // namespace hone::profile
