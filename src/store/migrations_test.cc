#include "store/migrations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/advice_ledger.h"
#include "store/comparisons.h"
#include "store/journal.h"
#include "store/profiles.h"
#include "store/research.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Migrations : ::testing::Test {
  base::TemporaryFolder folder{"hone-store-test"};
  std::filesystem::path path = folder.path() / "archive.db";

  std::string error_of_opening() {
    try {
      Archive::open(path);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::archive);
      return error.what();
    }
    ADD_FAILURE() << "no Error";
    return "";
  }
};

TEST_F(Migrations, BringAnEmptyFileToTheLatestVersion) {
  Archive archive = Archive::open(path);
  EXPECT_EQ(archive.version(), latest_version());
  EXPECT_GE(latest_version(), 6);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Migrations, ChangeNothingTheSecondTime) {
  Archive::open(path);
  EXPECT_EQ(Archive::open(path).version(), latest_version());
}

TEST_F(Migrations, BringVersion1ToTheLatestAndKeepItsRecords) {
  {
    Database database(path);
    migrate(database, 1);
    EXPECT_EQ(version_of(database), 1);
    database.run_script(
        "INSERT INTO tasks (hash, name, folder, created, toml) VALUES ('abc', 'softmax', "
        "'/somewhere', 5, 'hone = 1')");
    EXPECT_THROW(database.query("list_tuning_runs", 1), base::Error);
  }
  Archive archive = Archive::open(path);
  EXPECT_EQ(archive.version(), latest_version());
  EXPECT_EQ(get_task(archive, "abc").toml, "hone = 1");
  EXPECT_EQ(archive.counts().tuning_runs, 0);
  EXPECT_EQ(archive.counts().research_runs, 0);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Migrations, BringVersion3WithItsEvaluationsAndComparisonsToTheLatest) {
  {
    Database database(path);
    migrate(database, 3);
    database.run_script(
        "INSERT INTO tasks (id, hash, name, folder, created, toml) VALUES (1, 'abc', 'softmax', "
        "'/somewhere', 5, 't');INSERT INTO candidates (id, hash, language, name, author, note, "
        "created, source) VALUES (1, 'def', 'opencl', 'seed.cl', 'me', '', 5, 'source');INSERT "
        "INTO devices (id, uuid, name) VALUES (1, 'GPU-1', 'H200');INSERT INTO comparisons (id, "
        "task, device, driver, compiler, protocol, candidate_a, point_a, candidate_b, point_b, "
        "ratio, word, stopped_by, created) VALUES ('123456789abc', 1, 1, '580', 'nvrtc', 1, 1, "
        "'{}', 1, '{}', 0.5, 'faster', 'decided', 5);");
    EXPECT_THROW(database.query("list_research_runs", 1), base::Error);
  }
  Archive archive = Archive::open(path);
  const auto comparisons = comparisons_of(archive, "def", 10);
  ASSERT_EQ(comparisons.size(), 1u);
  EXPECT_EQ(comparisons[0].ratio, 0.5);
  EXPECT_EQ(comparisons[0].word, core::Comparison::faster);
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Migrations, BringVersion4WithItsRunsToTheLatest) {
  {
    Database database(path);
    migrate(database, 4);
    database.run_script(
        "INSERT INTO tasks (id, hash, name, folder, created, toml) VALUES (1, 'abc', 'softmax', "
        "'/somewhere', 5, 't');INSERT INTO devices (id, uuid, name) VALUES (1, 'GPU-1', "
        "'H200');INSERT INTO research_runs (id, task, device, settings, created) VALUES "
        "('r1234567890a', 1, 1, '{}', 5);INSERT INTO research_states (run, state, note, created) "
        "VALUES (1, 'stopped', '', 5);");
    EXPECT_THROW(database.query("list_profiles", 1), base::Error);
  }
  Archive archive = Archive::open(path);
  EXPECT_EQ(list_runs(archive, 5).at(0).state, RunState::stopped);
  EXPECT_THAT(list_profiles(archive, 5), IsEmpty());
  EXPECT_THAT(tool_records(archive), IsEmpty());
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Migrations, BringVersion5WithTheDecisionsOfItsRunsToTheLatest) {
  {
    Database database(path);
    migrate(database, 5);
    database.run_script(
        "INSERT INTO tasks (id, hash, name, folder, created, toml) VALUES (1, 'abc', 'softmax', "
        "'/somewhere', 5, 't');INSERT INTO devices (id, uuid, name) VALUES (1, 'GPU-1', "
        "'H200');INSERT INTO research_runs (id, task, device, settings, created) VALUES "
        "('r1234567890a', 1, 1, '{}', 5);INSERT INTO decisions (run, name, created, body) VALUES "
        "(1, 'g001/selection', 5, '{\"basis\":1}');");
    EXPECT_THROW(database.query("journal_of_run", 1, 0), base::Error);
  }
  Archive archive = Archive::open(path);
  EXPECT_EQ(decision(archive, "r1234567890a", "g001/selection"), R"({"basis":1})");
  EXPECT_THAT(journal_of(archive, "r1234567890a"), IsEmpty());
  EXPECT_FALSE(activity_of(archive, "r1234567890a"));
  EXPECT_THAT(archive.check(), IsEmpty());
}

TEST_F(Migrations, RefuseANewerArchiveAndNameBothVersions) {
  Archive::open(path);
  Database(path).run_script("PRAGMA user_version = 4711");
  EXPECT_THAT(error_of_opening(),
              AllOf(HasSubstr("4711"), HasSubstr(std::to_string(latest_version())),
                    HasSubstr("newer hone")));
}

TEST_F(Migrations, LeaveAnotherProgramsDatabaseAlone) {
  Database(path).run_script("CREATE TABLE bookmarks (url TEXT)");
  EXPECT_THAT(error_of_opening(), HasSubstr("another program"));
}

TEST_F(Migrations, LeaveAFileThatIsNoDatabaseAlone) {
  const std::string text(5000, 'x');
  base::write_file_atomically(path, text);
  EXPECT_THAT(error_of_opening(), HasSubstr("no archive"));
  EXPECT_EQ(base::read_file(path), text);
}

TEST_F(Migrations, HappenWholeOrNotAtAll) {
  // A table that the third migration wants to make is already there, so it fails after the second
  // has been applied.
  {
    Database database(path);
    migrate(database, 1);
    database.run_script("CREATE TABLE tuning_runs (x)");
  }
  EXPECT_THROW(Archive::open(path), base::Error);
  Database database(path);
  EXPECT_EQ(version_of(database), 1);
}

}  // namespace
}  // namespace hone::store
