// On the real driver: compile, load and run small kernels over tensor_ops memory.
#include "device/opencl_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "device/opencl_build.h"
#include "device/opencl_library.h"
#include "device/opencl_test_cache.h"
#include "device/tensor_ops.h"

namespace hone::device {
namespace {

using core::DType;
using ::testing::HasSubstr;
using Role = core::ResolvedBuffer::Role;
using ArgKind = core::ResolvedArg::Kind;

constexpr std::int64_t count = 1000;
constexpr std::uint64_t bytes = count * sizeof(float), zone = 256;

const char* const source = R"(
typedef int index_t;
__constant float one = 1.0f;
__kernel void scale(__global const float* x, __global float* y, index_t n, float k) {
  int i = get_global_id(0);
  if (i < n) y[i] = k * x[i] * one;
}
__kernel void add_one(__global float* y, long n) {
  int i = get_global_id(0);
  if (i < n) y[i] += 1.0f;
}
__kernel void sum_group(__global const float* x, __global float* y, __local float* t, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0; for (int k = 0; k < (int)get_local_size(0); ++k) s += t[k];
  if (i < n) y[i] = s;
}
__kernel void overrun(__global float* y, int n) { y[n] = 1.0f; }
)";

core::ResolvedArg buffer_arg(int index) {
  return {.kind = ArgKind::buffer, .index = index, .text = "b"};
}
core::ResolvedArg integer_arg(std::int64_t value) {
  return {.kind = ArgKind::integer, .integer = value, .text = "n"};
}
core::ResolvedArg local_arg(std::int64_t size) {
  return {.kind = ArgKind::local, .integer = size, .text = "local"};
}
core::ResolvedArg float_arg(float value) {
  core::ResolvedArg arg{.kind = ArgKind::scalar, .dtype = DType::f32, .text = "f32"};
  core::store_double(DType::f32, value, arg.bits.data());
  return arg;
}

class OpenCl : public ::testing::Test {
 protected:
  void SetUp() override {
    use_test_cache();
    if (opencl_devices().empty()) GTEST_SKIP() << "there is no OpenCL device here";
    info_ = find_device("opencl:0");
    tensor_ops_ = open_tensor_ops(info_);
    device_ = open_device("opencl:0");
    for (int i = 0; i < 2; ++i) {
      blocks_[i] = tensor_ops_->allocate(bytes + 2 * zone);
      EXPECT_EQ(device_->import_block(tensor_ops_->export_block(blocks_[i].id), blocks_[i].bytes),
                i);
      tensor_ops_->garbage({blocks_[i].id, 0, bytes + 2 * zone}, 5);
    }
    tensor_ops_->draw(span(0), {.dtype = DType::f32}, 77);
  }

  static const BuildResult& image() {
    static const BuildResult built = compile({.language = core::Language::opencl,
                                              .device_id = "opencl:0",
                                              .source = source,
                                              .name = "test.cl"});
    return built;
  }

  Span span(int block) const { return {blocks_[block].id, zone, bytes}; }
  std::vector<float> values(int block) {
    std::vector<float> result(count);
    tensor_ops_->read(span(block), result.data());
    return result;
  }

  CallRequest request(std::vector<core::ResolvedLaunch> launches) const {
    CallRequest request{.flush = false};
    request.plan.buffers = {{.name = "x", .role = Role::input, .dims = {count}, .bytes = bytes},
                            {.name = "y", .role = Role::output, .dims = {count}, .bytes = bytes}};
    request.plan.launches = std::move(launches);
    request.sets = {{{.block = 0, .offset = zone}, {.block = 1, .offset = zone}}};
    return request;
  }
  static core::ResolvedLaunch scale_by(float k) {
    return {.kernel = "scale",
            .grid = {16, 1, 1},
            .block = {64, 1, 1},
            .args = {buffer_arg(0), buffer_arg(1), integer_arg(count), float_arg(k)}};
  }
  static core::ResolvedLaunch add_one(int plan_index) {
    return {.kernel = "add_one",
            .plan_index = plan_index,
            .grid = {16, 1, 1},
            .block = {64, 1, 1},
            .args = {buffer_arg(1), integer_arg(count)}};
  }
  void load() {
    ASSERT_TRUE(image().ok) << image().log;
    const auto loaded = device_->load(image().image, {"scale", "add_one", "sum_group", "overrun"});
    ASSERT_TRUE(loaded.ok()) << loaded.error();
  }
  CallReport run(const CallRequest& call) {
    const auto prepared = device_->prepare(call);
    if (!prepared) return {.error = prepared.error()};
    return device_->go();
  }

