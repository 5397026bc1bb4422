#include "device/cuda_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/resources.h"
#include "core/source_lines.h"
#include "device/cuda_api.h"
#include "device/cuda_compile.h"

namespace hone::device::cuda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

BuildResult build(const std::string& source) {
  return compile({.language = core::Language::cuda,
                  .arch = "sm_90a",
                  .source = source,
                  .name = "candidate.cu",
                  .defines = {{"BLOCK", "128"}}});
}

class CudaBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc().missing.empty()) GTEST_SKIP() << nvrtc().missing;
  }
};

TEST_F(CudaBuild, MakesACubinWithTheTunablesAsMacros) {
  const auto built = build(
      "extern \"C\" __global__ void __launch_bounds__(BLOCK) k(float* y) { y[threadIdx.x] = BLOCK; "
      "}");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_TRUE(built.image.starts_with("\177ELF"));
  EXPECT_THAT(built.forbidden, IsEmpty());
  EXPECT_FALSE(has_module_data(built.image));
}

TEST_F(CudaBuild, ReportsErrorsWithTheCandidatesOwnNameAndLine) {
  const auto built = build("\n\nextern \"C\" __global__ void k(float* y) { y[0] = nothing; }");
  EXPECT_FALSE(built.ok);
  EXPECT_THAT(built.log, HasSubstr("candidate.cu(3): error: identifier \"nothing\" is undefined"));
}

TEST_F(CudaBuild, CountsLinesFromBehindAPlanThatWasPutInFront) {
  const std::string own = "// mine\nextern \"C\" __global__ void k(float* x) { x[0] = y; }\n";
  EXPECT_THAT(build("/* hone 1\n*/\n" + std::string(core::line_restart) + own).log,
              HasSubstr("candidate.cu(2): error"));
}

TEST_F(CudaBuild, RefusesSourceThatIsNoText) {
  const auto built = build(std::string("extern \"C\" __global__ void k() {}\0 hidden", 41));
  EXPECT_FALSE(built.ok);
  EXPECT_THAT(built.log, HasSubstr("zero byte"));
}

TEST_F(CudaBuild, NamesWritableGlobals) {
  const auto built = build(R"(
    __device__ int counter;
    extern "C" __global__ void k(int* y) { static int calls; y[0] = atomicAdd(&counter, 1) + calls++; })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, ElementsAre(HasSubstr("a writable global 'counter' (4 bytes)"),
                                           HasSubstr("'k::calls'")));
  EXPECT_TRUE(has_module_data(built.image));
}

TEST_F(CudaBuild, AdvisesConstantMemoryForATable) {
  const auto built = build(R"(
    extern "C" __global__ void k(float* y, int i) { static constexpr float table[8] = {1, 5, 3, 9, 2, 6, 5, 3}; y[0] = table[i]; })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, ElementsAre(HasSubstr("declare it __constant__")));
}

TEST_F(CudaBuild, AllowsConstantsAndAutomaticTables) {
  const auto built = build(R"(
    __constant__ float table[8] = {1, 5, 3, 9, 2, 6, 5, 3};
    constexpr int rows = 4;
    extern "C" __global__ void k(float* y, int i) {
      const float own[8] = {1, 5, 3, 9, 2, 6, 5, 3};
      __shared__ float tile[rows];
      tile[i & 3] = own[i & 7];
      y[0] = table[i] + tile[0];
    })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, IsEmpty());
  EXPECT_TRUE(has_module_data(built.image)) << "constants are memory too, so they are loaded anew";
}

TEST_F(CudaBuild, TextInAnImageDoesNotHideItsConstants) {
  const auto built = build(R"(
    __constant__ char text[] = ".version .address_size .target";
    extern "C" __global__ void k(char* y, int i) { y[0] = text[i]; })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_TRUE(has_module_data(built.image));
}

TEST_F(CudaBuild, AllowsTheMathematicalFunctionsTables) {
  const auto built = build(R"(
    extern "C" __global__ void k(float* y, double* d) { y[0] = sinf(y[1]) + powf(y[1], y[2]); d[0] = sin(d[1]) + lgamma(d[2]); })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, IsEmpty());
}

TEST_F(CudaBuild, AllowsTheToolkitsHeaders) {
  const auto built = build(R"(
    #include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    #include <cstdint>
    #include <cuda.h>
    #include <cuda_bf16.h>
    #include <cuda_fp16.h>
    #include <cuda_runtime.h>
    #include <math.h>
    #include <mma.h>
    #include <stdint.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void k(const __grid_constant__ CUtensorMap map, float* y, std::uint32_t n, uint64_t m) {
      cg::this_grid().sync();
      auto warp = cg::tiled_partition<32>(cg::this_thread_block());
      y[n] = cg::reduce(warp, y[m], cg::plus<float>()) + INFINITY + reinterpret_cast<uint64_t>(&map);
    })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, IsEmpty());
}

