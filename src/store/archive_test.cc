#include "store/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/test_support.h"
#include "store/tuning.h"

namespace hone::store {
namespace {

using testing::a_candidate;
using testing::a_task;
using ::testing::AllOf;
using testing::an_evaluation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string error_of(const std::function<void()>& work, base::ExitCode code) {
  try {
    work();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no Error";
  return "";
}

TEST(Archive, IsMadeWithItsFolderWhereThereIsNone) {
  base::TemporaryFolder folder("hone-store-test");
  Archive archive = Archive::open(folder.path() / "a/b/archive.db");
  EXPECT_EQ(archive.counts().evaluations, 0);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST(Archive, KeepsTasksOnceByTheirHash) {
  testing::Fixture f;
  EXPECT_TRUE(record_task(f.archive, a_task()));
  EXPECT_FALSE(record_task(f.archive, a_task()));
  EXPECT_TRUE(record_task(f.archive, a_task("softmax", "2")));
  EXPECT_EQ(f.archive.counts().tasks, 2);
  const TaskRecord task = get_task(f.archive, a_task().hash);
  EXPECT_EQ(task.name, "softmax");
  EXPECT_EQ(task.folder, a_task().folder);
  EXPECT_EQ(task.toml, a_task().toml);
  EXPECT_EQ(newest_task_named(f.archive, "softmax"), a_task("softmax", "2").hash);
  EXPECT_EQ(newest_task_named(f.archive, "matmul"), std::nullopt);
}

TEST(Archive, GivesACandidateBackAsItWasRecorded) {
  testing::Fixture f;
  CandidateRecord wanted = a_candidate();
  wanted.source += std::string("binary \0 \xff", 10);
  wanted.line.created = Time(std::chrono::milliseconds(1'700'000'000'123));
  EXPECT_TRUE(record_candidate(f.archive, wanted));
  const CandidateRecord got = get_candidate(f.archive, wanted.line.hash);
  EXPECT_EQ(got.line.hash, wanted.line.hash);
  EXPECT_EQ(got.line.language, core::Language::opencl);
  EXPECT_EQ(got.line.name, "seed.cl");
  EXPECT_EQ(got.line.author, "someone");
  EXPECT_EQ(got.line.note, "a note");
  EXPECT_EQ(got.line.created, wanted.line.created);
  EXPECT_EQ(got.source, wanted.source);
  EXPECT_THAT(got.parents, IsEmpty());
}

TEST(Archive, KeepsLargeSourcesAsObjects) {
  testing::Fixture f;
  CandidateRecord wanted = a_candidate();
  wanted.source.resize(largest_inline_text + 1, 'x');
  record_candidate(f.archive, wanted);
  EXPECT_TRUE(
      std::filesystem::exists(f.archive.objects().path_of(base::sha256_hex(wanted.source))));
  EXPECT_EQ(get_candidate(f.archive, wanted.line.hash).source, wanted.source);
}

TEST(Archive, LetsTheFirstRecordOfACandidateStand) {
  testing::Fixture f;
  record_candidate(f.archive, a_candidate());
  CandidateRecord again = a_candidate();
  again.line.author = "someone else";
  EXPECT_FALSE(record_candidate(f.archive, again));
  EXPECT_EQ(get_candidate(f.archive, again.line.hash).line.author, "someone");
}

TEST(Archive, FollowsParentsThroughTheWholeLineage) {
  testing::Fixture f;
  const auto seed = a_candidate("seed"), left = a_candidate("left", {seed.line.hash}),
             right = a_candidate("right", {seed.line.hash});
  const auto child = a_candidate("child", {left.line.hash, right.line.hash}),
             stranger = a_candidate("stranger");
  for (const auto& candidate : {seed, left, right, child, stranger})
    record_candidate(f.archive, candidate);
  const auto names = [](const std::vector<CandidateLine>& lines) {
    std::string all;
    for (const auto& line : lines) all += line.name + " ";
    return all;
  };
  EXPECT_EQ(names(lineage_of(f.archive, child.line.hash)), "right left seed ");
  EXPECT_EQ(names(parents_of(f.archive, child.line.hash)), "left right ");
  EXPECT_EQ(names(children_of(f.archive, seed.line.hash, 10)), "left right ");
  EXPECT_EQ(names(children_of(f.archive, seed.line.hash, 1)), "left ");
  EXPECT_EQ(names(lineage_of(f.archive, stranger.line.hash)), "");
  EXPECT_EQ(names(list_candidates(f.archive, 2)), "stranger child ");
}

TEST(Archive, RecordsNothingOfACandidateWhoseParentIsUnknown) {
  testing::Fixture f;
  const auto orphan = a_candidate("orphan", {a_candidate("unknown").line.hash});
  EXPECT_THAT(error_of([&] { record_candidate(f.archive, orphan); }, base::ExitCode::archive),
              HasSubstr("has to be recorded before"));
  EXPECT_EQ(f.archive.counts().candidates, 0);
}

TEST(Archive, FindsCandidatesAndEvaluationsByTheBeginningOfTheirId) {
  testing::Fixture f;
  record_task(f.archive, a_task());
  record_candidate(f.archive, a_candidate());
  const std::string id =
      record_evaluation(f.archive, an_evaluation(a_task(), a_candidate()), "H200");
  EXPECT_EQ(id.size(), id_digits);
  const Found evaluation = find_by_id(f.archive, id.substr(0, 10));
  EXPECT_EQ(evaluation.kind, Found::Kind::evaluation);
  EXPECT_EQ(evaluation.id, id);
  std::string upper = short_hash(a_candidate().line.hash);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  const Found candidate = find_by_id(f.archive, upper);
  EXPECT_EQ(candidate.kind, Found::Kind::candidate);
  EXPECT_EQ(candidate.id, a_candidate().line.hash);
}

TEST(Archive, ListsWhatAnAmbiguousIdCouldMean) {
  testing::Fixture f;
  CandidateRecord one = a_candidate("one"), two = a_candidate("two");
  one.line.hash = "abcdef" + std::string(58, '1');
  two.line.hash = "abcdef" + std::string(58, '2');
  record_candidate(f.archive, one);
  record_candidate(f.archive, two);
  EXPECT_THAT(error_of([&] { find_by_id(f.archive, "abcd"); }, base::ExitCode::bad_input),
              AllOf(HasSubstr("several ids begin with abcd"), HasSubstr("(one)"),
                    HasSubstr(two.line.hash)));
  EXPECT_EQ(find_by_id(f.archive, "abcdef2").id, two.line.hash);
}

TEST(Archive, SaysWhenNothingHasAnId) {
  testing::Fixture f;
  EXPECT_THAT(error_of([&] { find_by_id(f.archive, "abcdef"); }, base::ExitCode::bad_input),
              HasSubstr("hone log"));
  EXPECT_THAT(error_of([&] { find_by_id(f.archive, "xyz'; --"); }, base::ExitCode::bad_input),
              HasSubstr("is no id"));
  EXPECT_THAT(error_of([&] { find_by_id(f.archive, "abc"); }, base::ExitCode::bad_input),
              HasSubstr("is no id"));
  EXPECT_THAT(error_of([&] { find_by_id(f.archive, ""); }, base::ExitCode::bad_input),
              HasSubstr("is no id"));
}

TEST(Archive, RefusesToChangeOrDeleteWhatWasRecorded) {
  testing::Fixture f;
  record_task(f.archive, a_task());
  record_candidate(f.archive, a_candidate("parent"));
  record_candidate(f.archive, a_candidate("child", {a_candidate("parent").line.hash}));
  record_evaluation(f.archive, an_evaluation(a_task(), a_candidate("child")), "H200");
  const auto refusal_of = [&](const std::string& sql) {
    return error_of([&] { f.archive.database().run_script(sql); }, base::ExitCode::archive);
  };
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"tasks", "name"},     {"candidates", "name"},     {"candidate_parents", "parent"},
      {"devices", "name"},   {"evaluations", "outcome"}, {"evidence", "text"},
      {"metrics", "value"},  {"case_results", "median"}, {"metric_tags", "hint"},
      {"migrations", "name"}};
  for (const auto& [table, column] : tables) {
    EXPECT_THAT(refusal_of(fmt::format("UPDATE {0} SET {1} = {1}", table, column)),
                HasSubstr("append-only"))
        << table;
    EXPECT_THAT(refusal_of("DELETE FROM " + table), HasSubstr("append-only")) << table;
  }
  const std::string replace =
      "INSERT OR REPLACE INTO devices (id, uuid, name) SELECT id, uuid, 'other' FROM devices";
  EXPECT_THAT(refusal_of(replace), HasSubstr("append-only"));
}

TEST(Archive, NoticesATableThatCouldBeChanged) {
  testing::Fixture f;
  EXPECT_THAT(f.archive.check(), IsEmpty());
  f.archive.database().run_script("DROP TRIGGER tuning_states_refuse_delete");
  EXPECT_THAT(f.archive.check(), ElementsAre(HasSubstr("tuning_states is not append-only")));
}

TEST(ArchiveTransaction, RecordsAllOrNothing) {
  testing::Fixture f;
  {
    ArchiveTransaction batch(f.archive);
    record_task(f.archive, a_task("one"));
    record_task(f.archive, a_task("two"));
    batch.commit();
  }
  {
    ArchiveTransaction rolled_back(f.archive);
    record_task(f.archive, a_task("three"));
  }
  EXPECT_EQ(f.archive.counts().tasks, 2);
}

TEST(ArchiveTransaction, CannotCommitWhatIsMissingAPart) {
  testing::Fixture f;
  {
    ArchiveTransaction batch(f.archive);
    record_candidate(f.archive, a_candidate("good"));
    EXPECT_THROW(record_candidate(f.archive, a_candidate("orphan", {"unknown"})), base::Error);
    EXPECT_THAT(error_of([&] { batch.commit(); }, base::ExitCode::archive),
                HasSubstr("nothing of this batch"));
  }
  EXPECT_EQ(f.archive.counts().candidates, 0);
  record_candidate(f.archive, a_candidate("good"));
  EXPECT_EQ(f.archive.counts().candidates, 1);
}

TEST(TuningRun, GoesOnWhereItWasLeft) {
  testing::Fixture f;
  record_task(f.archive, a_task());
  record_candidate(f.archive, a_candidate());
  const auto subject = [&] {
    return find_unfinished_run(f.archive, a_task().hash, a_candidate().line.hash, "GPU-1234");
  };
  EXPECT_FALSE(subject());

  TuningRun run;
  run.task = a_task().hash;
  run.candidate = a_candidate().line.hash;
  run.device = "GPU-1234";
  run.device_name = "H200";
  run.driver = "580";
  run.compiler = "nvrtc";
  run.protocol = 3;
  run.settings = R"({"seed":7})";
  const std::string id = start_tuning_run(f.archive, run);
  const std::string first = record_evaluation(
      f.archive, an_evaluation(a_task(), a_candidate(), {{"BLOCK", 64}}), "H200", id);
  const std::string second = record_evaluation(
      f.archive, an_evaluation(a_task(), a_candidate(), {{"BLOCK", 128}}), "H200");
  link_tuning_point(f.archive, id, second);
  link_tuning_point(f.archive, id, second);

  const auto found = subject();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, id);
  EXPECT_EQ(found->state, TuningState::running);
  EXPECT_EQ(found->settings, run.settings);
  EXPECT_EQ(found->task_name, "softmax");
  EXPECT_EQ(found->candidate_name, "seed.cl");
  EXPECT_EQ(found->device_name, "H200");
  EXPECT_EQ(found->driver, "580");
  EXPECT_EQ(found->compiler, "nvrtc");
  EXPECT_EQ(found->protocol, 3);
  const auto points = tuning_points(f.archive, id);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].id, first);
  EXPECT_EQ(points[1].point, (core::Point{{"BLOCK", 128}}));

  set_tuning_state(f.archive, id, TuningState::stopped, "the budget was spent");
  EXPECT_EQ(subject()->note, "the budget was spent");
  set_tuning_state(f.archive, id, TuningState::finished, "", second, a_candidate().line.hash);
  EXPECT_FALSE(subject());
  const TuningRun done = get_tuning_run(f.archive, id.substr(0, 8));
  EXPECT_EQ(done.state, TuningState::finished);
  EXPECT_EQ(done.winner_evaluation, second);
  EXPECT_EQ(done.winner_candidate, a_candidate().line.hash);
  EXPECT_EQ(list_tuning_runs(f.archive, 10).size(), 1u);
}

}  // namespace
}  // namespace hone::store
