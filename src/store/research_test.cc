#include "store/research.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/findings.h"
#include "store/test_support.h"
#include "store/tuning.h"

namespace hone::store {
namespace {

using testing::a_candidate;
using testing::a_task;
using testing::an_evaluation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

struct Research : ::testing::Test {
  testing::Fixture f;
  Archive& archive = f.archive;
  std::string run;

  void SetUp() override {
    record_task(archive, a_task());
    record_candidate(archive, a_candidate());
    run = begin_run(archive, a_run());
  }
  static ResearchRun a_run() {
    ResearchRun wanted;
    wanted.task = a_task().hash;
    wanted.device = "GPU-1234";
    wanted.device_name = "H200";
    wanted.settings = R"({"strategy":"scientist"})";
    return wanted;
  }
  CallStart a_call(const std::string& step) {
    return {run, step, "writer", "m-1", "abc", "Write it.", 0.5};
  }
  static CallEnd an_answer(const std::string& text) {
    return {true, text, R"({"a":1})", "", "m-1-2026", "stop", 100, 20, 60, 0.25, 1.5};
  }
  NodeRow a_node(const std::string& step) {
    NodeRow node;
    node.step = step;
    node.candidate = a_candidate().line.hash;
    return node;
  }
};

TEST_F(Research, RunIsGivenBackAsItWasBegunWithItsNewestState) {
  ResearchRun got = get_run(archive, run.substr(0, 7));
  EXPECT_EQ(got.id, run);
  EXPECT_EQ(got.task, a_task().hash);
  EXPECT_EQ(got.task_name, "softmax");
  EXPECT_EQ(got.device, "GPU-1234");
  EXPECT_EQ(got.device_name, "H200");
  EXPECT_EQ(got.settings, a_run().settings);
  EXPECT_EQ(got.state, RunState::running);
  EXPECT_NE(got.created, Time{});
  for (const RunState state : {RunState::away, RunState::stopped, RunState::failed,
                               RunState::running, RunState::finished}) {
    set_run_state(archive, run, state, "because");
    got = get_run(archive, run);
    EXPECT_EQ(got.state, state);
    EXPECT_EQ(got.note, "because");
    EXPECT_GE(got.changed, got.created);
  }
}

TEST_F(Research, RunsAreListedNewestFirst) {
  const std::string second = begin_run(archive, a_run());
  const auto runs = list_runs(archive, 10);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].id, second);
  EXPECT_EQ(list_runs(archive, 1).size(), 1u);
  EXPECT_EQ(archive.counts().research_runs, 2);
}

TEST_F(Research, RunHasAnIdThatNothingElseCanHave) {
  EXPECT_EQ(run.size(), id_digits);
  EXPECT_EQ(run[0], 'r');
  EXPECT_THROW(find_by_id(archive, run), base::Error);
  EXPECT_THROW(get_tuning_run(archive, run), base::Error);
  for (const char* id : {"abcdef", "", "r", "rab", "r;--xx", "rzzzz"})
    EXPECT_THROW(get_run(archive, id), base::Error);
}

