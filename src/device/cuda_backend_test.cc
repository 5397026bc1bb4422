#include "device/cuda_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/backend.h"
#include "device/cuda_compile.h"

namespace hone::device {
namespace {

using testing::HasSubstr;

TEST(CudaBackend, SaysWhatIsMissingAndHowToMendIt) {
  const BackendReport report = cuda_backend.discover();
  EXPECT_EQ(report.language, core::Language::cuda);
  if (report.available) {
    ASSERT_FALSE(report.devices.empty());
    for (const auto& info : report.devices) {
      EXPECT_THAT(info.arch, testing::StartsWith("sm_"));
      EXPECT_THAT(info.uuid,
                  testing::MatchesRegex(
                      "GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"));
      EXPECT_GT(info.sm_count, 0);
      EXPECT_GT(info.memory_bytes, 0);
    }
    return;
  }
  EXPECT_FALSE(report.why.empty());
  EXPECT_FALSE(report.fix.empty());
  if (!cuda::compiler_version().empty()) {
    ASSERT_EQ(report.notes.size(), 1u);
    EXPECT_THAT(report.notes[0], HasSubstr("can be compiled, not run"));
  }
}

TEST(CudaBackend, OpensNothingWithoutADriver) {
  if (cuda::driver().missing.empty()) GTEST_SKIP() << "there is a driver here";
  const core::DeviceInfo info{.id = "cuda:0", .language = core::Language::cuda};
  EXPECT_THROW(cuda_backend.open(info), base::Error);
  EXPECT_THROW(cuda_backend.tensor_ops(info), base::Error);
  EXPECT_FALSE(cuda_backend.state(info, {}).missing.empty());
}

TEST(CudaBackend, NamesArchitecturesAsTheCompilerDoes) {
  EXPECT_EQ(cuda::arch_of(9, 0), "sm_90a");
  EXPECT_EQ(cuda::arch_of(10, 0), "sm_100a");
  EXPECT_EQ(cuda::arch_of(10, 3), "sm_103a");
  EXPECT_EQ(cuda::arch_of(8, 6), "sm_86");
  EXPECT_EQ(cuda::arch_of(12, 0), "sm_120");
}

TEST(CudaBackend, PutsThrottlingIntoWords) {
  EXPECT_EQ(cuda::throttle_words(0), "");
  EXPECT_EQ(cuda::throttle_words(1), "") << "idle is not throttled";
  EXPECT_EQ(cuda::throttle_words(0x04 | 0x20), "the power limit, heat (software)");
}

}  // namespace
}  // namespace hone::device
