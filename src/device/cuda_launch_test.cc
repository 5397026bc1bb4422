#include "device/cuda_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace hone::device::cuda {
namespace {

using core::DType;
using testing::HasSubstr;

LaunchLimits hopper() {
  return {.max_threads = 1024,
          .sm_count = 132,
          .shared_per_block = 232448,
          .clusters = true,
          .cooperative = true};
}
KernelInfo kernel(std::vector<std::uint64_t> sizes) {
  KernelInfo info{.name = "k", .registers = 64, .shared_bytes = 1024, .max_threads = 1024};
  for (const auto bytes : sizes) info.parameters.push_back({.bytes = bytes});
  return info;
}
core::ResolvedLaunch launch() {
  return {.kernel = "k", .plan_index = 1, .grid = {64, 1, 1}, .block = {256, 1, 1}};
}

TEST(CudaLaunch, AcceptsAnOrdinaryOne) {
  EXPECT_EQ(launch_complaint(launch(), kernel({}), {}, hopper()), "");
}

TEST(CudaLaunch, NamesTheLaunchThatAsksForTooManyThreads) {
  auto wide = launch();
  wide.block = {1024, 2, 1};
  EXPECT_THAT(
      launch_complaint(wide, kernel({}), {}, hopper()),
      HasSubstr("launch 2 (k): block [1024, 2, 1] has more than the device's 1024 threads"));
}

TEST(CudaLaunch, SaysWhenTheKernelsRegistersLimitTheBlock) {
  auto info = kernel({});
  info.max_threads = 128;
  EXPECT_THAT(launch_complaint(launch(), info, {}, hopper()), HasSubstr("64 registers a thread"));
}

TEST(CudaLaunch, CountsStaticSharedMemoryToo) {
  auto full = launch();
  full.shared = 232448 - 1024;
  EXPECT_EQ(launch_complaint(full, kernel({}), {}, hopper()), "");
  full.shared += 1;
  EXPECT_THAT(launch_complaint(full, kernel({}), {}, hopper()),
              HasSubstr("more than the 232448 a block can have"));
}

TEST(CudaLaunch, RejectsEmptyAndHugeGrids) {
  auto empty = launch();
  empty.grid = {0, 1, 1};
  EXPECT_THAT(launch_complaint(empty, kernel({}), {}, hopper()), HasSubstr("below 1"));
  auto tall = launch();
  tall.grid = {1, 65536, 1};
  EXPECT_THAT(launch_complaint(tall, kernel({}), {}, hopper()),
              HasSubstr("larger than the device's"));
  auto overflow = launch();
  overflow.block = {std::int64_t{1} << 40, std::int64_t{1} << 40, 1};
  EXPECT_NE(launch_complaint(overflow, kernel({}), {}, hopper()), "");
}

TEST(CudaLaunch, ChecksClusters) {
  auto grouped = launch();
  grouped.cluster = {2, 1, 1};
  EXPECT_EQ(launch_complaint(grouped, kernel({}), {}, hopper()), "");
  grouped.cluster = {3, 1, 1};
  EXPECT_THAT(launch_complaint(grouped, kernel({}), {}, hopper()),
              HasSubstr("not a multiple of cluster"));
  grouped.cluster = {32, 1, 1};
  EXPECT_THAT(launch_complaint(grouped, kernel({}), {}, hopper()),
              HasSubstr("more than 16 blocks"));
  grouped.cluster = {2, 1, 1};
  EXPECT_THAT(launch_complaint(grouped, kernel({}), {.compiled_cluster = {4, 1, 1}}, hopper()),
              HasSubstr("__cluster_dims__"));
  auto older = hopper();
  older.clusters = false;
  EXPECT_THAT(launch_complaint(grouped, kernel({}), {}, older), HasSubstr("9.0 or newer"));
  auto plain = launch();
  plain.grid = {63, 1, 1};
  EXPECT_THAT(launch_complaint(plain, kernel({}), {.compiled_cluster = {2, 1, 1}}, hopper()),
              HasSubstr("not a multiple of cluster"));
}

TEST(CudaArguments, TakeTheWidthTheKernelDeclares) {
  using Kind = core::ResolvedArg::Kind;
  auto plan = launch();
  plan.args = {{.kind = Kind::buffer, .index = 1, .text = "y"},
               {.kind = Kind::integer, .integer = -2, .text = "-2"},
               {.kind = Kind::integer, .integer = 255, .text = "255"},
               {.kind = Kind::scalar, .dtype = DType::f32, .text = "f32:1"},
               {.kind = Kind::tensormap, .index = 0, .text = "m"}};
  const float one = 1;
  std::memcpy(plan.args[3].bits.data(), &one, sizeof one);
  const Address buffers[] = {0x1000, 0x2000};
  TensorMapBits map{};
  map.opaque[15] = 77;
  const auto slots = encode_arguments(plan, kernel({8, 4, 1, 4, 128}), buffers, std::span(&map, 1));
  ASSERT_TRUE(slots.ok()) << slots.error();
  Address address = 0;
  std::int32_t number = 0;
  float real = 0;
  std::memcpy(&address, (*slots)[0].bytes.data(), 8);
  std::memcpy(&number, (*slots)[1].bytes.data(), 4);
  std::memcpy(&real, (*slots)[3].bytes.data(), 4);
  EXPECT_EQ(address, 0x2000u);
  EXPECT_EQ(number, -2);
  EXPECT_EQ((*slots)[2].bytes[0], 255);
  EXPECT_EQ(real, 1.0f);
  EXPECT_EQ((*slots)[4].bytes[120], 77);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*slots)[4].bytes.data()) % 64, 0u)
      << "the driver wants tensor maps aligned";
}