TEST_F(Research, CallIsKeptWholeFromItsBookingOn) {
  CallStart start = a_call("g001/writer-1");
  start.prompt = std::string(largest_inline_text + 1, 'p');
  const std::int64_t number = begin_call(archive, start);
  auto calls = calls_of(archive, run, true);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].number, number);
  EXPECT_EQ(calls[0].start.run, run);
  EXPECT_EQ(calls[0].start.step, start.step);
  EXPECT_EQ(calls[0].start.role, "writer");
  EXPECT_EQ(calls[0].start.model, "m-1");
  EXPECT_EQ(calls[0].start.template_hash, "abc");
  EXPECT_EQ(calls[0].start.prompt, start.prompt);
  EXPECT_EQ(calls[0].start.reserved_usd, 0.5);
  EXPECT_FALSE(calls[0].end);
  EXPECT_FALSE(answer_to(archive, run, start.step));

  const CallEnd end = an_answer(std::string(largest_inline_text + 1, 't'));
  end_call(archive, number, end);
  calls = calls_of(archive, run, true);
  for (const CallEnd& got :
       {calls.at(0).end.value(), answer_to(archive, run, start.step).value()}) {
    EXPECT_TRUE(got.answered);
    EXPECT_EQ(got.text, end.text);
    EXPECT_EQ(got.arguments, end.arguments);
    EXPECT_EQ(got.model, end.model);
    EXPECT_EQ(got.stop, end.stop);
    EXPECT_EQ(got.tokens_in, 100);
    EXPECT_EQ(got.tokens_out, 20);
    EXPECT_EQ(got.tokens_cached, 60);
    EXPECT_EQ(got.usd, 0.25);
    EXPECT_EQ(got.seconds, 1.5);
  }
  EXPECT_EQ(calls_of(archive, run, false).at(0).start.prompt, "");
  EXPECT_EQ(calls_of(archive, run, false).at(0).end->text, "");
}

TEST_F(Research, AnswerIsTheFirstOneReceivedAndAFaultIsNone) {
  CallEnd fault;
  fault.fault = "timeout";
  fault.text = "no answer in 60 s";
  end_call(archive, begin_call(archive, a_call("step")), fault);
  EXPECT_FALSE(answer_to(archive, run, "step"));
  const std::int64_t second = begin_call(archive, a_call("step")),
                     third = begin_call(archive, a_call("step"));
  end_call(archive, third, an_answer("third"));
  EXPECT_EQ(answer_to(archive, run, "step")->text, "third");
  end_call(archive, third, an_answer("a second end"));
  EXPECT_EQ(answer_to(archive, run, "step")->text, "third");
  end_call(archive, second, an_answer("second"));
  EXPECT_EQ(answer_to(archive, run, "step")->text, "second");
  EXPECT_FALSE(answer_to(archive, run, "another step"));
  EXPECT_FALSE(answer_to(archive, begin_run(archive, a_run()), "step"));
  EXPECT_EQ(calls_of(archive, run, true).at(0).end->text, "no answer in 60 s");
  EXPECT_EQ(calls_of(archive, run, true).at(0).end->fault, "timeout");
}

TEST_F(Research, SpendingCountsWhatIsInFlightAtItsLargestCost) {
  EXPECT_EQ(spending_of(archive, run).usd, 0);
  end_call(archive, begin_call(archive, a_call("one")), an_answer("one"));
  CallEnd fault;
  fault.fault = "cut";
  fault.usd = 0.125;
  fault.tokens_in = 7;
  end_call(archive, begin_call(archive, a_call("two")), fault);
  begin_call(archive, a_call("three"));
  const Spending spent = spending_of(archive, run);
  EXPECT_EQ(spent.calls, 3);
  EXPECT_EQ(spent.answered, 1);
  EXPECT_EQ(spent.tokens_in, 107);
  EXPECT_EQ(spent.tokens_out, 20);
  EXPECT_EQ(spent.tokens_cached, 60);
  EXPECT_DOUBLE_EQ(spent.usd, 0.25 + 0.125 + 0.5);
  EXPECT_DOUBLE_EQ(spent.seconds, 1.5);
  EXPECT_EQ(spending_of(archive, begin_run(archive, a_run())).calls, 0);
}

