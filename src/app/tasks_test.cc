#include "app/tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/test_support.h"
#include "base/error.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

TEST(Tasks, AreFoundBelowAFolderWithWhatIsWrongWithThem) {
  const FakePlace place;
  base::make_folder(place.path() / "more/broken");
  base::write_file_atomically(place.path() / "more/broken/task.toml", "hone = ");
  const auto result = tasks({place.path().string()});
  ASSERT_EQ(result.tasks.size(), 2u);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.tasks[0].name, "copy");
  EXPECT_EQ(result.tasks[0].summary, "Copies a vector.");
  EXPECT_EQ(result.tasks[0].mistake, "");
  EXPECT_THAT(result.tasks[1].mistake, testing::HasSubstr("task.toml"));
}

TEST(Tasks, BehindLinksAndInHiddenFoldersAreNotListed) {
  const FakePlace place;
  base::make_folder(place.path() / "top/.hidden");
  fs::copy(place.task_folder(), place.path() / "top/.hidden/copy");
  fs::create_directory_symlink(place.task_folder(), place.path() / "top/link");
  EXPECT_TRUE(tasks({(place.path() / "top").string()}).tasks.empty());
  EXPECT_EQ(code_of([&] { tasks({"/nothing/here"}); }), base::ExitCode::bad_input);
}

TEST(DescribeTask, SaysWhatAnAuthorHasToKnow) {
  const FakePlace place;
  base::write_file_atomically(place.task_folder() / "seed.cu",
                              "/* hone 1\n[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\n"
                              "args = [\"x\", \"y\"]\n*/\nextern \"C\" __global__ void k(const "
                              "float* x, float* y) {}\n");
  RecordingSink sink;
  auto request = place.request<DescribeTaskRequest>();
  request.task = place.task_name();
  const auto told = describe_task(request, sink);
  EXPECT_EQ(told.name, "copy");
  EXPECT_THAT(told.text,
              testing::AllOf(testing::HasSubstr("input `x`"), testing::HasSubstr("`timed`"),
                             testing::HasSubstr("1e-05")));
  EXPECT_THAT(told.reference, testing::HasSubstr("call.output"));
  EXPECT_THAT(told.format, testing::HasSubstr("[[launch]]"));
  EXPECT_TRUE(told.seeds.empty()) << "this device cannot run seed.cu";
  request.format = false;
  EXPECT_EQ(describe_task(request, sink).format, "");
}

}  // namespace
}  // namespace hone::app
