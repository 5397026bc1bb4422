#include "exec/bundle_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "exec/bundle_executor.h"

namespace hone::exec {
namespace {

class Bundles : public testing::Test {
 protected:
  Bundles() : temporary_("hone-bundle-test"), folder_(temporary_.path() / "jobs and results") {}
  static bool never() { return false; }
  base::TemporaryFolder temporary_;
  BundleFolder folder_;
};

TEST_F(Bundles, KeepWhatIsSubmittedOnceUntilAResultIsThere) {
  const auto executor = bundle_executor(folder_.path());
  executor->submit({"run-1.1", "body"});
  executor->submit({"run-1.1", "body"});
  executor->submit({"run-1.2", "other"});
  EXPECT_TRUE(executor->away());
  EXPECT_FALSE(executor->wait_for("run-1.1", never));
  ASSERT_EQ(folder_.pending().size(), 2u);
  EXPECT_TRUE(folder_.put_result({"run-1.1", "result"}));
  EXPECT_FALSE(folder_.put_result({"run-1.1", "another result"}));
  ASSERT_EQ(folder_.pending().size(), 1u);
  EXPECT_EQ(folder_.pending()[0].name, "run-1.2");
  EXPECT_EQ(executor->wait_for("run-1.1", never)->body, "result");
  // A new process finds the same.
  EXPECT_EQ(bundle_executor(folder_.path())->wait_for("run-1.1", never)->body, "result");
  executor->submit({"run-1.1", "body"});
  EXPECT_EQ(folder_.pending().size(), 1u);
}

TEST_F(Bundles, TakeAJobInANewerHonesWords) {
  folder_.put_job({"a", "body"});
  folder_.put_job({"a", "the same in other words"});
  ASSERT_EQ(folder_.pending().size(), 1u);
  EXPECT_EQ(folder_.pending()[0].body, "the same in other words");
}

TEST_F(Bundles, RefuseNamesThatLeadElsewhere) {
  for (const char* name : {"", ".", "..", "../a", "a/b", ".hidden", "a b", "a\n", "\xc3\xa4"}) {
    EXPECT_FALSE(is_job_name(name)) << name;
    EXPECT_THROW(folder_.put_job({name, ""}), base::Error) << name;
    EXPECT_THROW(folder_.put_result({name, ""}), base::Error) << name;
    EXPECT_FALSE(folder_.packed(name));
  }
}

TEST_F(Bundles, PassOverAFileThatWasLeftHalfWritten) {
  folder_.put_job({"a", "body"});
  base::write_file_atomically(folder_.path() / "jobs" / ".b.Xy12ab", "bo");
  EXPECT_EQ(folder_.pending().size(), 1u);
}

TEST_F(Bundles, RememberWhatEachBundleTook) {
  folder_.note_packed("abc", {"a", "b"});
  EXPECT_EQ(folder_.packed("abc")->count("b"), 1u);
  EXPECT_FALSE(folder_.packed("abd"));
}

}  // namespace
}  // namespace hone::exec