TEST_F(Research, MembersAreNumberedFromOneAndAStepHasOne) {
  EXPECT_EQ(record_node_row(archive, run, a_node("seed/0")), 1);
  ExperimentRecord experiment{0, 3, 1, "kernel", "{}"};
  NodeRow wanted = a_node("g003/writer-1/try-1");
  wanted.generation = 3;
  wanted.basis = 1;
  wanted.reference = 1;
  wanted.experiment = record_experiment(archive, run, experiment);
  wanted.report = std::string(largest_inline_text + 1, 'r');
  EXPECT_EQ(record_node_row(archive, run, wanted), 2);
  EXPECT_EQ(record_node_row(archive, run, wanted), 2);
  EXPECT_EQ(record_node_row(archive, run, a_node("seed/0")), 1);
  const std::string other = begin_run(archive, a_run());
  EXPECT_EQ(record_node_row(archive, other, a_node("seed/0")), 1);

  const auto nodes = node_rows_of(archive, run);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].basis, std::nullopt);
  EXPECT_EQ(nodes[0].experiment, std::nullopt);
  EXPECT_EQ(nodes[1].number, 2);
  EXPECT_EQ(nodes[1].step, wanted.step);
  EXPECT_EQ(nodes[1].generation, 3);
  EXPECT_EQ(nodes[1].candidate, a_candidate().line.hash);
  EXPECT_EQ(nodes[1].basis, 1);
  EXPECT_EQ(nodes[1].reference, 1);
  EXPECT_EQ(nodes[1].experiment, wanted.experiment);
  EXPECT_EQ(nodes[1].report, wanted.report);
}

TEST_F(Research, MemberOfAnUnknownBasisIsRefused) {
  NodeRow node = a_node("g001/writer-1/try-1");
  node.basis = 7;
  EXPECT_THROW(record_node_row(archive, run, node), base::Error);
  EXPECT_THAT(node_rows_of(archive, run), IsEmpty());
}

TEST_F(Research, MemberIsJudgedOnceAndCertifiedOnce) {
  const int node = record_node_row(archive, run, a_node("seed/0"));
  core::Evaluation certified = an_evaluation(a_task(), a_candidate());
  certified.key.depth = core::Depth::certify;
  const std::string screen =
                        record_evaluation(archive, an_evaluation(a_task(), a_candidate()), "H200"),
                    again =
                        record_evaluation(archive, an_evaluation(a_task(), a_candidate()), "H200"),
                    certify = record_evaluation(archive, certified, "H200");
  for (const std::string& id : {screen, screen, again, certify})
    link_evaluation(archive, run, node, id);
  const auto evaluations = evaluations_of_run(archive, run);
  ASSERT_EQ(evaluations.size(), 2u);
  EXPECT_EQ(evaluations[0].node, node);
  EXPECT_EQ(evaluations[0].record.id, screen);
  EXPECT_EQ(evaluations[1].record.id, certify);
  EXPECT_EQ(evaluations[1].record.evaluation.cases.size(), 2u);
  EXPECT_THROW(link_evaluation(archive, run, 99, screen), base::Error);
  EXPECT_THROW(link_evaluation(archive, run, node, "000000000000"), base::Error);
}

TEST_F(Research, EvaluationIsRecordedTogetherWithItsLinkOrNotAtAll) {
  const int node = record_node_row(archive, run, a_node("seed/0"));
  {
    ArchiveTransaction rolled_back(archive);
    link_evaluation(archive, run, node,
                    record_evaluation(archive, an_evaluation(a_task(), a_candidate()), "H200"));
  }
  EXPECT_EQ(archive.counts().evaluations, 0);
  EXPECT_THAT(evaluations_of_run(archive, run), IsEmpty());
}

TEST_F(Research, ComparisonsAreKeptInOrder) {
  const auto compare = [&](double ratio) {
    ComparisonRecord c;
    c.task = a_task().hash;
    c.device = "GPU-1234";
    c.a = c.b = {a_candidate().line.hash, {}};
    c.ratio = ratio;
    c.cases = {{"rows=4096", ratio, {0.9, 1.1}, {0.95, 1.05}}};
    return record_comparison(archive, c);
  };
  const std::string first = compare(0.9), second = compare(0.8), stranger = compare(0.7);
  for (const std::string& id : {second, first, second}) link_comparison(archive, run, id);
  const auto comparisons = comparisons_of_run(archive, run);
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].id, second);
  EXPECT_EQ(comparisons[0].ratio, 0.8);
  EXPECT_EQ(comparisons[1].cases.at(0).block_ratios.size(), 2u);
  EXPECT_THROW(link_comparison(archive, run, "000000000000"), base::Error);
}

