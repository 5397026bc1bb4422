// A run that was recorded with a real model, replayed on OpenCL: its kernels are built, judged and
// timed here and now, at a size that is quick. What was faster then need not be faster here; what
// was right must be right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/json_probe.h"
#include "judge/selftest.h"
#include "laboratory.h"
#include "replaced.h"
#include "run/journal.h"
#include "run/names.h"
#include "store/candidates.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;

const std::filesystem::path source = std::filesystem::path(HONE_EXAMPLES).parent_path();

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
    std::filesystem::copy(source / "examples/matmul", task_,
                          std::filesystem::copy_options::recursive);
    base::write_file_atomically(task_ / "task.toml", replaced(base::read_file(task_ / "task.toml"),
                                                              "{ m = 1024, n = 1024, k = 1024 }",
                                                              "{ m = 256, n = 256, k = 256 }"));
  }
  // Wide enough for the recording's generations; six are the translation, the first of them, and a
  // writer of the next.
  std::vector<std::string> words(const std::string& model, const std::string& candidates) const {
    return {
        "run",
        task_,
        "--device",
        "opencl:0",
        "--llm",
        model,
        "--max-candidates",
        candidates,
        "--width",
        "4",
        "--tries",
        "2",
        "--feedback",
        "none",  // profiles have tests of their own (profile_test.cc), and take half of the time
        "--json",
        "--stop-at-ceiling",
        "0",
        "--stop-after-flat",
        "0"};
  }
  struct Refusals {
    std::string by_clock, others;  // candidates and texts
  };
  // What was not accepted. On a busy machine guards that go by the clock refuse an honest kernel
  // now and then.
  Refusals refusals() const {
    const auto goes_by_clock = [](const std::string& guard) {
      return !guard.empty() && judge::needs_the_clock(judge::guard_named(guard));
    };
    Refusals found;
    for (const auto& line : JsonProbe(hone_.run({"log", "--json"}).out)["evaluations"].items()) {
      if (line["outcome"] == "accepted") continue;
      const JsonProbe shown(hone_.run({"show", line["id"], "--json"}).out);
      for (const auto& one : shown["evidence"].items())
        if (one["convicts"])
          (goes_by_clock(one["guard"]) ? found.by_clock : found.others) +=
              shown["candidate_name"].text() + ": " + one.dump() + "\n";
    }
    return found;
  }
  // The recording is of an earlier hone, which numbered candidates in the order of their answers:
  // the translation was 00002, then came the writers 2, 3, 4 and 1 of the first generation. Its
  // second selection was 00005 with 00006 as reference.
  void expect_what_was_recorded(const std::string& run,
                                const std::map<std::string, std::string>& answers) const {
    auto archive = store::Archive::open(hone_.home() / "archive.db");
    const core::Tree tree = run::tree_of(archive, run);
    const auto source_of = [&](core::NodeId number) {
      return store::get_candidate(archive, tree.node(number)->candidate).source;
    };
    const auto is_answer = [&](core::NodeId number, const std::string& step) {
      EXPECT_THAT(answers.at(step), HasSubstr(source_of(number)))
          << number << " is not what was answered to " << step;
    };
    std::vector<std::string> places;
    for (const auto& node : tree.nodes) {
      places.push_back(run::name_of_place(node.place));
      if (!core::is_given(node.place.origin)) is_answer(node.number, places.back());
      if (node.place.generation == 1) is_answer(node.basis, "seed/translation/try-1");
      if (node.place.generation == 2) {
        is_answer(node.basis, "g001/writer-4/try-1");
        is_answer(node.reference, "g001/writer-1/try-1");
      }
    }
    EXPECT_THAT(places, testing::ElementsAre("seed/given-seed", "seed/translation/try-1",
                                             "g001/writer-1/try-1", "g001/writer-2/try-1",
                                             "g001/writer-3/try-1", "g001/writer-4/try-1",
                                             "g002/writer-1/try-1"));
  }

  Hone hone_;
  std::filesystem::path task_ = hone_.folder() / "matmul";
};

// The text of each step's answer.
std::map<std::string, std::string> answers_of(const std::filesystem::path& recording) {
  std::map<std::string, std::string> answers;
  std::istringstream lines(base::read_file(recording));
  for (std::string line; std::getline(lines, line);) {
    const JsonProbe answer(line);
    answers[answer["step"]] = answer["text"];
  }
  return answers;
}

