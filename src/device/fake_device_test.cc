#include "device/fake_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "device/tensor_ops.h"

namespace hone::device {
namespace {

using core::DType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t count = 64, bytes = count * sizeof(float), zone = 64;

BuildResult build(const std::string& source,
                  std::vector<std::pair<std::string, std::string>> defines = {}) {
  return compile({.language = core::Language::fake,
                  .device_id = "fake:0",
                  .source = source,
                  .name = "k.fake",
                  .defines = std::move(defines)});
}

TEST(FakeCompiler, ReportsEveryErrorWithItsLine) {
  const BuildResult result = build(
      "/* hone 1\n plan */\nkernel run(buffer) copy\nkernel bad(thing) copy\n\nkernel more() "
      "dance\nkernel four() ns=\nrubbish\n");
  EXPECT_FALSE(result.ok);
  for (const char* text : {"k.fake:4: error: 'thing'", "k.fake:6: error: 'dance'",
                           "k.fake:7: error: 'ns' needs", "k.fake:8: error: 'rubbish'"})
    EXPECT_THAT(result.log, HasSubstr(text));
}

TEST(FakeCompiler, FindsNothingToRunInAnEmptySource) {
  EXPECT_THAT(build("").log, HasSubstr("no kernel"));
  EXPECT_THAT(build("/* never closed").log, HasSubstr("no kernel"));
  EXPECT_THAT(build("/").log, HasSubstr("neither kernel nor global"));
}

TEST(FakeCompiler, ReportsAGlobalAsForbidden) {
  const BuildResult result = build("global counter\nkernel run(buffer, buffer) copy\n");
  EXPECT_TRUE(result.ok);
  EXPECT_THAT(result.forbidden, ElementsAre("a writable global 'counter'"));
}

TEST(FakeCompiler, WorksOutTimesFromTheBuildsMacros) {
  EXPECT_THAT(build("kernel run(buffer) ns=1000*BLOCK/2 noise=0.5\n", {{"BLOCK", "64"}}).image,
              HasSubstr("run(buffer) ns=32000 noise=0.5"));
  EXPECT_THAT(build("kernel run(buffer) ns=1000*NOWHERE\n").log, HasSubstr("NOWHERE"));
}

class Fake : public ::testing::Test {
 protected:
  void SetUp() override {
    tensor_ops_ = open_tensor_ops(find_device("fake:0"));
    device_ = open_device("fake:0");
    for (Block& block : blocks_) {
      block = tensor_ops_->allocate(bytes + 2 * zone);
      tensor_ops_->garbage({block.id, 0, bytes + 2 * zone}, 1);
      device_->import_block(tensor_ops_->export_block(block.id), block.bytes);
    }
    refresh(1);
  }
  void refresh(std::uint64_t seed) {
    tensor_ops_->draw(span(0), {.dtype = DType::f32}, seed);
    tensor_ops_->poison(span(1), DType::f32, seed);
  }
  Span span(int block) const { return {blocks_[block].id, zone, bytes}; }
  std::vector<float> values(int block) {
    std::vector<float> result(count);
    tensor_ops_->read(span(block), result.data());
    return result;
  }
  void load(const std::string& behaviours) {
    const BuildResult built = build("kernel run(buffer, buffer, int) " + behaviours + "\n");
    ASSERT_TRUE(built.ok) << built.log;
    ASSERT_TRUE(device_->load(built.image, {"run"}).ok());
  }
  CallReport call(bool fresh = true, bool flush = true) {
    CallRequest request{.fresh_addresses = fresh, .flush = flush};
    request.plan.buffers = {{.name = "x", .bytes = bytes}, {.name = "y", .bytes = bytes}};
    using Kind = core::ResolvedArg::Kind;
    request.plan.launches = {{.kernel = "run",
                              .args = {{.kind = Kind::buffer, .index = 0},
                                       {.kind = Kind::buffer, .index = 1},
                                       {.kind = Kind::integer}}}};
    request.sets = {{{.block = 0, .offset = zone}, {.block = 1, .offset = zone}}};
    const auto prepared = device_->prepare(request);
    EXPECT_TRUE(prepared.ok());
    return device_->go();
  }