TEST_F(Research, ExperimentsAreRecordedOnce) {
  const std::int64_t first =
      record_experiment(archive, run, {0, 1, 0, "kernel", R"({"description":"tile"})"});
  const std::int64_t second =
      record_experiment(archive, run, {0, 1, 0, "probe", std::string(100'000, 'b')});
  EXPECT_EQ(record_experiment(archive, run, {0, 1, 0, "kernel", "another"}), first);
  EXPECT_NE(first, second);
  const auto experiments = experiments_of(archive, run);
  ASSERT_EQ(experiments.size(), 2u);
  EXPECT_EQ(experiments[0].number, first);
  EXPECT_EQ(experiments[0].generation, 1);
  EXPECT_EQ(experiments[0].kind, "kernel");
  EXPECT_EQ(experiments[0].body, R"({"description":"tile"})");
  EXPECT_EQ(experiments[1].body.size(), 100'000u);
}

TEST_F(Research, DecisionIsTheFirstThatWasMade) {
  EXPECT_FALSE(decision(archive, run, "g001/selection"));
  EXPECT_EQ(decide_once(archive, run, "g001/selection", "1"), "1");
  EXPECT_EQ(decide_once(archive, run, "g001/selection", "2"), "1");
  EXPECT_EQ(decision(archive, run, "g001/selection"), "1");
  const std::string large(largest_inline_text + 1, 'x');
  EXPECT_EQ(decide_once(archive, run, "a later one", large), large);
  EXPECT_THAT(decisions_of(archive, run),
              ElementsAre(Pair("g001/selection", "1"), Pair("a later one", large)));
  EXPECT_FALSE(decision(archive, begin_run(archive, a_run()), "g001/selection"));
}

TEST_F(Research, QuestionsAskedAtEveryStepAreAnsweredByAnIndex) {
  for (const char* name :
       {"answer_to", "decision", "spending_of_run", "calls_of_run", "call_texts", "node_of_step",
        "next_node", "nodes_of_run", "evaluations_of_run", "comparisons_of_run",
        "experiments_of_run", "experiment_row", "decisions_of_run", "research_runs_by_prefix",
        "get_research_run", "research_state", "get_finding", "findings_by_prefix",
        "comparisons_of_candidate"}) {
    const std::string plan = archive.database().plan_of(name);
    EXPECT_THAT(plan, Not(HasSubstr("TEMP B-TREE"))) << name;
    EXPECT_THAT(plan, Not(HasSubstr("SCAN"))) << name << "\n" << plan;
  }
}

TEST_F(Research, NothingOfItCanBeChangedOrDeleted) {
  record_node_row(archive, run, a_node("seed/0"));
  end_call(archive, begin_call(archive, a_call("one")), an_answer("one"));
  decide_once(archive, run, "result", "{}");
  record_experiment(archive, run, {0, 1, 0, "kernel", "{}"});
  link_evaluation(archive, run, 1,
                  record_evaluation(archive, an_evaluation(a_task(), a_candidate()), "H200"));
  add_finding(archive, {});
  for (const auto& [table, column] : {std::pair{"research_runs", "settings"},
                                      {"research_states", "note"},
                                      {"calls", "role"},
                                      {"call_ends", "usd"},
                                      {"experiments", "kind"},
                                      {"members", "step"},
                                      {"member_evaluations", "depth"},
                                      {"decisions", "name"},
                                      {"findings", "task"},
                                      {"finding_versions", "text"}}) {
    EXPECT_THROW(
        archive.database().run_script(fmt::format("UPDATE {0} SET {1} = {1}", table, column)),
        base::Error)
        << table;
    EXPECT_THROW(archive.database().run_script(fmt::format("DELETE FROM {}", table)), base::Error)
        << table;
  }
  EXPECT_THAT(archive.check(), IsEmpty());
}

}  // namespace
}  // namespace hone::store
