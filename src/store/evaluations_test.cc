#include "store/evaluations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "store/comparisons.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using testing::a_candidate;
using testing::a_task;
using testing::an_evaluation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The structured bindings name every field, so that one added later cannot be forgotten here.
void expect_equal(const core::Metric& a, const core::Metric& b) {
  const auto& [tag, hint, value, missing, case_name, launch, line] = a;
  EXPECT_EQ(tag, b.tag);
  EXPECT_EQ(hint, b.hint);
  EXPECT_EQ(value, b.value);
  EXPECT_EQ(missing, b.missing);
  EXPECT_EQ(case_name, b.case_name);
  EXPECT_EQ(launch, b.launch);
  EXPECT_EQ(line, b.line);
}

void expect_equal(const core::Evidence& a, const core::Evidence& b) {
  const auto& [guard, row, convicts, case_name, text] = a;
  EXPECT_EQ(guard, b.guard);
  EXPECT_EQ(row, b.row);
  EXPECT_EQ(convicts, b.convicts);
  EXPECT_EQ(case_name, b.case_name);
  EXPECT_EQ(text, b.text);
}

void expect_equal(const core::CaseResult& a, const core::CaseResult& b) {
  const auto& [name, timed, samples, wall_samples, median, interval, wall_median, first_call, bytes,
               flops, flops_by_kind, bandwidth, rate, ceiling_fraction, ceiling, error_max,
               error_rms, honest_rms] = a;
  EXPECT_EQ(name, b.name);
  EXPECT_EQ(timed, b.timed);
  EXPECT_EQ(samples, b.samples);
  EXPECT_EQ(wall_samples, b.wall_samples);
  EXPECT_EQ(median, b.median);
  EXPECT_EQ(interval.low, b.interval.low);
  EXPECT_EQ(interval.high, b.interval.high);
  EXPECT_EQ(wall_median, b.wall_median);
  EXPECT_EQ(first_call, b.first_call);
  EXPECT_EQ(bytes, b.bytes);
  EXPECT_EQ(flops, b.flops);
  EXPECT_EQ(flops_by_kind, b.flops_by_kind);
  EXPECT_EQ(bandwidth, b.bandwidth);
  EXPECT_EQ(rate, b.rate);
  EXPECT_EQ(ceiling_fraction, b.ceiling_fraction);
  EXPECT_EQ(ceiling, b.ceiling);
  EXPECT_EQ(error_max, b.error_max);
  EXPECT_EQ(error_rms, b.error_rms);
  EXPECT_EQ(honest_rms, b.honest_rms);
}

template <typename T>
void expect_equal(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_equal(a[i], b[i]);
}

void expect_equal(const core::Evaluation& a, const core::Evaluation& b) {
  const auto& [key, outcome, evidence, cases, metrics, geomean, build_log, total, build, kernels,
               reference] = a;
  const auto& [candidate, point, task, device, driver, compiler, protocol, depth, limited_to] = key;
  EXPECT_EQ(candidate, b.key.candidate);
  EXPECT_EQ(point, b.key.point);
  EXPECT_EQ(task, b.key.task);
  EXPECT_EQ(device, b.key.device);
  EXPECT_EQ(driver, b.key.driver);
  EXPECT_EQ(compiler, b.key.compiler);
  EXPECT_EQ(protocol, b.key.protocol);
  EXPECT_EQ(depth, b.key.depth);
  EXPECT_EQ(limited_to, b.key.cases);
  EXPECT_EQ(outcome, b.outcome);
  expect_equal(evidence, b.evidence);
  expect_equal(cases, b.cases);
  expect_equal(metrics, b.metrics);
  EXPECT_EQ(geomean, b.geomean);
  EXPECT_EQ(build_log, b.build_log);
  EXPECT_EQ(total, b.seconds_total);
  EXPECT_EQ(build, b.seconds_build);
  EXPECT_EQ(kernels, b.seconds_kernels);
  EXPECT_EQ(reference, b.seconds_reference);
}

