#include "store/profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/json.h"
#include "store/advice_ledger.h"
#include "store/research.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using ::testing::IsEmpty;

core::Advice an_advice(const std::string& id, const std::string& tool, core::Interval gain) {
  core::Advice a;
  a.id = id;
  a.tool = tool;
  a.severity = core::Severity::major;
  a.title = "Loads are narrow";
  a.evidence = "12 of 14 loads move 4 bytes.";
  a.cause = "The index is computed for each element.";
  a.recommendation = "Load float4 in line 17.";
  a.launch = 1;
  a.lines = {17, 12};
  a.gain = gain;
  a.model = "If the requests were a quarter as many.";
  return a;
}

core::Profile a_profile(const TaskRecord& task, const CandidateRecord& candidate) {
  core::Profile p;
  p.key = testing::an_evaluation(task, candidate).key;
  p.case_name = "rows=4096";
  p.seconds = 1.15e-3;
  p.diagnosis = {core::Bound::memory, core::Bound::memory, core::Bound::latency, "Because.",
                 "They disagree."};
  p.metrics = {{"kernel.dram", "1", 0.81, "", "rows=4096", 0, std::nullopt},
               {"line.samples", "1", 120.0, "", "rows=4096", 0, 17},
               {"kernel.l2", "1", std::nullopt, "ncu was not allowed to read it", "rows=4096", 0,
                std::nullopt}};
  p.hot_lines = {{17, "y[i] = x[i];", 0.61, {{"long_scoreboard", 0.8}, {"wait", 0.1}}}};
  p.advice = {an_advice("A1", "narrow-access", {5, 20}), an_advice("A2", "occupancy", {10, 30})};
  p.left_out = {{"coalescing", "needs kernel.global.load.sectors: it was not measured"}};
  p.notes = {"Energy was not asked for."};
  p.parts = {{"build", 0.25}, {"kernel", 3.5}};
  return p;
}

struct Profiles : ::testing::Test {
  testing::Fixture fixture;
  Archive& archive = fixture.archive;
  TaskRecord task = testing::a_task();
  CandidateRecord candidate = testing::a_candidate();
  core::Profile profile = a_profile(task, candidate);

  Profiles() {
    record_task(archive, task);
    record_candidate(archive, candidate);
  }
  // A run with one node and one experiment; gives the run's id.
  std::string a_run(std::int64_t& experiment) {
    const std::string run =
        begin_run(archive, {.task = task.hash, .device = "GPU-1234", .device_name = "H200"});
    record_node_row(archive, run, {.step = "seed/0", .candidate = candidate.line.hash});
    experiment = record_experiment(archive, run,
                                   {.generation = 1, .index = 1, .kind = "kernel", .body = "{}"});
    return run;
  }
};

TEST_F(Profiles, ComeBackWhole) {
  const std::string id = record_profile(archive, profile, "H200");
  const ProfileRecord back = get_profile(archive, id);
  EXPECT_EQ(back.id, id);
  EXPECT_EQ(back.task_name, "softmax");
  EXPECT_EQ(back.device_name, "H200");
  EXPECT_EQ(base::json_line(back.profile), base::json_line(profile));
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Profiles, ComeBackFromJsonAsTheyWere) {
  const std::string text = base::json_line(profile);
  const auto back = base::from_json<core::Profile>(text);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(base::json_line(*back), text);
}

TEST_F(Profiles, ThatAreDamagedAreRefused) {
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string text = base::json_line(profile);
    text.replace(text.find(from), from.size(), to);
    return base::from_json<core::Profile>(text).error();
  };
  EXPECT_EQ(complaint(R"("bound":"memory")", R"("bound":"magic")"),
            "it names the class 'magic', which this hone does not know");
  EXPECT_EQ(complaint(R"("diagnosis")", R"("prognosis")"), "it has no \"diagnosis\"");
}

TEST_F(Profiles, KeepWhatIsNoNumberAsNoValue) {
  profile.metrics[0].value = std::nan("");
  profile.advice[0].gain.high = std::numeric_limits<double>::quiet_NaN();
  profile.hot_lines[0].text = "\xff\xfe";
  const auto back = get_profile(archive, record_profile(archive, profile, "H200")).profile;
  EXPECT_FALSE(back.metrics[0].value);
  EXPECT_EQ(back.metrics[0].missing, "not a number");
  EXPECT_TRUE(std::isnan(back.advice[0].gain.high));
}

TEST_F(Profiles, AreListedAndFoundByTheBeginningOfTheirId) {
  record_profile(archive, profile, "H200");
  const std::string id = record_profile(archive, profile, "H200");
  const auto lines = profiles_of(archive, candidate.line.hash, 10);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].id, id);
  EXPECT_EQ(lines[0].bound, "memory");
  EXPECT_EQ(lines[0].advice, 2);
  EXPECT_EQ(list_profiles(archive, 1).size(), 1u);
  EXPECT_THAT(profiles_of(archive, "unknown", 10), IsEmpty());
  const Found found = find_by_id(archive, id.substr(0, 8));
  EXPECT_EQ(found.kind, Found::Kind::profile);
  EXPECT_EQ(found.id, id);
}