TEST_F(Replay, GoesThroughARecordedRunWithItsKernelsJudgedHere) {
  const auto recording = source / "bench/results/recorded/matmul.cpu.jsonl";
  const auto finished = hone_.run(words("replay:" + recording.string(), "6"));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const JsonProbe result(finished.out);
  EXPECT_EQ(result["state"], "finished");
  const Refusals refused = refusals();
  EXPECT_EQ(refused.others, "") << finished.err;
  EXPECT_GE(result["candidates"]["all"].number(), 7) << finished.err;
  const bool none_by_clock = refused.by_clock.empty();
  EXPECT_TRUE(result["certified"] == true || !none_by_clock) << finished.err;
  EXPECT_TRUE(result["candidates"]["accepted"].number() >= 7 || !none_by_clock) << finished.err;
  if (none_by_clock)
    expect_what_was_recorded(result["run"],
                             answers_of(recording));  // else a writer was asked again
  const std::string report = hone_.folder() / "report.md";
  EXPECT_EQ(hone_.run({"report", result["run"], "-o", report}).code, 0);
  EXPECT_THAT(base::read_file(report), HasSubstr("How the best came to be"));
}

// A recording of this hone names the nodes that came of its answers.
TEST(ReplayOfThisHone, MakesTheSameNodesOfTheSameBases) {
  const Laboratory lab(replaced(laboratory_model, "{\"basis\": 1", "{\"basis\": 4"));
  const std::string recording = lab.hone.folder() / "again.jsonl";
  const auto tree_with = [&](const std::string& model) {
    const auto finished = lab.hone.run({"run", lab.hone.folder() / "copy", "--device", "fake:1",
                                        "--seed", lab.hone.folder() / "seed.fake", "--llm", model,
                                        "--max-candidates", "8", "--json"});
    EXPECT_EQ(finished.code, 0) << finished.err;
    auto archive = lab.archive();
    return run::tree_of(archive, JsonProbe(finished.out)["run"]);
  };
  const core::Tree first = tree_with("record:" + recording +
                                     ",exec:" + (lab.hone.folder() / "model.sh").string()),
                   again = tree_with("replay:" + recording);
  ASSERT_EQ(again.nodes.size(), first.nodes.size());
  int of_the_selected = 0;
  for (std::size_t i = 0; i < first.nodes.size(); ++i) {
    const core::Node &one = first.nodes[i], &other = again.nodes[i];
    EXPECT_EQ(one.place, other.place);
    EXPECT_EQ(one.candidate, other.candidate) << run::name_of_place(one.place);
    EXPECT_EQ(one.basis, other.basis) << run::name_of_place(one.place);
    EXPECT_EQ(one.state, other.state) << run::name_of_place(one.place);
    of_the_selected += one.basis == 4 ? 1 : 0;
  }
  EXPECT_GT(of_the_selected, 0);
}

// The same run twice, recorded the first time: the prompts of first attempts depend on no
// measurement, so a strict replay finds every answer.
TEST(ReplayStrictly, TakesOnlyTheAnswersToTheSamePrompts) {
  const Laboratory lab;
  const std::string recording = lab.hone.folder() / "again.jsonl";
  const std::string task = lab.hone.folder() / "copy", seed = lab.hone.folder() / "seed.fake";
  const auto run = [&](const std::string& model) {
    return lab.hone.run({"run", task, "--device", "fake:1", "--seed", seed, "--llm", model,
                         "--max-candidates", "1", "--strategy", "oneshot", "--json"});
  };
  const auto first =
      run("record:" + recording + ",exec:" + (lab.hone.folder() / "model.sh").string());
  ASSERT_EQ(first.code, 0) << first.err;
  const auto again = run("replay-strict:" + recording);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(JsonProbe(again.out)["spending"]["calls"], 1);
  base::write_file_atomically(task + "/task.toml", replaced(copy_task, "A copy.", "A plain copy."));
  const JsonProbe other(run("replay-strict:" + recording).out);
  EXPECT_EQ(other["candidates"]["all"], 1)
      << "another summary is another prompt: only the seed is there";
}

}  // namespace
}  // namespace hone::end_to_end