struct Evaluations : ::testing::Test {
  testing::Fixture f;
  Archive& archive = f.archive;
  TaskRecord task = a_task();
  CandidateRecord candidate = a_candidate();

  void SetUp() override {
    record_task(archive, task);
    record_candidate(archive, candidate);
  }
  std::string record(const core::Evaluation& evaluation) {
    return record_evaluation(archive, evaluation, "H200");
  }
  std::vector<std::string> listed(const EvaluationFilter& filter) {
    std::vector<std::string> ids;
    for (const auto& line : list_evaluations(archive, filter)) ids.push_back(line.id);
    return ids;
  }
};

TEST_F(Evaluations, ComeBackWithEveryField) {
  core::Evaluation wanted = an_evaluation(task, candidate);
  wanted.key.protocol = 7;
  wanted.key.depth = core::Depth::certify;
  wanted.key.cases = {"prime", "rows=4096"};
  wanted.build_log = std::string(largest_inline_text + 1, 'l');
  const std::string id = record(wanted);
  const EvaluationRecord got = get_evaluation(archive, id);
  expect_equal(wanted, got.evaluation);
  EXPECT_EQ(got.id, id);
  EXPECT_EQ(got.task_name, "softmax");
  EXPECT_EQ(got.candidate_name, "seed.cl");
  EXPECT_EQ(got.device_name, "H200");
  EXPECT_GT(got.created, Time{});
}

TEST_F(Evaluations, ComeBackEmptyWhereNothingWasSet) {
  core::Evaluation wanted;
  wanted.key.candidate = candidate.line.hash;
  wanted.key.task = task.hash;
  wanted.cases.resize(1);
  expect_equal(wanted, get_evaluation(archive, record(wanted)).evaluation);
}

TEST_F(Evaluations, ComeBackWithEveryOutcome) {
  for (int i = 0; i <= static_cast<int>(core::Outcome::rejected); ++i) {
    core::Evaluation wanted = an_evaluation(task, candidate);
    wanted.outcome = static_cast<core::Outcome>(i);
    EXPECT_EQ(get_evaluation(archive, record(wanted)).evaluation.outcome, wanted.outcome);
  }
}

TEST_F(Evaluations, KeepNumbersThatAreNoneOrInfinite) {
  core::Evaluation wanted = an_evaluation(task, candidate);
  wanted.cases[0].error_max = std::nan("");
  wanted.cases[0].error_rms = std::numeric_limits<double>::infinity();
  wanted.metrics[0].value = std::nan("");
  const core::Evaluation got = get_evaluation(archive, record(wanted)).evaluation;
  EXPECT_TRUE(std::isnan(got.cases[0].error_max));
  EXPECT_EQ(got.cases[0].error_rms, std::numeric_limits<double>::infinity());
  EXPECT_EQ(got.metrics[0].value, std::nullopt);
  EXPECT_EQ(got.metrics[0].missing, "not a number");
}

TEST_F(Evaluations, AreFoundAgainByTheirKeyAndTheNewestWins) {
  core::Evaluation evaluation = an_evaluation(task, candidate);
  EXPECT_FALSE(find_evaluation(archive, evaluation.key));
  record(evaluation);
  const std::string newest = record(evaluation);
  EXPECT_EQ(find_evaluation(archive, evaluation.key)->id, newest);
}

