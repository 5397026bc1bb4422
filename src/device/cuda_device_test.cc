// The runner's side on a real device: code, memory imported from a tensor_ops in the same process,
// launches of every kind. Skipped where there is none; that the kernels below compile is checked
// everywhere NVRTC is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>

#include "base/error.h"
#include "device/backend.h"
#include "device/cuda_api.h"
#include "device/cuda_compile.h"

namespace hone::device {
namespace {

using core::DType;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = core::ResolvedArg::Kind;

const char* const plain_source = R"(
extern "C" __global__ void scale(const int* x, int* y, long long n, short factor) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
extern "C" __global__ void where_am_i(const int* x, unsigned long long* y) { y[0] = reinterpret_cast<unsigned long long>(x); }
extern "C" __global__ void add_real(float* y, float by, double more) { y[threadIdx.x] += by + static_cast<float>(more); }
extern "C" __global__ void big_shared(int* y, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) y[0] = tile[n - 1];
}
extern "C" __global__ void wild(int* y) { y[1ll << 40] = 1; }
extern "C" __global__ void peek_shared(unsigned* y) {
  __shared__ volatile unsigned left_behind[1024];
  y[threadIdx.x] = left_behind[threadIdx.x];
  __syncthreads();
  left_behind[threadIdx.x] = 0xabcdef01u;
}
extern "C" __global__ void peek_local(unsigned* y) {
  volatile unsigned left_behind[2048];
  y[threadIdx.x] = left_behind[1500];
  left_behind[1500] = 0xabcdef01u;
}
extern "C" __global__ void spin(int microseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - begin < 1000ull * microseconds);
}
__global__ void mangled(int* y) { y[0] = 1; }
)";

// Device code that writes its own constants by their address, to see whether anything survives to
// the next call.
const char* const constant_source = R"(
__constant__ int state = 41;
extern "C" __global__ void remember(int* y) {
  const volatile int* p = &state;
  y[0] = *p;
  *const_cast<int*>(const_cast<const int*>(p)) = *p + 1;
}
)";

const char* const cooperative_source = R"(
#include <cooperative_groups.h>
extern "C" __global__ void two_phases(const int* x, int* partial, int* y) {
  if (threadIdx.x == 0) partial[blockIdx.x] = x[blockIdx.x];
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += partial[i];
    y[0] = sum;
  }
}
)";

const char* const cluster_source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void pass_on(const int* x, int* y) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = x[blockIdx.x];
  cluster.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  cluster.sync();
}
extern "C" __global__ void ring(const int* x, int* y) { pass_on(x, y); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) fixed_ring(const int* x, int* y) { pass_on(x, y); }
)";

const char* const tensormap_source = R"(
#include <cuda.h>
extern "C" __global__ void tiles(const __grid_constant__ CUtensorMap map, float* y) {
  __shared__ alignas(128) float tile[8 * 32];
  __shared__ alignas(8) unsigned long long arrived;
  const unsigned barrier = __cvta_generic_to_shared(&arrived), target = __cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(8 * 32 * 4) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(target),
                 "l"(&map), "r"(barrier), "r"(static_cast<int>(blockIdx.x * 32)), "r"(static_cast<int>(blockIdx.y * 8))
                 : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(barrier) : "memory");
  float* mine = y + (blockIdx.y * gridDim.x + blockIdx.x) * 256;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = tile[i];
}
)";

BuildResult build(const char* source, const std::string& arch) {
  return cuda::compile(
      {.language = core::Language::cuda, .arch = arch, .source = source, .name = "test.cu"});
}

TEST(CudaDeviceSources, Compile) {
  if (!cuda::nvrtc().missing.empty()) GTEST_SKIP() << cuda::nvrtc().missing;
  for (const char* source :
       {plain_source, constant_source, cooperative_source, cluster_source, tensormap_source}) {
    const auto built = build(source, "sm_90a");
    EXPECT_TRUE(built.ok) << built.log;
    EXPECT_THAT(built.forbidden, testing::IsEmpty());
  }
}

class CudaDeviceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto report = cuda_backend.discover();
    if (!report.available) return;
    info_ = report.devices[0];
    ops_ = cuda_backend.tensor_ops(info_);
    device_ = cuda_backend.open(info_);
    inputs_ = ops_->allocate(room);
    outputs_ = ops_->allocate(room);
  }
  static void TearDownTestSuite() {
    device_.reset();
    ops_.reset();
  }
  void SetUp() override {
    if (!device_) GTEST_SKIP() << cuda_backend.discover().why;
    import(*device_);
  }
  void TearDown() override {
    if (device_) device_->drop_blocks();
  }
  static void import(Device& device) {
    for (const Block& block : {inputs_, outputs_})
      device.import_block(ops_->export_block(block.id), block.bytes);
  }

  static bool hopper() { return info_.arch.starts_with("sm_9") || info_.arch.starts_with("sm_1"); }

  // x lies at the start of the first block, y of the second, scratch (if any) behind y.
  static CallRequest call(std::uint64_t x_bytes, std::uint64_t y_bytes, core::ResolvedLaunch launch,
                          std::uint64_t scratch_bytes = 0) {
    CallRequest request;
    request.plan.buffers = {
        {.name = "x", .role = core::ResolvedBuffer::Role::input, .bytes = x_bytes},
        {.name = "y", .role = core::ResolvedBuffer::Role::output, .bytes = y_bytes}};
    request.sets = {{{0, 0}, {1, 0}}};
    if (scratch_bytes > 0) {
      request.plan.buffers.push_back(
          {.name = "s", .role = core::ResolvedBuffer::Role::scratch, .bytes = scratch_bytes});
      request.sets[0].push_back({1, 1 << 20});
    }
    request.plan.launches = {std::move(launch)};
    return request;
  }
  static core::ResolvedArg buffer(int index) {
    return {.kind = Kind::buffer, .index = index, .text = "buffer"};
  }
  static core::ResolvedArg integer(std::int64_t value) {
    return {.kind = Kind::integer, .integer = value, .text = "integer"};
  }

  static void load(const char* source, const std::vector<std::string>& kernels) {
    const auto built = build(source, info_.arch);
    ASSERT_TRUE(built.ok) << built.log;
    const auto infos = device_->load(built.image, kernels);
    ASSERT_TRUE(infos.ok()) << infos.error();
  }
  static CallReport run(const CallRequest& request) {
    ops_->finish();
    const auto prepared = device_->prepare(request);
    if (!prepared.ok()) return {.error = prepared.error()};
    return device_->go();
  }
  template <typename T>
  static std::vector<T> outputs(std::size_t count) {
    std::vector<T> values(count);
    ops_->read({outputs_.id, 0, count * sizeof(T)}, values.data());
    return values;
  }
  static std::vector<int> count_up(std::size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    ops_->write({inputs_.id, 0, count * sizeof(int)}, values.data());
    return values;
  }

  static constexpr std::uint64_t room = 4 << 20;
  static inline core::DeviceInfo info_;
  static inline std::unique_ptr<TensorOps> ops_;
  static inline std::unique_ptr<Device> device_;
  static inline Block inputs_, outputs_;
};

TEST_F(CudaDeviceTest, TellsAKernelsParametersAndFigures) {
  const auto built = build(plain_source, info_.arch);
  const auto infos = device_->load(built.image, {"scale", "add_real"});
  ASSERT_TRUE(infos.ok()) << infos.error();
  ASSERT_EQ(infos->size(), 2u);
  const auto& scale = (*infos)[0];
  ASSERT_EQ(scale.parameters.size(), 4u);
  EXPECT_EQ(scale.parameters[0].bytes, 8u);
  EXPECT_EQ(scale.parameters[2].bytes, 8u);
  EXPECT_EQ(scale.parameters[3].bytes, 2u);
  EXPECT_GT(scale.registers, 0);
  EXPECT_GT(scale.max_threads, 0);
}