  core::DeviceInfo info_;
  std::unique_ptr<TensorOps> tensor_ops_;
  std::unique_ptr<Device> device_;
  Block blocks_[2];
};

TEST_F(OpenCl, DescribesItsDevice) {
  EXPECT_FALSE(info_.name.empty());
  EXPECT_FALSE(info_.driver.empty());
  EXPECT_EQ(info_.uuid, find_device("opencl:0").uuid);
  EXPECT_GE(info_.sm_count, 1);
  EXPECT_GE(info_.max_threads, 1);
  EXPECT_GT(info_.memory_bytes, 0);
  EXPECT_GT(info_.l2_bytes, 0);
  EXPECT_FALSE(compiler_version(core::Language::opencl, "opencl:0").empty());
}

TEST_F(OpenCl, TellsKindsAndWidthsOfParameters) {
  ASSERT_TRUE(image().ok) << image().log;
  const auto loaded = device_->load(image().image, {"scale", "sum_group", "add_one"});
  ASSERT_TRUE(loaded.ok()) << loaded.error();
  using Kind = KernelParameter::Kind;
  const auto& scale = (*loaded)[0].parameters;
  ASSERT_EQ(scale.size(), 4u);
  EXPECT_EQ(scale[0].kind, Kind::buffer);
  EXPECT_EQ(scale[0].bytes, 8u);
  EXPECT_EQ(scale[0].name, "x");
  EXPECT_EQ(scale[2].kind, Kind::scalar);
  EXPECT_EQ(scale[2].bytes, 4u) << "through the typedef";
  EXPECT_EQ(scale[3].type, "float");
  EXPECT_EQ((*loaded)[1].parameters[2].kind, Kind::local);
  EXPECT_EQ((*loaded)[2].parameters[1].bytes, 8u);
  EXPECT_GE((*loaded)[0].max_threads, 1);
}

TEST_F(OpenCl, NamesTheKernelsThereAreWhenOneIsMissing) {
  const auto loaded = device_->load(image().image, {"nothing"});
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error(), HasSubstr("no kernel 'nothing'"));
  EXPECT_THAT(loaded.error(), HasSubstr("add_one"));
}

TEST_F(OpenCl, RefusesADamagedImage) {
  EXPECT_FALSE(device_->load("", {"scale"}).ok());
  EXPECT_FALSE(device_->load("rubbish", {"scale"}).ok());
  EXPECT_FALSE(
      device_
          ->load("hone opencl image 1\nkernel\tscale\nparameter\t9\t1\ta\tb\nbinary\n", {"scale"})
          .ok());
  EXPECT_FALSE(
      device_->load("hone opencl image 1\nkernel\tscale\nbinary\nrubbish", {"scale"}).ok());
}

TEST_F(OpenCl, RunsAPlanOnTheTensorOpsMemory) {
  load();
  const CallReport report = run(request({scale_by(2)}));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_GT(report.device_seconds, 0);
  EXPECT_GE(report.runner_seconds, report.device_seconds);
  const auto x = values(0), y = values(1);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 2 * x[i]) << i;
}

TEST_F(OpenCl, PassesLocalBuffers) {
  load();
  const CallReport report =
      run(request({{.kernel = "sum_group",
                    .grid = {16, 1, 1},
                    .block = {64, 1, 1},
                    .args = {buffer_arg(0), buffer_arg(1), local_arg(256), integer_arg(count)}}}));
  ASSERT_TRUE(report.ok) << report.error;
  const auto x = values(0), y = values(1);
  float sum = 0;
  for (std::size_t i = 0; i < 64; ++i) sum += x[i];
  EXPECT_EQ(y[0], sum);
  EXPECT_EQ(y[63], sum);
}

TEST_F(OpenCl, RunsLaunchesInOrderAndLeavesOneOutWhenAsked) {
  load();
  auto call = request({scale_by(0), add_one(1), add_one(1), add_one(2)});
  ASSERT_TRUE(run(call).ok);
  EXPECT_EQ(values(1)[0], 3);
  call.skip_launch = 1;
  ASSERT_TRUE(run(call).ok);
  EXPECT_EQ(values(1)[0], 1);
}

TEST_F(OpenCl, RunsSeveralSetsBackToBack) {
  load();
  auto call = request({add_one(0)});
  tensor_ops_->copy(span(0), span(1));
  const auto before = values(0);
  call.sets = {{{.block = 0, .offset = zone}, {.block = 1, .offset = zone}},
               {{.block = 1, .offset = zone}, {.block = 0, .offset = zone}}};
  call.flush = true;
  const CallReport report = run(call);
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(values(0)[5], before[5] + 1);
  EXPECT_EQ(values(1)[5], before[5] + 1);
}

