#include "task/external_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::task {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* good_task = R"(hone = 1
kind = "external"
name = "primes"
summary = "Counts primes."
statement = "statement.md"
language = "C"
extension = "c"
seeds = ["seed.c"]
[[case]]
name = "small"
[[case]]
name = "n=1000"
)";

class ExternalTask : public testing::Test {
 protected:
  ExternalTask() : folder_("hone-external-test") {
    write("task.toml", good_task);
    write("statement.md", "Count the primes below the number given.\n");
    write("seed.c", "int main(void) { return 0; }\n");
  }
  void write(const std::string& name, const std::string& text) {
    base::write_file_atomically(folder_.path() / name, text);
  }
  // The task with one text in task.toml replaced: what is said of it.
  std::string said(const std::string& from, const std::string& to) {
    std::string toml = good_task;
    toml.replace(toml.find(from), from.size(), to);
    write("task.toml", toml);
    const auto task = load_task(folder_.path());
    return task ? "" : render_with_sources(task.error());
  }
  base::TemporaryFolder folder_;
};

TEST_F(ExternalTask, HasAStatementSeedsAndCasesByName) {
  const auto task = load_task(folder_.path());
  ASSERT_TRUE(task.ok()) << render_with_sources(task.error());
  ASSERT_TRUE(task->external);
  EXPECT_EQ(task->name, "primes");
  EXPECT_THAT(task->external->statement, HasSubstr("Count the primes"));
  EXPECT_EQ(task->external->language, "C");
  EXPECT_EQ(task->external->extension, "c");
  ASSERT_EQ(task->external->seeds.size(), 1u);
  EXPECT_EQ(task->external->seeds[0].name, "seed.c");
  ASSERT_EQ(task->cases.size(), 2u);
  EXPECT_EQ(task->cases[1].name, "n=1000");
  EXPECT_TRUE(task->inputs.empty());
  EXPECT_TRUE(check_task(folder_.path()).empty());
}

TEST_F(ExternalTask, IsAnotherTaskWithAnotherStatementButNotWithAnotherSeed) {
  const std::string before = load_task(folder_.path())->hash;
  write("seed.c", "int main(void) { return 1; }\n");
  EXPECT_EQ(load_task(folder_.path())->hash, before);
  write("statement.md", "Count something else.\n");
  EXPECT_NE(load_task(folder_.path())->hash, before);
}

TEST_F(ExternalTask, SaysWhatIsWrongWithItAndWhere) {
  EXPECT_THAT(said("statement = \"statement.md\"", "statement = \"../secret\""), HasSubstr("5:14"));
  EXPECT_THAT(said("statement = \"statement.md\"", "statement = \"absent.md\""),
              HasSubstr("no such file"));
  EXPECT_THAT(said("statement = \"statement.md\"\n", ""), HasSubstr("statement"));
  EXPECT_THAT(said("extension = \"c\"", "extension = \".c\""), HasSubstr("without the dot"));
  EXPECT_THAT(said("[\"seed.c\"]", "[\"/etc/passwd\"]"), HasSubstr("seed"));
  EXPECT_THAT(said("\"n=1000\"", "\"small\""), HasSubstr("same name"));
  EXPECT_THAT(said("hone = 1", "hone = 2"), HasSubstr("format 1"));
  EXPECT_THAT(said("extension = \"c\"", "extension = \"c\"\nknowledge = [\"../gpu\"]"),
              HasSubstr("cannot name knowledge"));
  EXPECT_THAT(said("language", "langauge"), HasSubstr("did you mean"));
  EXPECT_THAT(said("[[case]]\nname = \"small\"\n[[case]]\nname = \"n=1000\"\n", ""),
              HasSubstr("[[case]]"));
}

TEST_F(ExternalTask, DoesNotTakeAnUnknownKind) {
  EXPECT_THAT(said("\"external\"", "\"extern\""), HasSubstr("kind"));
}

TEST(ExternalCandidate, IsAnyTextWithoutAPlan) {
  const auto candidate = candidate_from("print('hello')\n", core::Language::external, "a.py");
  ASSERT_TRUE(candidate.ok());
  EXPECT_TRUE(candidate->plan.launches.empty());
  EXPECT_NE(candidate->hash, hash_of("print('hello')\n", core::Language::cuda));
  EXPECT_FALSE(candidate_from(std::string("a\0b", 3), core::Language::external, "a.py").ok());
}

}  // namespace
}  // namespace hone::task
