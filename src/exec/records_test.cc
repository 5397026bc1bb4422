#include "exec/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"

namespace hone::exec {
namespace {

using testing::HasSubstr;

const std::vector<BundleRecord> some = {
    {"head", "{}"}, {"job", std::string("binary \0 and\nlines\n", 19)}, {"end", ""}};

std::string bodies(const Records& records) {
  std::string text;
  for (const auto& record : records.all) text += record.kind + ":" + record.body + ";";
  return text;
}

TEST(Records, ComeBackAsTheyWereWritten) {
  const std::string text = write_records(some, "test", 1);
  const auto back = parse_records(text, "test", 1);
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_FALSE(back->cut);
  EXPECT_EQ(back->length, text.size());
  ASSERT_EQ(back->all.size(), 3u);
  EXPECT_EQ(back->all[1].body, some[1].body);
  EXPECT_EQ(back->hash, hash_of(some, "test", 1));
}

TEST(Records, KnowAFileThatWasCutAnywhereFromADamagedOne) {
  const std::string text = write_records(some, "test", 1);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto back = parse_records(text.substr(0, size), "test", 1);
    ASSERT_TRUE(back.ok()) << "at " << size << ": " << back.error();
    EXPECT_LT(back->all.size(), 3u);
    EXPECT_TRUE(back->cut || back->length == size) << size;
  }
}

TEST(Records, NoticeEveryFlippedBit) {
  const std::string text = write_records(some, "test", 1);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      const auto back = parse_records(other, "test", 1);
      EXPECT_FALSE(back.ok()) << "byte " << at << " bit " << bit << ": " << bodies(*back);
    }
}

TEST(Records, NoticeARecordThatWasTakenOutOrMoved) {
  const std::vector<BundleRecord> other = {some[1], some[0], some[2]};
  EXPECT_NE(hash_of(other, "test", 1), hash_of(some, "test", 1));
  const std::string text = write_records(some, "test", 1);
  const auto second = text.find("job "), third = text.find("end ");
  EXPECT_FALSE(parse_records(text.substr(0, second) + text.substr(third), "test", 1).ok());
}

TEST(Records, SayThatAnotherVersionOrKindIsNotTheirs) {
  const std::string text = write_records(some, "test", 2);
  EXPECT_THAT(parse_records(text, "test", 1).error(), HasSubstr("version 2"));
  EXPECT_THAT(parse_records(text, "bundle", 2).error(), HasSubstr("'bundle'"));
  EXPECT_FALSE(parse_records("hone test 99999999999999999999\n", "test", 1).ok());
}

TEST(RecordLog, GoesOnWhereAnEarlierProcessWasCutShort) {
  const base::TemporaryFolder folder("hone-records-test");
  const auto path = folder.path() / "log";
  {
    RecordLog log(path, "test", 1);
    log.append("one", "1");
    log.append("two", "22");
  }
  const std::string whole = base::read_file(path);
  const std::size_t second = whole.find("two ");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    base::write_file_atomically(path, whole.substr(0, size));
    {
      RecordLog log(path, "test", 1);
      EXPECT_LE(log.records().all.size(), 2u);
      log.append("three", "333");
    }
    const auto back = read_records(path, "test", 1);
    ASSERT_TRUE(back.ok()) << size << ": " << back.error();
    EXPECT_EQ(back->all.back().body, "333");
    EXPECT_EQ(back->all.front().kind, size < second ? "three" : "one") << size;
  }
}

TEST(RecordLog, IsWrittenByOneAtATimeAndNeverOverSomethingElse) {
  const base::TemporaryFolder folder("hone-records-test");
  const RecordLog log(folder.path() / "log", "test", 1);
  EXPECT_THROW(RecordLog(folder.path() / "log", "test", 1), base::Error);
  base::write_file_atomically(folder.path() / "thesis", "years of work");
  EXPECT_THROW(RecordLog(folder.path() / "thesis", "test", 1), base::Error);
  EXPECT_EQ(base::read_file(folder.path() / "thesis"), "years of work");
}

}  // namespace
}  // namespace hone::exec