TEST_F(CudaDeviceTest, RunsAKernelOnTheJudgesMemory) {
  load(plain_source, {"scale"});
  count_up(1000);
  const core::ResolvedLaunch launch{.kernel = "scale",
                                    .grid = {4, 1, 1},
                                    .block = {256, 1, 1},
                                    .args = {buffer(0), buffer(1), integer(1000), integer(-3)}};
  for (const bool flush : {false, true}) {
    CallRequest request = call(4000, 4000, launch);
    request.flush = flush;
    ops_->poison({outputs_.id, 0, 4000}, DType::i32, 1);
    const CallReport report = run(request);
    ASSERT_TRUE(report.ok) << report.error;
    EXPECT_GT(report.device_seconds, 0);
    EXPECT_GT(report.runner_seconds, 0);
    const auto y = outputs<int>(1000);
    EXPECT_EQ(y[0], -3);
    EXPECT_EQ(y[999], -3000);
  }
}

TEST_F(CudaDeviceTest, TimesEachOfSeveralCallsByItself) {
  load(plain_source, {"spin", "scale"});
  count_up(1000);
  CallRequest request = call(4000, 4000, {.kernel = "spin", .args = {integer(100)}});
  request.plan.launches.push_back({.kernel = "scale",
                                   .grid = {4, 1, 1},
                                   .block = {256, 1, 1},
                                   .args = {buffer(0), buffer(1), integer(1000), integer(2)}});
  request.sets.push_back({{0, 0}, {1, 1 << 20}});
  request.sets.push_back({{0, 0}, {1, 2 << 20}});
  const CallReport report = run(request);
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_GE(report.device_seconds, 3 * 1e-4);
  EXPECT_LT(report.device_seconds, report.runner_seconds)
      << "what lies between the calls is left out";
  for (const std::uint64_t offset : {0ull, 1ull << 20, 2ull << 20}) {
    int last = 0;
    ops_->read({outputs_.id, offset + 3996, 4}, &last);
    EXPECT_EQ(last, 2000);
  }
}

// A device that is told to forget shows nothing of an earlier call, and one that is not does: the
// test can fail.
TEST_F(CudaDeviceTest, LeavesNothingInLocalMemory) {
  load(plain_source, {"peek_local"});
  const auto seen = [&](bool flush) {
    CallRequest request = call(
        64, 4096,
        {.kernel = "peek_local", .grid = {264, 1, 1}, .block = {1024, 1, 1}, .args = {buffer(1)}});
    request.flush = flush;
    bool found = false;
    for (int i = 0; i < 3; ++i) {
      const CallReport report = run(request);
      EXPECT_TRUE(report.ok) << report.error;
      const auto y = outputs<unsigned>(1024);
      found = found || (i > 0 && std::count(y.begin(), y.end(), 0xabcdef01u) > 0);
    }
    return found;
  };
  EXPECT_TRUE(seen(false));
  EXPECT_FALSE(seen(true));
}

TEST_F(CudaDeviceTest, MapsMemoryAtFreshAddresses) {
  load(plain_source, {"where_am_i"});
  const core::ResolvedLaunch launch{.kernel = "where_am_i", .args = {buffer(0), buffer(1)}};
  std::set<std::uint64_t> addresses;
  std::uint64_t last = 0;
  for (int i = 0; i < 32; ++i) {
    const CallReport report = run(call(64, 64, launch));
    ASSERT_TRUE(report.ok) << report.error;
    const std::uint64_t address = outputs<std::uint64_t>(1)[0];
    EXPECT_NE(address, last);
    addresses.insert(last = address);
  }
  EXPECT_GT(addresses.size(), 16u);
  CallRequest again = call(64, 64, launch);
  again.fresh_addresses = false;
  ASSERT_TRUE(run(again).ok);
  EXPECT_EQ(outputs<std::uint64_t>(1)[0], last) << "only fresh when asked";
}

TEST_F(CudaDeviceTest, PassesTypedScalars) {
  load(plain_source, {"add_real"});
  const std::vector<float> ones(32, 1.0f);
  ops_->write({outputs_.id, 0, 128}, ones.data());
  core::ResolvedArg by{.kind = Kind::scalar, .dtype = DType::f32, .text = "f32:0.5"},
      more{.kind = Kind::scalar, .dtype = DType::f64, .text = "f64:2"};
  const float half = 0.5f;
  const double two = 2;
  std::memcpy(by.bits.data(), &half, 4);
  std::memcpy(more.bits.data(), &two, 8);
  const CallReport report = run(
      call(64, 128, {.kernel = "add_real", .block = {32, 1, 1}, .args = {buffer(1), by, more}}));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(outputs<float>(32)[31], 3.5f);
}

