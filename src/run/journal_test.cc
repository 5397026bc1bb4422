#include "run/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json.h"
#include "store/advice_ledger.h"
#include "store/journal.h"
#include "store/test_support.h"

namespace hone::run {
namespace {

using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;

struct JournalTest : testing::Test {
  store::testing::Fixture f;
  std::string id;

  JournalTest() {
    store::record_task(f.archive, a_task());
    id = store::begin_run(
        f.archive,
        {.task = a_task().hash, .device = "GPU-1", .device_name = "H200", .settings = "{}"});
  }
  static std::string text_of(const core::Tree& tree) {
    std::string text;
    for (const auto& node : tree.nodes)
      text += fmt::format("{} {} {} {} {}\n", node.number, static_cast<int>(node.state),
                          node.candidate, node.report, base::json_line(node.verdict));
    return text;
  }
  static core::Action a_write() {
    return {.kind = core::Action::Kind::write,
            .place = {.origin = core::Origin::attempt, .index = 1}};
  }
  // The seed, written and judged.
  void begin(Journal& journal) {
    journal.append([&](store::Archive& archive) {
      store::record_candidate(archive, a_candidate());
      return core::Given{
          {.origin = core::Origin::user_seed}, a_candidate().line.hash, "seed.cu", "the user"};
    });
    journal.append([&](store::Archive& archive) {
      const auto evaluation = an_evaluation(a_task(), a_candidate());
      return core::Judged{
          1,
          core::verdict_of(evaluation, store::record_evaluation(archive, evaluation, "H200")),
          {},
          {}};
    });
  }
};

TEST_F(JournalTest, IsReadAsTheTreeThatItWas) {
  SharedArchive shared(f.archive);
  Journal journal(shared, id);
  begin(journal);
  journal.append(core::numbered(journal.tree(), {a_write()}));
  journal.append(core::NotWritten{2, true, "There is no code in it.", {}});
  const Journal again(shared, id);
  EXPECT_EQ(text_of(again.tree()), text_of(journal.tree()));
  EXPECT_EQ(again.tree().nodes.size(), 2u);
  EXPECT_TRUE(again.tree().nodes[0].accepted());
}

TEST_F(JournalTest, WritesARecordAndWhatBelongsToItOrNeither) {
  SharedArchive shared(f.archive);
  Journal journal(shared, id);
  EXPECT_THROW(journal.append([&](store::Archive& archive) -> core::Record {
    store::record_candidate(archive, a_candidate());
    base::fail(base::ExitCode::environment, "the disk is full");
  }),
               base::Error);
  EXPECT_EQ(f.archive.counts().candidates, 0);
  EXPECT_TRUE(journal.tree().nodes.empty());
  EXPECT_TRUE(store::journal_of(f.archive, id).empty());
}

TEST_F(JournalTest, LeavesRowsByWhichOthersFindWhatBelongsToTheRun) {
  SharedArchive shared(f.archive);
  Journal journal(shared, id);
  begin(journal);
  const auto rows = store::node_rows_of(f.archive, id);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].number, 1);
  EXPECT_EQ(rows[0].candidate, a_candidate().line.hash);
  ASSERT_EQ(store::evaluations_of_run(f.archive, id).size(), 1u);
  EXPECT_EQ(store::evaluations_of_run(f.archive, id)[0].node, 1);
}

TEST_F(JournalTest, OfARunWithoutRecordsIsEmpty) {
  SharedArchive shared(f.archive);
  EXPECT_TRUE(Journal(shared, id).tree().nodes.empty());
  EXPECT_FALSE(has_journal(f.archive, id));
}

TEST_F(JournalTest, ThatIsDamagedIsAnErrorOfTheArchive) {
  store::append_journal(f.archive, id, "judged", R"({"record":"judged","node":"one"})");
  SharedArchive shared(f.archive);
  try {
    const Journal journal(shared, id);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::archive);
    EXPECT_THAT(error.what(), testing::HasSubstr(id));
  }
}

}  // namespace
}  // namespace hone::run