TEST(CudaArguments, AreCountedAndMeasured) {
  using Kind = core::ResolvedArg::Kind;
  auto plan = launch();
  plan.args = {{.kind = Kind::integer, .integer = 300, .text = "rows"}};
  EXPECT_THAT(encode_arguments(plan, kernel({4, 4}), {}, {}).error(),
              HasSubstr("launch 2 (k): the plan gives 1 arguments, the kernel takes 2"));
  EXPECT_THAT(encode_arguments(plan, kernel({1}), {}, {}).error(),
              HasSubstr("argument 1 (rows) is 300, which does not fit"));
  EXPECT_THAT(encode_arguments(plan, kernel({128}), {}, {}).error(),
              HasSubstr("parameter has 128 bytes"));
  plan.args = {{.kind = Kind::scalar, .dtype = DType::f32, .text = "eps"}};
  EXPECT_THAT(encode_arguments(plan, kernel({8}), {}, {}).error(),
              HasSubstr("f32 of 4 bytes, but the kernel's parameter has 8"));
  plan.args = {{.kind = Kind::local, .integer = 64, .text = "local:64"}};
  EXPECT_THAT(encode_arguments(plan, kernel({8}), {}, {}).error(), HasSubstr("OpenCL"));
  plan.args = {{.kind = Kind::buffer, .index = 5, .text = "x"}};
  EXPECT_FALSE(encode_arguments(plan, kernel({8}), {}, {}).ok());
}

core::ResolvedBuffer matrix(DType dtype, std::int64_t rows, std::int64_t cols) {
  return {.name = "x",
          .dtype = dtype,
          .dims = {rows, cols},
          .bytes = static_cast<std::uint64_t>(rows * cols) * core::size_of(dtype)};
}

TEST(CudaTensorMap, TurnsRowMajorInsideOut) {
  const core::ResolvedTensorMap map{.name = "m",
                                    .dims = {4, 100, 64},
                                    .box = {1, 16, 32},
                                    .element_strides = {1, 2, 1},
                                    .swizzle = 64,
                                    .l2 = 128};
  const auto tiled = tiled_map(map, matrix(DType::bf16, 400, 64));
  ASSERT_TRUE(tiled.ok()) << tiled.error();
  EXPECT_EQ(tiled->rank, 3);
  EXPECT_EQ(tiled->type, tensormap_bf16);
  EXPECT_THAT(std::vector(tiled->dims.begin(), tiled->dims.begin() + 3),
              testing::ElementsAre(64, 100, 4));
  EXPECT_THAT(std::vector(tiled->strides.begin(), tiled->strides.begin() + 2),
              testing::ElementsAre(128, 12800));
  EXPECT_THAT(std::vector(tiled->box.begin(), tiled->box.begin() + 3),
              testing::ElementsAre(32, 16, 1));
  EXPECT_THAT(std::vector(tiled->element_strides.begin(), tiled->element_strides.begin() + 3),
              testing::ElementsAre(1, 2, 1));
  EXPECT_EQ(tiled->swizzle, 2);
  EXPECT_EQ(tiled->l2, 2);
  EXPECT_EQ(tiled->interleave, 0);
}

TEST(CudaTensorMap, SaysWhatTheDriverWouldNot) {
  const auto complaint = [](core::ResolvedTensorMap map, const core::ResolvedBuffer& buffer) {
    map.name = "m";
    const auto tiled = tiled_map(map, buffer);
    return tiled.ok() ? std::string() : tiled.error();
  };
  const auto x = matrix(DType::f32, 64, 64);
  EXPECT_EQ(complaint({.dims = {64, 64}, .box = {8, 32}}, x), "");
  EXPECT_THAT(complaint({.dims = {64, 65}, .box = {8, 32}}, x), HasSubstr("more elements"));
  EXPECT_THAT(complaint({.dims = {64, 63}, .box = {8, 32}}, x), HasSubstr("multiple of 16 bytes"));
  EXPECT_THAT(complaint({.dims = {64, 64}, .box = {8, 3}}, x), HasSubstr("rows of 12 bytes"));
  EXPECT_THAT(complaint({.dims = {64, 64}, .box = {8, 512}}, x), HasSubstr("1 to 256"));
  EXPECT_THAT(complaint({.dims = {64, 64}, .box = {8, 64}, .swizzle = 128}, x),
              HasSubstr("more than its swizzle"));
  EXPECT_THAT(complaint({.dims = {64, 64}, .box = {8}}, x), HasSubstr("box of 1"));
  EXPECT_THAT(complaint({.dims = {}, .box = {}}, x), HasSubstr("1 to 5"));
  EXPECT_THAT(
      complaint({.dims = {64, 64}, .box = {8, 32}, .fill_nan = true}, matrix(DType::i32, 64, 64)),
      HasSubstr("NaN"));
  EXPECT_THAT(complaint({.dims = {64, 64}, .box = {8, 32}, .swizzle = 48}, x),
              HasSubstr("swizzle"));
  EXPECT_THAT(
      complaint({.dims = {std::int64_t{1} << 32, std::int64_t{1} << 32}, .box = {8, 32}}, x),
      HasSubstr("more elements"));
}

}  // namespace
}  // namespace hone::device::cuda