TEST_F(OpenCl, RunsInPrivateMemoryAndCopiesTheResultOut) {
  load();
  auto call = request({scale_by(3)});
  call.private_memory = true;
  ASSERT_TRUE(run(call).ok);
  EXPECT_EQ(values(1)[7], 3 * values(0)[7]);
  EXPECT_EQ(tensor_ops_->find_change({blocks_[1].id, 0, zone}, 5), -1)
      << "nothing but the buffer is copied";
}

TEST_F(OpenCl, AWriteBehindTheEndHitsTheCanary) {
  load();
  tensor_ops_->garbage({blocks_[1].id, zone + bytes, zone}, 6);
  ASSERT_TRUE(
      run(request({{.kernel = "overrun", .args = {buffer_arg(1), integer_arg(count)}}})).ok);
  const std::int64_t changed = tensor_ops_->find_change({blocks_[1].id, zone + bytes, zone}, 6);
  EXPECT_GE(changed, 0);
  EXPECT_LT(changed, 4);
}

TEST_F(OpenCl, RefusesWhatOnlyCudaHas) {
  load();
  auto cluster = scale_by(1), cooperative = scale_by(1), shared = scale_by(1);
  cluster.cluster = {2, 1, 1};
  cooperative.cooperative = true;
  shared.shared = 16;
  EXPECT_THAT(run(request({cluster})).error, HasSubstr("cluster"));
  EXPECT_THAT(run(request({cooperative})).error, HasSubstr("cooperative"));
  EXPECT_THAT(run(request({shared})).error, HasSubstr("local:BYTES"));
  auto maps = request({scale_by(1)});
  maps.plan.tensormaps.push_back({.name = "m"});
  EXPECT_THAT(run(maps).error, HasSubstr("tensor maps"));
}

TEST_F(OpenCl, SaysWhatIsWrongWithAnArgument) {
  load();
  auto few = scale_by(1), pointer = scale_by(1), wide = scale_by(1), real = scale_by(1);
  few.args.pop_back();
  pointer.args[0] = integer_arg(1);
  wide.args[2] = integer_arg(std::int64_t{1} << 40);
  real.args[3] = integer_arg(1);
  EXPECT_THAT(run(request({few})).error, HasSubstr("gives 3 arguments, the kernel takes 4"));
  EXPECT_THAT(run(request({pointer})).error, HasSubstr("takes a pointer"));
  EXPECT_THAT(run(request({wide})).error, HasSubstr("does not fit in 4 bytes"));
  EXPECT_THAT(run(request({real})).error, HasSubstr("f32:"));
}

TEST_F(OpenCl, ALaunchTheDeviceRefusesNamesItsKernelAndTheCause) {
  load();
  auto large = scale_by(1);
  large.block = {info_.max_threads * 2, 1, 1};
  const CallReport report = run(request({large}));
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.error, HasSubstr("launch 1 ('scale')"));
  EXPECT_THAT(report.error, HasSubstr("CL_INVALID_WORK_"));
  EXPECT_TRUE(run(request({scale_by(1)})).ok) << "the device can still be used";
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_freed_memory = true;  // the sanitizer's quarantine grows with every call
#else
constexpr bool keeps_freed_memory = false;
#endif

struct Footprint {
  std::uint64_t resident = 0;  // bytes
  std::ptrdiff_t descriptors = 0, mappings = 0;
};
Footprint footprint() {
  Footprint result;
  std::uint64_t total = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> total >> pages;
  result.resident = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::filesystem::directory_iterator open("/proc/self/fd");
  result.descriptors = std::distance(begin(open), end(open));
  std::ifstream maps("/proc/self/maps");
  result.mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  return result;
}

TEST_F(OpenCl, ThousandsOfCallsLeaveNothingBehind) {
  load();
  const auto call = request({scale_by(1), add_one(1)});
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(run(call).ok);
  const Footprint before = footprint();
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(run(call).ok);
  const Footprint after = footprint();
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_LT(after.mappings, before.mappings + 50);
  if (keeps_freed_memory) return;
  EXPECT_LT(after.resident, before.resident + (1 << 20)) << "more than 350 bytes a call";
}

}  // namespace
}  // namespace hone::device

// What PoCL and LLVM keep until the process ends is not ours to free.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpocl\nleak:libLLVM\nleak:libclang\n";
}