TEST_F(CudaDeviceTest, GivesAllTheSharedMemoryThereIs) {
  load(plain_source, {"big_shared"});
  const std::int64_t words = info_.shared_per_block / 4;
  core::ResolvedLaunch launch{.kernel = "big_shared",
                              .block = {256, 1, 1},
                              .shared = words * 4,
                              .args = {buffer(1), integer(words)}};
  const CallReport report = run(call(64, 64, launch));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(outputs<int>(1)[0], words - 1);
  launch.shared += 4;
  EXPECT_THAT(run(call(64, 64, launch)).error, HasSubstr("launch 1 (big_shared)"));
}

TEST_F(CudaDeviceTest, LaunchesOneKernelWithSeveralSizesOfSharedMemory) {
  load(plain_source, {"big_shared"});
  const std::int64_t most = info_.shared_per_block / 4;
  CallRequest request = call(64, 64, {});
  request.plan.launches.clear();
  for (const std::int64_t words : {most, std::int64_t{256}})
    request.plan.launches.push_back({.kernel = "big_shared",
                                     .block = {256, 1, 1},
                                     .shared = words * 4,
                                     .args = {buffer(1), integer(words)}});
  const CallReport report = run(request);
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(outputs<int>(1)[0], 255);
}

TEST_F(CudaDeviceTest, SaysWhatIsWrongWithArguments) {
  load(plain_source, {"scale"});
  EXPECT_THAT(run(call(64, 64, {.kernel = "scale", .args = {buffer(0)}})).error,
              HasSubstr("the plan gives 1 arguments, the kernel takes 4"));
  EXPECT_THAT(
      run(call(64, 64,
               {.kernel = "scale", .args = {buffer(0), buffer(1), integer(1), integer(70000)}}))
          .error,
      HasSubstr("does not fit"));
  EXPECT_THAT(run(call(room + 1, 64, {.kernel = "scale", .args = {}})).error,
              HasSubstr("reaches past its block"));
}

TEST_F(CudaDeviceTest, ListsTheKernelsThereAre) {
  const auto built = build(plain_source, info_.arch);
  const auto missing = device_->load(built.image, {"mangled"});
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error(), HasSubstr("extern \"C\""));
  EXPECT_THAT(missing.error(), HasSubstr("scale"));
  const auto broken = device_->load("this is no image", {"k"});
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error(), HasSubstr("loading the image"));
}

TEST_F(CudaDeviceTest, LaunchesCooperatively) {
  load(cooperative_source, {"two_phases"});
  count_up(200);
  core::ResolvedLaunch launch{.kernel = "two_phases",
                              .grid = {100, 1, 1},
                              .block = {64, 1, 1},
                              .cooperative = true,
                              .args = {buffer(0), buffer(2), buffer(1)}};
  const CallReport report = run(call(800, 64, launch, 4096));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(outputs<int>(1)[0], 5050);
  launch.grid = {1'000'000, 1, 1};
  EXPECT_THAT(run(call(800, 64, launch, 4096)).error, HasSubstr("needs all its blocks resident"));
}

TEST_F(CudaDeviceTest, LaunchesClusters) {
  if (!hopper()) GTEST_SKIP() << "no clusters on " << info_.arch;
  load(cluster_source, {"ring", "fixed_ring"});
  count_up(8);
  core::ResolvedLaunch launch{.kernel = "ring",
                              .grid = {8, 1, 1},
                              .block = {32, 1, 1},
                              .cluster = {4, 1, 1},
                              .args = {buffer(0), buffer(1)}};
  CallReport report = run(call(64, 64, launch));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_THAT(outputs<int>(8), ElementsAre(2, 3, 4, 1, 6, 7, 8, 5));
  launch.kernel = "fixed_ring";
  launch.cluster = {2, 1, 1};
  report = run(call(64, 64, launch));
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_THAT(outputs<int>(8), ElementsAre(2, 1, 4, 3, 6, 5, 8, 7));
  launch.cluster = {0, 0, 0};
  EXPECT_TRUE(run(call(64, 64, launch)).ok);
  launch.cluster = {4, 1, 1};
  EXPECT_THAT(run(call(64, 64, launch)).error, HasSubstr("__cluster_dims__"));
}

