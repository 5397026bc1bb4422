// Tuning inside a run, end to end, on the fake GPU: a model writes a kernel whose table has a bad
// default.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/json_probe.h"
#include "laboratory.h"
#include "run/journal.h"
#include "store/candidates.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Every experiment's kernel has the same table, whose default costs more than half of the time; a
// later one is a little faster. It keeps what it was asked.
constexpr const char* tunable_model = R"sh(#!/bin/sh
cat > "$ASKED.$(echo "$HONE_STEP" | tr / _)"
echo "$HONE_STEP" >> "$ASKED"
case $HONE_ROLE in
  selector) echo '{"basis": 1, "reference": 0, "rationale": "it is the first"}' ;;
  designer) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "two", "rubric": "r", "performance": [5, 60], "innovation": 10, "kind": "kernel"},
    {"description": "three", "rubric": "r", "performance": [30, 40], "innovation": 20, "kind": "kernel"},
    {"description": "four", "rubric": "r", "performance": [0, 5], "innovation": 5, "kind": "kernel"},
    {"description": "five", "rubric": "r", "performance": [1, 2], "innovation": 1, "kind": "kernel"}]}' ;;
  learner) echo '{"findings": [], "reports": []}' ;;
  writer)
    case $HONE_STEP in
      seed/*) table='' ns=990000000 ;;
      *) table='[tune]
A = { values = [1, 2, 4, 8], default = 8 }
' ns="$((400000000 - 20000 * $(echo "$HONE_STEP" | tr -dc 0-9 | sed 's/^0*//')))+80000000*A" ;;
    esac
    printf '```\n/* hone 1\n%s[[launch]]\nkernel = "copy"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n*/\nkernel copy(buffer, buffer) copy ns=%s\n```\n## Report\nThe time is another.\n' "$table" "$ns" ;;
esac
)sh";

// One candidate after the other, each from the incumbent.
std::vector<std::string> words(const Laboratory& lab, std::vector<std::string> more = {}) {
  std::vector<std::string> all = lab.words(
      {"--strategy", "greedy", "--slots", "1", "--stop-at-ceiling", "0", "--max-candidates", "4"});
  // The laboratory's own cap goes before, and is given once.
  std::vector<std::string> once;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == "--max-candidates" && all[i + 1] == "8")
      ++i;
    else
      once.push_back(all[i]);
  once.insert(once.end(), more.begin(), more.end());
  return once;
}

std::string only_run(const Laboratory& lab) {
  auto archive = lab.archive();
  return store::list_runs(archive, 2).at(0).id;
}
core::Tree only_tree(const Laboratory& lab) {
  auto archive = lab.archive();
  return run::tree_of(archive, only_run(lab));
}
std::string source_of(const Laboratory& lab, const std::string& candidate) {
  auto archive = lab.archive();
  return store::get_candidate(archive, candidate).source;
}
const core::Node* first_tuned(const core::Tree& tree) {
  for (const auto& node : tree.nodes)
    if (!node.as_written.empty()) return &node;
  return nullptr;
}