TEST_F(Evaluations, AreNotFoundWhenAnyPartOfTheKeyDiffers) {
  const core::Evaluation evaluation = an_evaluation(task, candidate);
  record(evaluation);
  using Key = core::EvaluationKey;
  const std::vector<std::function<void(Key&)>> changes = {
      [](Key& k) { k.candidate = "other"; },
      [](Key& k) { k.point["BLOCK"] = 128; },
      [](Key& k) { k.point.erase("VEC"); },
      [](Key& k) { k.task = "other"; },
      [](Key& k) { k.device = "GPU-2"; },
      [](Key& k) { k.driver = "581"; },
      [](Key& k) { k.compiler = "nvrtc 14"; },
      [](Key& k) { k.protocol = 2; },
      [](Key& k) { k.depth = core::Depth::certify; },
      [](Key& k) { k.cases = {"prime"}; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Key key = evaluation.key;
    changes[i](key);
    EXPECT_FALSE(find_evaluation(archive, key)) << "change " << i;
  }
}

TEST_F(Evaluations, AreRefusedWithoutTheirTaskOrCandidate) {
  core::Evaluation evaluation = an_evaluation(a_task("unknown"), candidate);
  EXPECT_THROW(record(evaluation), base::Error);
  evaluation = an_evaluation(task, a_candidate("unknown"));
  EXPECT_THROW(record(evaluation), base::Error);
  EXPECT_EQ(archive.counts().evaluations, 0);
}

TEST_F(Evaluations, AreListedNewestFirstByPageAndFilter) {
  const TaskRecord other = a_task("matmul");
  record_task(archive, other);
  core::Evaluation wrong = an_evaluation(task, candidate);
  wrong.outcome = core::Outcome::wrong;
  wrong.geomean.reset();
  const std::string a = record(an_evaluation(task, candidate)), b = record(wrong),
                    c = record(an_evaluation(other, candidate)),
                    d = record(an_evaluation(task, candidate));
  EXPECT_THAT(listed({}), ElementsAre(d, c, b, a));
  EXPECT_THAT(listed({.limit = 2}), ElementsAre(d, c));
  EXPECT_THAT(listed({.before = c, .limit = 2}), ElementsAre(b, a));
  EXPECT_THAT(listed({.task = "softmax"}), ElementsAre(d, b, a));
  EXPECT_THAT(listed({.outcome = core::Outcome::accepted}), ElementsAre(d, c, a));
  EXPECT_THAT(listed({.task = "softmax", .outcome = core::Outcome::accepted}), ElementsAre(d, a));
  EXPECT_THAT(listed({.task = "softmax", .outcome = core::Outcome::accepted, .before = d}),
              ElementsAre(a));
  EXPECT_THAT(listed({.task = "nothing"}), ElementsAre());
  EXPECT_THROW(listed({.before = "000000000000"}), base::Error);
  EXPECT_EQ(evaluations_of(archive, candidate.line.hash, 10).size(), 4u);
}

TEST_F(Evaluations, ShowWhatALineNeeds) {
  const std::string id = record(an_evaluation(task, candidate));
  const EvaluationLine line = list_evaluations(archive, {}).at(0);
  EXPECT_EQ(line.id, id);
  EXPECT_EQ(line.task_name, "softmax");
  EXPECT_EQ(line.candidate, candidate.line.hash);
  EXPECT_EQ(line.candidate_name, "seed.cl");
  EXPECT_EQ(line.point, (core::Point{{"BLOCK", 256}, {"VEC", 4}}));
  EXPECT_EQ(line.depth, core::Depth::screen);
  EXPECT_EQ(line.outcome, core::Outcome::accepted);
  EXPECT_EQ(line.geomean, 1.15e-3);
  EXPECT_EQ(line.device_name, "H200");
  EXPECT_EQ(line.seconds_total, 1.5);
}

TEST_F(Evaluations, AreRankedAmongTheirEquals) {
  const auto best = [&] {
    return best_evaluation(archive, task.hash, "GPU-1234", 1, core::Depth::screen);
  };
  EXPECT_FALSE(best());
  core::Evaluation evaluation = an_evaluation(task, candidate);
  evaluation.geomean = 2e-3;
  record(evaluation);
  evaluation.geomean = 1e-3;
  const std::string fastest = record(evaluation);
  evaluation.geomean = 0.5e-3;
  const auto record_changed = [&](auto change) {
    core::Evaluation changed = evaluation;
    change(changed);
    record(changed);
  };
  record_changed([](auto& e) { e.outcome = core::Outcome::cheating; });
  record_changed([](auto& e) { e.key.cases = {"prime"}; });
  record_changed([](auto& e) { e.key.depth = core::Depth::certify; });
  record_changed([](auto& e) { e.key.protocol = 2; });
  record_changed([](auto& e) { e.key.device = "GPU-2"; });
  EXPECT_EQ(best()->id, fastest);
}

TEST_F(Evaluations, AreNeverSortedOrScannedForAList) {
  for (const char* name :
       {"list_evaluations", "list_evaluations_of_task", "list_evaluations_with_outcome",
        "list_evaluations_of_task_with_outcome", "list_evaluations_of_candidate", "best_evaluation",
        "get_evaluation", "get_cases", "get_metrics", "get_evidence", "find_by_prefix",
        "newest_of_identity", "parents", "children"}) {
    const std::string plan = archive.database().plan_of(name);
    EXPECT_THAT(plan, Not(HasSubstr("TEMP B-TREE"))) << name;
    EXPECT_THAT(plan, Not(HasSubstr("SCAN"))) << name;
  }
}

TEST_F(Evaluations, AreComparedAndTheComparisonIsKept) {
  const CandidateRecord other = a_candidate("other");
  record_candidate(archive, other);
  ComparisonRecord wanted;
  wanted.task = task.hash;
  wanted.device = "GPU-1234";
  wanted.device_name = "H200";
  wanted.driver = "580";
  wanted.compiler = "nvrtc";
  wanted.protocol = 2;
  wanted.a = {candidate.line.hash, {{"BLOCK", 1}}};
  wanted.b = {other.line.hash, {{"BLOCK", 2}}};
  wanted.ratio = 0.9;
  wanted.interval = {0.89, 0.91};
  wanted.margin = 0.005;
  wanted.word = core::Comparison::faster;
  wanted.stopped_by = "interval";
  wanted.seconds = 1.25;
  wanted.cases = {{"prime", 0.9, {0.89, 0.91}, {0.9, 0.905}}};
  const std::string id = record_comparison(archive, wanted);
  for (const std::string& side : {wanted.a.candidate, wanted.b.candidate}) {
    const auto all = comparisons_of(archive, side, 10);
    ASSERT_EQ(all.size(), 1u);
    const ComparisonRecord& got = all[0];
    EXPECT_EQ(got.id, id);
    EXPECT_EQ(got.task, wanted.task);
    EXPECT_EQ(got.task_name, "softmax");
    EXPECT_EQ(got.device, wanted.device);
    EXPECT_EQ(got.device_name, "H200");
    EXPECT_EQ(got.driver, "580");
    EXPECT_EQ(got.compiler, "nvrtc");
    EXPECT_EQ(got.protocol, 2);
    EXPECT_EQ(got.a.candidate, wanted.a.candidate);
    EXPECT_EQ(got.a.point, wanted.a.point);
    EXPECT_EQ(got.b.candidate, wanted.b.candidate);
    EXPECT_EQ(got.b.point, wanted.b.point);
    EXPECT_EQ(got.ratio, 0.9);
    EXPECT_EQ(got.interval.low, 0.89);
    EXPECT_EQ(got.interval.high, 0.91);
    EXPECT_EQ(got.margin, 0.005);
    EXPECT_EQ(got.word, core::Comparison::faster);
    EXPECT_EQ(got.stopped_by, "interval");
    EXPECT_EQ(got.seconds, 1.25);
    ASSERT_EQ(got.cases.size(), 1u);
    EXPECT_EQ(got.cases[0].name, "prime");
    EXPECT_EQ(got.cases[0].block_ratios, wanted.cases[0].block_ratios);
  }
}

}  // namespace
}  // namespace hone::store
