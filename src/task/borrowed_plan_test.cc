#include "task/borrowed_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "core/source_lines.h"

namespace hone::task {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* plan =
    "/* hone 1\n[[launch]]\nkernel = \"scale\"\ngrid = [\"ceil_div(n, 64)\"]\nblock = [64]\nargs = "
    "[\"x\", \"y\", \"n\"]\n*/\n";
constexpr const char* plain = "__global__ void scale(const float* x, float* y, int n) {}\n";

class BorrowedPlan : public testing::Test {
 protected:
  BorrowedPlan() {
    task_.name = "mine";
    task_.folder = "mine";
    task_.seed_cu = std::string(plan) + plain;
  }
  base::Result<LoadedCandidate, Diagnostics> load(const std::string& source) {
    base::write_file_atomically(folder_.path() / "kernel.cu", source);
    return load_candidate_for(task_, folder_.path() / "kernel.cu");
  }
  std::string refusal(const std::string& source) {
    const auto loaded = load(source);
    return loaded ? "" : loaded.error().front().message;
  }
  base::TemporaryFolder folder_{"plan"};
  core::Task task_;
};

TEST_F(BorrowedPlan, AKernelWithoutAPlanGetsThatOfTheSeed) {
  const auto loaded = load(std::string("// my kernel\n") + plain);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->plan_from, "mine/seed.cu");
  EXPECT_THAT(loaded->candidate.source, StartsWith(plan));
  EXPECT_THAT(loaded->candidate.source,
              HasSubstr("// my kernel\nextern \"C\" __global__ void scale"));
  EXPECT_EQ(loaded->candidate.plan.launches.size(), 1u);
  EXPECT_EQ(loaded->candidate.name, "kernel.cu");
}

TEST_F(BorrowedPlan, ACommentThatOnlyBeginsLikeTheWordHoneIsNoPlan) {
  for (const std::string comment : {"/* honest work */\n", "// hone 1\n", "/* by hone-it */\n"}) {
    const auto loaded = load(comment + plain);
    ASSERT_TRUE(loaded) << comment;
    EXPECT_EQ(loaded->plan_from, "mine/seed.cu") << comment;
  }
}

TEST_F(BorrowedPlan, APlanBehindAnotherCommentIsThePersonsOwnAndIsRefusedAsTooLate) {
  EXPECT_THAT(refusal("/* honest work */\n" + std::string(plan) + plain),
              HasSubstr("the plan must be the first comment of the file"));
}

TEST_F(BorrowedPlan, LeavesTheFilesLinesTheirNumbers) {
  const auto loaded = load(std::string("// my kernel\n") + plain);
  ASSERT_TRUE(loaded);
  EXPECT_THAT(std::string(core::counted_text(loaded->candidate.source)),
              StartsWith("// my kernel\nextern"));
}

TEST_F(BorrowedPlan, APlanOfItsOwnIsNeverReplaced) {
  const auto loaded = load(*task_.seed_cu);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->plan_from, "");
  EXPECT_EQ(loaded->candidate.source, *task_.seed_cu);
  EXPECT_THAT(refusal("/* hone 1\n[[launch]]\nkernel = 3\n*/\n" + std::string(plain)),
              HasSubstr("has no 'grid'"));
}

TEST_F(BorrowedPlan, APlanThatDoesNotFitIsNotTaken) {
  EXPECT_THAT(refusal("__global__ void other(const float* x) {}\n"),
              HasSubstr("That of mine/seed.cu does not fit: it launches 'scale', and the kernels "
                        "here are 'other'."));
  EXPECT_THAT(refusal("__global__ void scale(const float* x, float* y) {}\n"),
              HasSubstr("it gives 'scale' 3 arguments, and here it takes 2."));
}

TEST_F(BorrowedPlan, WithoutOneToTakeSaysWhereAPlanComesFrom) {
  task_.seed_cu.reset();
  EXPECT_THAT(
      refusal(plain),
      HasSubstr("The task mine has no seed.cu to take one from. (`hone task new NAME --from "));
  task_.seed_cu = "/* hone 1\n[[launch]]\nkernel = \"?\"\n*/\n" + std::string(plain);
  EXPECT_THAT(refusal(plain),
              HasSubstr("could be taken once it is complete (`hone task check mine`)"));
}

}  // namespace
}  // namespace hone::task