TEST_F(CudaBuild, NamesTheHeapAndPrinting) {
  const auto built = build(R"(
    extern "C" __global__ void k(float** y, int n) { y[0] = new float[n]; free(y[1]); printf("%d\n", n); assert(n > 0); })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, Contains(HasSubstr("the device heap (malloc)")));
  EXPECT_THAT(built.forbidden, Contains(HasSubstr("the device heap (free)")));
  EXPECT_THAT(built.forbidden, Contains(HasSubstr("printf")));
  EXPECT_THAT(built.forbidden, testing::Not(Contains(HasSubstr("assert"))))
      << "asserts are switched off";
}

TEST_F(CudaBuild, NamesGlobalsThatInlineAssemblyDeclares) {
  const auto built = build(R"(
    extern "C" __global__ void k(unsigned* y) {
      asm volatile("{ .global .u32 hidden; .reg .u32 r; ld.global.u32 r, [hidden]; add.u32 r, r, 1; st.global.u32 [hidden], r; st.global.u32 [%0], r; }" :: "l"(y));
    })");
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_THAT(built.forbidden, Contains(HasSubstr("hidden")));
}

TEST_F(CudaBuild, CompilesHonesOwnKernelsForSeveralArchitectures) {
  for (const auto& name : base::resource_names("cuda/")) {
    if (!name.ends_with(".cu")) continue;
    for (const char* arch : {"sm_80", "sm_90a"}) {
      const auto built = compile({.language = core::Language::cuda,
                                  .arch = arch,
                                  .source = base::resource(name),
                                  .name = name});
      ASSERT_TRUE(built.ok) << name << " for " << arch << ":\n" << built.log;
      EXPECT_THAT(built.forbidden, IsEmpty()) << name;
      for (const auto& kernel : ptxas_figures(built.log)) {
        EXPECT_EQ(kernel.spill_stores, 0) << kernel.kernel << " for " << arch;
        constexpr std::string_view local = "hone_scrub_local_";
        if (kernel.kernel.starts_with(local)) {
          EXPECT_GE(kernel.stack_bytes, std::atoi(kernel.kernel.c_str() + local.size()))
              << "the compiler left the scrubbing out";
        }
        if (kernel.kernel == "hone_scrub_registers") {
          EXPECT_GE(kernel.registers, 216) << "the compiler left the scrubbing out";
        }
      }
    }
  }
}

TEST_F(CudaBuild, TellsRegistersAndSharedMemoryOfEachKernel) {
  const auto built = build(R"(
    extern "C" __global__ void first(float* y) { __shared__ float tile[64]; tile[threadIdx.x] = y[threadIdx.x]; __syncthreads(); y[0] = tile[63 - threadIdx.x]; }
    extern "C" __global__ void second(float* y) { y[0] = 1; })");
  const auto figures = ptxas_figures(built.log);
  ASSERT_EQ(figures.size(), 2u) << built.log;
  for (const auto& kernel : figures) {
    EXPECT_GT(kernel.registers, 0);
    EXPECT_EQ(kernel.shared_bytes, kernel.kernel == "first" ? 256 : 0);
  }
}

TEST(CudaImage, ReadsThePtxasLog) {
  const auto figures = ptxas_figures(
      "ptxas info    : 173 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     72 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 34 registers, used 1 barriers, 72 bytes cumulative stack size, 56 "
      "bytes smem\n"
      "ptxas info    : Function properties for helper\n"
      "ptxas         .     16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].kernel, "k");
  EXPECT_EQ(figures[0].registers, 34);
  EXPECT_EQ(figures[0].spill_stores, 12);
  EXPECT_EQ(figures[0].spill_loads, 8);
  EXPECT_EQ(figures[0].stack_bytes, 72);
  EXPECT_EQ(figures[0].shared_bytes, 56);
  EXPECT_THAT(ptxas_figures(""), IsEmpty());
}

TEST(CudaImage, DoesNotPassWhatItCannotRead) {
  EXPECT_THAT(forbidden_things("", ""), ElementsAre(HasSubstr("cannot be examined")));
  EXPECT_THAT(
      forbidden_things(
          "\177ELF and then nothing of the kind, for more than a header's length .............",
          ""),
      ElementsAre(HasSubstr("cannot be examined")));
  EXPECT_TRUE(has_module_data("not an image"));
}

TEST_F(CudaBuild, SurvivesAnImageCutShortAnywhere) {
  const auto built =
      build("__device__ int counter; extern \"C\" __global__ void k(int* y) { y[0] = counter++; }");
  ASSERT_TRUE(built.ok) << built.log;
  for (std::size_t length = 0; length < built.image.size(); length += 7) {
    const std::string_view cut = std::string_view(built.image).substr(0, length);
    EXPECT_THAT(forbidden_things(cut, ""), testing::Not(IsEmpty())) << length;
  }
}

}  // namespace
}  // namespace hone::device::cuda
