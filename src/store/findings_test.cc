#include "store/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/research.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Findings : ::testing::Test {
  testing::Fixture f;
  Archive& archive = f.archive;

  std::string add(const std::string& text, const std::string& task = "",
                  const std::string& device = "") {
    Finding finding;
    finding.text = text;
    finding.task = task;
    finding.device = device;
    finding.source = "user";
    return add_finding(archive, finding);
  }
  std::vector<std::string> texts(const FindingFilter& filter) {
    std::vector<std::string> all;
    for (const Finding& finding : findings(archive, filter)) all.push_back(finding.text);
    return all;
  }
};

TEST_F(Findings, AreGivenBackAsTheyWereAdded) {
  record_task(archive, testing::a_task());
  ResearchRun run;
  run.task = testing::a_task().hash;
  run.device = "GPU-1234";
  Finding wanted;
  wanted.task = "softmax";
  wanted.device = "sm_90a";
  wanted.text = std::string(largest_inline_text + 5, 'x') + "ä";
  wanted.source = "probe";
  wanted.run = begin_run(archive, run);
  wanted.created = Time(std::chrono::milliseconds(1'700'000'000'123));
  const std::string id = add_finding(archive, wanted);
  const Finding got = get_finding(archive, id.substr(0, 8));
  EXPECT_EQ(got.id, id);
  EXPECT_EQ(got.created, wanted.created);
  EXPECT_EQ(got.task, wanted.task);
  EXPECT_EQ(got.device, wanted.device);
  EXPECT_EQ(got.text, wanted.text);
  EXPECT_EQ(got.source, wanted.source);
  EXPECT_EQ(got.run, wanted.run);
  EXPECT_FALSE(got.deleted);
}

TEST_F(Findings, TheSameSentenceIsKeptOnceForATaskAndADevice) {
  const std::string first = add("Copies are quicker.", "copy", "cpu");
  EXPECT_EQ(add("copies  are quicker", "copy", "cpu"), first);
  EXPECT_NE(add("Copies are quicker.", "copy", "sm_90a"), first)
      << "of another device it is another finding";
  delete_finding(archive, first);
  EXPECT_NE(add("Copies are quicker.", "copy", "cpu"), first)
      << "one that was deleted can be found again";
}

TEST_F(Findings, AreListedForATaskAndADeviceTogetherWithThoseAboutAny) {
  add("any");
  add("softmax", "softmax");
  add("matmul", "matmul");
  add("hopper", "", "sm_90a");
  add("softmax on hopper", "softmax", "sm_90a");
  add("softmax on the cpu", "softmax", "cpu");
  EXPECT_THAT(texts({"softmax", "sm_90a"}),
              ElementsAre("softmax on hopper", "hopper", "softmax", "any"));
  EXPECT_THAT(texts({"matmul", ""}), ElementsAre("hopper", "matmul", "any"));
  EXPECT_THAT(texts({"", "cpu"}), ElementsAre("softmax on the cpu", "matmul", "softmax", "any"));
  EXPECT_EQ(texts({}).size(), 6u);
  EXPECT_EQ(texts({"softmax", "cpu", true}).size(), 6u);
  EXPECT_THAT(texts({"softmax", "sm_90a", false, 2}), ElementsAre("softmax on hopper", "hopper"));
}

TEST_F(Findings, KeepTheirIdWhenTheyAreEditedAndLeaveTheListWhenTheyAreDeleted) {
  const std::string first = add("wrong"), second = add("right");
  edit_finding(archive, first, "corrected");
  EXPECT_THAT(texts({}), ElementsAre("corrected", "right"));
  EXPECT_EQ(get_finding(archive, first).text, "corrected");
  delete_finding(archive, second.substr(0, 6));
  delete_finding(archive, second);
  EXPECT_THAT(texts({}), ElementsAre("corrected"));
  EXPECT_TRUE(get_finding(archive, second).deleted);
  EXPECT_EQ(get_finding(archive, second).text, "right");
  EXPECT_THROW(edit_finding(archive, second, "again"), base::Error);
}

TEST_F(Findings, SayWhenNoneHasAnId) {
  try {
    get_finding(archive, "abcdef");
    FAIL() << "no Error";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::bad_input);
    EXPECT_THAT(error.what(), HasSubstr("hone findings"));
  }
  EXPECT_THROW(get_finding(archive, "no; hex"), base::Error);
}

TEST_F(Findings, OfAnUnknownRunAreNotRecorded) {
  Finding finding;
  finding.run = "r00000000000";
  EXPECT_THROW(add_finding(archive, finding), base::Error);
  EXPECT_THAT(texts({}), IsEmpty());
}

}  // namespace
}  // namespace hone::store
