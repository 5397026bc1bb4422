// A run that is killed at any moment and resumed: nothing that it reported is lost, and nothing is
// done a second time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "store/research.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using testing::a_candidate;
using testing::a_task;
using testing::an_evaluation;
using testing::ChildReport;
using testing::in_child;
using ::testing::IsEmpty;
using testing::say;

constexpr int steps = 60;

// One step as a loop does it: ask unless it was answered, record the node, judge it unless it was
// judged.
void do_step(Archive& archive, const std::string& run, int step, const std::set<int>& judged,
             int report) {
  const std::string name = fmt::format("g{:03}/writer-0", step);
  if (!answer_to(archive, run, name)) {
    const std::int64_t call =
        begin_call(archive, {run, name, "writer", "m", "t", std::string(step * 3000, 'p'), 1.0});
    say(report, fmt::format("asked {}\n", step));
    end_call(archive, call,
             {true, fmt::format("kernel {}", step), "", "", "m", "stop", 10, 10, 0, 0.25, 0.1});
    say(report, fmt::format("received {}\n", step));
  }
  const CandidateRecord candidate = a_candidate(answer_to(archive, run, name)->text);
  record_candidate(archive, candidate);
  NodeRow node;
  node.step = name + "/try-1";
  node.candidate = candidate.line.hash;
  node.generation = step;
  const int number = record_node_row(archive, run, node);
  say(report, fmt::format("node {}\n", number));
  if (!judged.contains(number)) {
    ArchiveTransaction batch(archive);
    link_evaluation(archive, run, number,
                    record_evaluation(archive, an_evaluation(a_task(), candidate), "H200"));
    batch.commit();
    say(report, fmt::format("judged {}\n", number));
  }
  decide_once(archive, run, fmt::format("g{:03}/lesson", step), fmt::format("{}", ::getpid()));
}

void do_run(const std::filesystem::path& path, const std::string& run, int report) {
  Archive archive = Archive::open(path);
  std::set<int> judged;
  for (const NodeEvaluation& e : evaluations_of_run(archive, run)) judged.insert(e.node);
  for (int step = 1; step <= steps; ++step) do_step(archive, run, step, judged, report);
}

TEST(ResearchThatIsKilled, GoesOnWithoutLosingOrRepeatingAnything) {
  base::TemporaryFolder folder("hone-store-test");
  const auto path = folder.path() / "archive.db";
  std::string run;
  {
    Archive archive = Archive::open(path);
    record_task(archive, a_task());
    ResearchRun begun;
    begun.task = a_task().hash;
    begun.device = "GPU-1234";
    run = begin_run(archive, begun);
  }
  std::map<std::string, int> reported;
  int killed = 0;
  for (bool finished = false; !finished;) {
    const std::size_t enough = static_cast<std::size_t>(3 + killed * 5 % 17);
    const ChildReport child = in_child(
        [&](int report) { do_run(path, run, report); },
        [&](const std::string& output) {
          return static_cast<std::size_t>(std::count(output.begin(), output.end(), '\n')) >=
                 enough + killed;
        });
    finished = child.ended_well();
    ASSERT_TRUE(finished || WIFSIGNALED(child.status)) << child.output;
    killed += finished ? 0 : 1;
    std::istringstream lines(child.output.substr(0, child.output.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);) ++reported[line];
  }
  EXPECT_GT(killed, 0);

  Archive archive = Archive::open(path);
  EXPECT_THAT(archive.check(), IsEmpty());
  const auto nodes = node_rows_of(archive, run);
  ASSERT_EQ(nodes.size(), static_cast<std::size_t>(steps));
  for (int i = 0; i < steps; ++i) EXPECT_EQ(nodes[static_cast<std::size_t>(i)].number, i + 1);
  EXPECT_EQ(evaluations_of_run(archive, run).size(), static_cast<std::size_t>(steps));
  EXPECT_EQ(archive.counts().evaluations, steps);
  EXPECT_EQ(decisions_of(archive, run).size(), static_cast<std::size_t>(steps));
  for (int step = 1; step <= steps; ++step) {
    EXPECT_LE(reported[fmt::format("received {}", step)], 1) << step;
    EXPECT_LE(reported[fmt::format("judged {}", step)], 1) << step;
  }
  // Whatever was asked and not ended before a kill stays booked at its largest cost.
  const Spending spent = spending_of(archive, run);
  EXPECT_EQ(spent.answered, steps);
  EXPECT_DOUBLE_EQ(spent.usd, 0.25 * steps + 1.0 * static_cast<double>(spent.calls - steps));
}

}  // namespace
}  // namespace hone::store