  std::unique_ptr<TensorOps> tensor_ops_;
  std::unique_ptr<Device> device_;
  Block blocks_[2];
};

TEST_F(Fake, CopiesAndScales) {
  load("copy");
  EXPECT_TRUE(call().ok);
  EXPECT_EQ(values(0), values(1));
  load("scale=2.5");
  EXPECT_TRUE(call().ok);
  EXPECT_EQ(values(1)[3], 2.5f * values(0)[3]);
}

TEST_F(Fake, LeavesPoisonWhereItWritesNothing) {
  load("nothing");
  EXPECT_TRUE(call().ok);
  EXPECT_TRUE(std::isnan(values(1)[0]));
  load("half");
  EXPECT_TRUE(call().ok);
  EXPECT_EQ(values(1)[count / 2 - 1], values(0)[count / 2 - 1]);
  EXPECT_TRUE(std::isnan(values(1)[count / 2]));
}

TEST_F(Fake, TrespassesAsTold) {
  load("copy overrun underrun");
  EXPECT_TRUE(call().ok);
  std::vector<unsigned char> whole(bytes + 2 * zone);
  tensor_ops_->read({blocks_[1].id, 0, whole.size()}, whole.data());
  EXPECT_EQ(whole[zone - 1], 0);
  EXPECT_EQ(whole[zone + bytes], 0);
  const auto before = values(0);
  load("scribble");
  EXPECT_TRUE(call().ok);
  EXPECT_NE(before, values(0));
}

TEST_F(Fake, ReplaysWhatItRemembers) {
  load("stale");
  call();
  const auto first = values(1);
  refresh(2);
  call();
  EXPECT_EQ(values(1), first);
  EXPECT_NE(values(1), values(0));
}

TEST_F(Fake, ACacheByAddressFailsOnlyWhereAddressesStay) {
  load("by_address");
  call();
  refresh(2);
  call(true);
  EXPECT_EQ(values(1), values(0));
  refresh(3);
  call(false);
  EXPECT_NE(values(1), values(0));
}

TEST_F(Fake, ChangesItsWaysAfterSomeCalls) {
  load("copy after=2 zeros");
  for (int i = 0; i < 2; ++i) {
    call();
    EXPECT_EQ(values(1), values(0));
  }
  call();
  EXPECT_EQ(values(1)[0], 0);
}

TEST_F(Fake, ReportsTheTimesItWasTold) {
  load("copy ns=2000000 wall=3000000");
  const CallReport report = call();
  EXPECT_DOUBLE_EQ(report.device_seconds, 0.002);
  EXPECT_DOUBLE_EQ(report.runner_seconds, 0.003);
  load("copy ns=1000000 jitter=0.1");
  const double first = call().device_seconds, second = call().device_seconds;
  EXPECT_NE(first, second);
  EXPECT_NEAR(first, 0.001, 0.0001);
}

TEST_F(Fake, TakesTheTimeItSpendsWhereItIsToldTo) {
  load("copy spin=2000000 real");
  EXPECT_GE(call().device_seconds, 0.002);
  load("copy ns=1000 spin=2000000");
  EXPECT_DOUBLE_EQ(call().device_seconds, 1e-6);
}

TEST_F(Fake, DoesSomeThingsInItsFirstCallsOnly) {
  load("copy first=1 zeros");
  call();
  EXPECT_EQ(values(1)[0], 0);
  call();
  EXPECT_EQ(values(1), values(0));
}

TEST_F(Fake, IsFasterWhereTheCachesAreWarm) {
  load("copy ns=5000 warm=1000");
  EXPECT_DOUBLE_EQ(call(true, true).device_seconds, 5e-6);
  EXPECT_DOUBLE_EQ(call(true, false).device_seconds, 1e-6);
}

TEST_F(Fake, GrowsFasterAsItsProcessGrowsOlder) {
  load("copy spin=1000000 ns=1000000 halves=1000000");
  const double first = call().device_seconds;
  EXPECT_LE(call().device_seconds, first / 2);
}

TEST_F(Fake, ReportsALaunchError) {
  load("fail");
  const CallReport report = call();
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.error, HasSubstr("launch 1 ('run')"));
}

using FakeDeathTest = Fake;
TEST_F(FakeDeathTest, DiesAsTold) {
  ::testing::FLAGS_gtest_death_test_style = "fast";
  load("crash");
  EXPECT_EXIT(call(), ::testing::KilledBySignal(SIGSEGV), "");
  load("abort");
  EXPECT_EXIT(call(), ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace hone::device