TEST_F(CudaDeviceTest, CopiesTilesByTensorMap) {
  if (!hopper()) GTEST_SKIP() << "no tensor maps on " << info_.arch;
  load(tensormap_source, {"tiles"});
  constexpr int rows = 16, cols = 64;
  std::vector<float> x(rows * cols);
  std::iota(x.begin(), x.end(), 0.0f);
  ops_->write({inputs_.id, 0, x.size() * 4}, x.data());
  CallRequest request =
      call(x.size() * 4, x.size() * 4,
           {.kernel = "tiles",
            .grid = {cols / 32, rows / 8, 1},
            .block = {32, 1, 1},
            .args = {{.kind = Kind::tensormap, .index = 0, .text = "x_map"}, buffer(1)}});
  request.plan.tensormaps = {{.name = "x_map",
                              .buffer = 0,
                              .dims = {rows, cols},
                              .box = {8, 32},
                              .element_strides = {1, 1}}};
  const CallReport report = run(request);
  ASSERT_TRUE(report.ok) << report.error;
  const auto y = outputs<float>(x.size());
  for (int by = 0; by < rows / 8; ++by)
    for (int bx = 0; bx < cols / 32; ++bx)
      for (int i = 0; i < 256; ++i) {
        const auto at = static_cast<std::size_t>((by * 8 + i / 32) * cols + bx * 32 + i % 32);
        ASSERT_EQ(y[static_cast<std::size_t>((by * (cols / 32) + bx) * 256 + i)], x[at]);
      }
}

// A device that went astray takes its whole process along, so these run in a process of their own,
// and tell what they saw on its error stream.
class CudaDeviceDeathTest : public CudaDeviceTest {
 protected:
  void SetUp() override {
    CudaDeviceTest::SetUp();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }

  [[noreturn]] static void write_constants() {
    load(constant_source, {"remember"});
    for (int i = 0; i < 3; ++i) {
      const CallReport report = run(call(64, 64, {.kernel = "remember", .args = {buffer(1)}}));
      std::fprintf(stderr, "%s ",
                   report.ok ? std::to_string(outputs<int>(1)[0]).c_str() : report.error.c_str());
      if (!report.ok) break;  // the context is lost
    }
    std::_Exit(0);
  }

  [[noreturn]] static void go_astray() {
    load(plain_source, {"wild"});
    const CallRequest request = call(64, 64, {.kernel = "wild", .args = {buffer(1)}});
    const CallReport report = run(request);
    const auto after = device_->prepare(request);
    std::fprintf(stderr, "%s; %s", report.error.c_str(),
                 after.ok() ? "ready" : after.error().c_str());
    std::_Exit(0);
  }
};

TEST_F(CudaDeviceDeathTest, ConstantsStartEveryCallAsWritten) {
  // Where constants cannot be written at all, the launch fails instead.
  EXPECT_EXIT(write_constants(), testing::ExitedWithCode(0),
              "41 41 41|launch 1 .remember.: CUDA_ERROR");
}

TEST_F(CudaDeviceDeathTest, NamesTheLaunchThatWentAstrayAndIsThenLost) {
  EXPECT_EXIT(go_astray(), testing::ExitedWithCode(0),
              "launch 1 .wild.: CUDA_ERROR_ILLEGAL_ADDRESS.*context was lost");
}

TEST_F(CudaDeviceTest, LeavesNothingInSharedMemory) {
  load(plain_source, {"peek_shared"});
  const core::ResolvedLaunch launch{
      .kernel = "peek_shared", .grid = {1, 1, 1}, .block = {1024, 1, 1}, .args = {buffer(1)}};
  for (int i = 0; i < 3; ++i) {
    const CallReport report = run(call(64, 4096, launch));
    ASSERT_TRUE(report.ok) << report.error;
    EXPECT_THAT(outputs<unsigned>(1024), testing::Not(testing::Contains(0xabcdef01u)));
  }
}