TEST(TuningInARun, GivesTheNodeItsBestDefaultsAndTellsTheWriterOfItsChild) {
  const Laboratory lab(tunable_model);
  const auto finished = lab.hone.run(words(lab));
  ASSERT_EQ(finished.code, 0) << finished.err;
  const core::Tree tree = only_tree(lab);
  const core::Node* node = first_tuned(tree);
  ASSERT_NE(node, nullptr) << finished.err;
  EXPECT_THAT(source_of(lab, node->as_written), HasSubstr("default = 8 "));
  EXPECT_THAT(source_of(lab, node->candidate), HasSubstr("default = 1 "));
  EXPECT_EQ(node->tuning->points, 3);
  EXPECT_LT(node->seconds(), 0.5);
  EXPECT_THAT(finished.out + finished.err, HasSubstr("its defaults are A = 1 now"));

  const core::Node* child = nullptr;
  for (const auto& other : tree.nodes)
    if (other.basis == node->number) child = &other;
  ASSERT_NE(child, nullptr);
  std::string asked;
  for (const auto& file : std::filesystem::directory_iterator(lab.hone.folder()))
    if (file.path().filename().string().starts_with("asked.") &&
        file.path().string().find("writer") != std::string::npos)
      if (const auto text = base::read_file(file.path()); text.find("Hone tuned it") != text.npos)
        asked = text;
  EXPECT_THAT(asked, AllOf(HasSubstr("default = 1 "), Not(HasSubstr("default = 8 "))));

  const std::string run = only_run(lab);
  const auto best = lab.hone.run({"best", run, "-o", lab.hone.folder() / "best.fake"});
  ASSERT_EQ(best.code, 0) << best.err;
  EXPECT_THAT(base::read_file(lab.hone.folder() / "best.fake"), HasSubstr("default = 1 "));
  const auto report = lab.hone.run({"report", run, "-o", lab.hone.folder() / "r.md"});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(base::read_file(lab.hone.folder() / "r.md"),
              AllOf(HasSubstr("## Tuning"), HasSubstr("of at most 200 measured for")));
  const JsonProbe told(lab.hone.run({"runs", run, "--json"}).out);
  EXPECT_EQ(told["tuning"]["allowed"], 200);
  EXPECT_GE(told["tuning"]["points"].number(), 3);
  EXPECT_GT(told["tuning"]["best_by_tuning"].number(), 1.5);
  const JsonProbe listed(lab.hone.run({"runs", "--json"}).out);
  EXPECT_GE(listed["runs"][0]["tuning"]["changed"].number(), 1);
}

TEST(TuningInARun, IsLeftOutWithoutABudget) {
  const Laboratory lab(tunable_model);
  const auto finished = lab.hone.run(words(lab, {"--tune-evals", "0"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  for (const auto& node : only_tree(lab).nodes) {
    EXPECT_FALSE(node.tuning) << node.number;
    if (!node.candidate.empty()) {
      EXPECT_THAT(source_of(lab, node.candidate), Not(HasSubstr("default = 1 ")));
    }
  }
}

TEST(TuningInARun, KeepsToItsBudget) {
  const Laboratory lab(tunable_model);
  const auto finished = lab.hone.run(words(lab, {"--tune-evals", "2"}));
  ASSERT_EQ(finished.code, 0) << finished.err;
  int points = 0;
  for (const auto& node : only_tree(lab).nodes) points += node.tuning ? node.tuning->points : 0;
  EXPECT_EQ(points, 2) << "of the three that the first candidate has beside its default";
}

TEST(TuningInARun, GoesOnAfterKillsAsIfThereHadBeenNone) {
  const Laboratory whole(tunable_model);
  ASSERT_EQ(whole.hone.run(words(whole)).code, 0);
  const auto sources = [](const Laboratory& lab) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& node : only_tree(lab).nodes) all.emplace_back(node.as_written, node.candidate);
    return all;
  };
  const Laboratory lab(tunable_model);
  int kills = 0;
  for (double seconds = 0.8;; seconds *= 1.2) {
    const bool begun = std::filesystem::exists(lab.hone.home() / "archive.db") && [&] {
      auto archive = lab.archive();
      return !store::list_runs(archive, 1).empty();
    }();
    const auto ended = lab.hone.run_and_kill(
        begun ? std::vector<std::string>{"resume", only_run(lab)} : words(lab), seconds);
    if (ended.code == 0) break;
    ASSERT_EQ(ended.code, 128 + SIGKILL) << ended.err;
    ++kills;
  }
  EXPECT_GT(kills, 0);
  auto archive = lab.archive();
  std::map<int, int> screenings;
  for (const auto& evaluation : store::evaluations_of_run(archive, only_run(lab)))
    if (evaluation.record.evaluation.key.depth == core::Depth::screen)
      ++screenings[evaluation.node];
  for (const auto& [node, count] : screenings) EXPECT_EQ(count, 1) << node;
  const core::Tree tree = only_tree(lab);
  ASSERT_NE(first_tuned(tree), nullptr);
  EXPECT_EQ(sources(lab), sources(whole));
}

}  // namespace
}  // namespace hone::end_to_end
