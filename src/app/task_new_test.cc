#include "app/task_new.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/test_support.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

using Made = TaskNewResult::Made;

struct TaskNew : testing::Test {
  FakePlace place;
  RecordingSink sink;
  TaskNewRequest request;
  TaskNew() { request.folder = place.path() / "fresh"; }
};

TEST_F(TaskNew, WritesASkeletonAndListsItsFiles) {
  const auto result = new_task(request, sink);
  EXPECT_EQ(result.made, Made::skeleton);
  ASSERT_FALSE(result.files.empty());
  const auto said = base::probe(result)["written"];
  ASSERT_EQ(said.size(), result.files.size());
  for (const auto& file : said.items())
    EXPECT_TRUE(std::filesystem::exists(file.text())) << file.text();
}

TEST_F(TaskNew, TakesTheParametersOfAKernel) {
  request.from = place.write(
      "scale.cl", "__kernel void scale(__global const float* x, __global float* y) {}\n");
  EXPECT_EQ(new_task(request, sink).made, Made::from_kernel);
  EXPECT_TRUE(std::filesystem::exists(place.path() / "fresh/seed.cl"));
}

TEST_F(TaskNew, RefusesAnExampleWithoutAKernel) {
  request.example = "torch.randn(4)";
  EXPECT_EQ(code_of([&] { new_task(request, sink); }), base::ExitCode::usage);
  EXPECT_FALSE(std::filesystem::exists(request.folder));
}

}  // namespace
}  // namespace hone::app