TEST_F(CudaDeviceTest, TimesSeveralSetsTogether) {
  load(plain_source, {"spin"});
  CallRequest one = call(64, 64, {.kernel = "spin", .args = {integer(200)}});
  const CallReport single = run(one);
  ASSERT_TRUE(single.ok) << single.error;
  EXPECT_GE(single.device_seconds, 190e-6);
  EXPECT_GE(single.runner_seconds, 190e-6);
  one.sets.resize(5, one.sets[0]);
  const CallReport five = run(one);
  ASSERT_TRUE(five.ok) << five.error;
  EXPECT_GE(five.device_seconds, 950e-6);
  one.skip_launch = 0;
  EXPECT_THAT(run(one).error, HasSubstr("nothing to launch"));
}

TEST_F(CudaDeviceTest, RunsInMemoryOfItsOwnForProfilers) {
  load(plain_source, {"scale"});
  count_up(1000);
  CallRequest request = call(4000, 4000,
                             {.kernel = "scale",
                              .grid = {4, 1, 1},
                              .block = {256, 1, 1},
                              .args = {buffer(0), buffer(1), integer(1000), integer(2)}});
  request.private_memory = true;
  ops_->poison({outputs_.id, 0, 4000}, DType::i32, 1);
  const CallReport report = run(request);
  ASSERT_TRUE(report.ok) << report.error;
  EXPECT_EQ(outputs<int>(1000)[999], 2000);
}

TEST_F(CudaDeviceTest, ReadsTheDevicesState) {
  const DeviceState state = read_state(info_, {});
  if (!state.missing.empty()) GTEST_SKIP() << state.missing;
  EXPECT_TRUE(state.sm_clock_mhz.has_value());
  EXPECT_TRUE(state.temperature_c.has_value());
}

// For people: run with --gtest_also_run_disabled_tests.
TEST_F(CudaDeviceTest, DISABLED_TellsHowLongACallTakes) {
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
  };
  std::printf("device %s %s, driver %s, pins %.3g B/s, L2 %lld\n", info_.name.c_str(),
              info_.arch.c_str(), info_.driver.c_str(), info_.pin_bandwidth,
              static_cast<long long>(info_.l2_bytes));
  auto begin = Clock::now();
  const auto another = cuda_backend.open(info_);
  std::printf("opening a device                         %8.3f ms\n", milliseconds(begin));
  const auto tell = [&](const char* what, const char* source, core::ResolvedLaunch launch,
                        bool fresh, bool flush) {
    load(source, {launch.kernel});
    CallRequest request = call(64, 64, std::move(launch));
    request.fresh_addresses = fresh;
    request.flush = flush;
    constexpr int rounds = 20;
    double prepare = 0, go = 0, span = 0, wall = 0;
    for (int i = 0; i < rounds + 1; ++i) {
      if (i == 1) prepare = go = span = wall = 0;
      auto start = Clock::now();
      ASSERT_TRUE(device_->prepare(request).ok());
      prepare += milliseconds(start);
      start = Clock::now();
      const CallReport report = device_->go();
      go += milliseconds(start);
      span += 1e3 * report.device_seconds;
      wall += 1e3 * report.runner_seconds;
    }
    std::printf("%-40s %8.3f ms prepare %8.3f ms go %8.4f ms span %8.4f ms wall\n", what,
                prepare / rounds, go / rounds, span / rounds, wall / rounds);
  };
  const core::ResolvedLaunch tiny{.kernel = "where_am_i", .args = {buffer(0), buffer(1)}},
      fifty{.kernel = "spin", .args = {integer(50)}};
  tell("tiny kernel, same addresses, no flush", plain_source, tiny, false, false);
  tell("tiny kernel, fresh addresses, no flush", plain_source, tiny, true, false);
  tell("tiny kernel, fresh addresses, flush", plain_source, tiny, true, true);
  tell("50 us kernel, fresh addresses, flush", plain_source, fifty, true, true);
  for (int i = 0; i < 3; ++i) {
    begin = Clock::now();
    const DeviceState state = read_state(info_, {});
    std::printf(
        "reading the state                        %8.3f ms (%.0f MHz, %.0f C, %.0f W, %zu "
        "others)\n",
        milliseconds(begin), state.sm_clock_mhz.value_or(0), state.temperature_c.value_or(0),
        state.power_w.value_or(0), state.other_users.size());
  }
}

}  // namespace
}  // namespace hone::device