TEST_F(Profiles, WithTwoAdvicesOfOneIdAreRefusedWhole) {
  profile.advice[1].id = "A1";
  EXPECT_THROW(record_profile(archive, profile, "H200"), base::Error);
  EXPECT_THAT(list_profiles(archive, 10), IsEmpty());
}

struct AdviceLedger : Profiles {
  std::int64_t experiment = 0;
  std::string run = a_run(experiment), id = record_profile(archive, profile, "H200");

  const ToolRecord record_of(const std::string& tool) {
    for (auto& record : tool_records(archive))
      if (record.tool == tool) return record;
    return {};
  }
};

TEST_F(AdviceLedger, CountsWhatWasShownCitedAndGained) {
  record_shown(archive, run, 1, 1, id);
  record_cited(archive, experiment, id, {"A1", "A9"});
  record_realised(archive, experiment, 1, core::Outcome::accepted, 12.0);
  const auto narrow = record_of("narrow-access"), occupancy = record_of("occupancy");
  EXPECT_EQ(narrow.fired, 1);
  EXPECT_EQ(narrow.shown, 1);
  EXPECT_EQ(narrow.cited, 1);
  EXPECT_EQ(narrow.followed, 1);
  EXPECT_EQ(narrow.right, 1);
  EXPECT_EQ(narrow.covered, 1);
  EXPECT_EQ(narrow.width, 15);
  EXPECT_EQ(narrow.realised, 12);
  EXPECT_EQ(occupancy.shown, 1);
  EXPECT_EQ(occupancy.cited, 0);
  EXPECT_EQ(occupancy.width, 20);
  const auto cited = citations_of(archive, run);
  ASSERT_EQ(cited.size(), 1u) << "A9 is not there";
  EXPECT_EQ(cited[0].advice, "A1");
  EXPECT_EQ(cited[0].node, 1);
  EXPECT_EQ(cited[0].realised, 12.0);
  EXPECT_EQ(cited[0].predicted.high, 20);
  const auto shown = shown_in(archive, run);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].profile, id);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(AdviceLedger, IsRightAboveTheIntervalButDoesNotCoverIt) {
  record_cited(archive, experiment, id, {"A1"});
  record_realised(archive, experiment, 1, core::Outcome::accepted, 33.0);
  EXPECT_EQ(record_of("narrow-access").right, 1);
  EXPECT_EQ(record_of("narrow-access").covered, 0);
}

TEST_F(AdviceLedger, DoesNotCallAPromiseOfNothingRightThatGainedLittle) {
  profile.advice[0].gain = {0, 50};
  profile.advice[1].gain = {0.5, 9.5};
  const std::string vague = record_profile(archive, profile, "H200");
  record_cited(archive, experiment, vague, {"A1", "A2"});
  record_realised(archive, experiment, 1, core::Outcome::accepted, 6.0);
  EXPECT_EQ(record_of("narrow-access").right, 0) << "6 % are less than the middle of 0 to 50 %";
  EXPECT_EQ(record_of("narrow-access").covered, 1);
  EXPECT_EQ(record_of("occupancy").right, 1) << "6 % are more than the middle of 0.5 to 9.5 %";
}

TEST_F(AdviceLedger, DoesNotBlameAToolForAKernelThatIsWrong) {
  record_cited(archive, experiment, id, {"A1"});
  record_realised(archive, experiment, 1, core::Outcome::wrong, std::nullopt);
  const auto record = record_of("narrow-access");
  EXPECT_EQ(record.cited, 1);
  EXPECT_EQ(record.followed, 0);
  EXPECT_EQ(record.right, 0);
  EXPECT_EQ(citations_of(archive, run)[0].outcome, "wrong");
}

TEST_F(AdviceLedger, KeepsTheFirstRecordOfAStep) {
  for (int again = 0; again < 2; ++again) {
    record_shown(archive, run, 1, 1, id);
    record_cited(archive, experiment, id, {"A1"});
    record_realised(archive, experiment, 1, core::Outcome::accepted, 12.0 + again);
  }
  const auto record = record_of("narrow-access");
  EXPECT_EQ(record.shown, 1);
  EXPECT_EQ(record.cited, 1);
  EXPECT_EQ(record.realised, 12);
}

TEST_F(AdviceLedger, IsSharedByAllRuns) {
  std::int64_t other = 0;
  const std::string second = a_run(other);
  record_cited(archive, experiment, id, {"A1"});
  record_cited(archive, other, id, {"A1"});
  record_realised(archive, experiment, 1, core::Outcome::accepted, 10.0);
  record_realised(archive, other, 1, core::Outcome::accepted, -4.0);
  const auto record = record_of("narrow-access");
  EXPECT_EQ(record.followed, 2);
  EXPECT_EQ(record.right, 1);
  EXPECT_EQ(record.realised, 3);
  EXPECT_EQ(citations_of(archive, second).size(), 1u);
}

}  // namespace
}  // namespace hone::store
