#include "judge/ceilings.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.h"
#include "base/resources.h"
#include "device/device.h"
#include "task/candidate_loader.h"

namespace hone::judge {
namespace {

class Ceilings : public testing::Test {
 protected:
  Ceilings() { ::setenv("HONE_HOME", folder_.path().c_str(), 1); }
  ~Ceilings() override { ::unsetenv("HONE_HOME"); }

  static core::DeviceInfo device() {
    core::DeviceInfo info;
    info.id = "opencl:0";
    info.uuid = "some-device";
    info.driver = "1.0";
    return info;
  }
  static CeilingRecord measured() {
    CeilingRecord record;
    record.best = {1e9, 2e9, 3e9, {{"f32", 4e9}}, 1e8, 2e4};
    record.probes = {{"read", "read_runs", "16 × 1", 1e9}};
    record.problems = {"ceilings/f64.cl: no doubles"};
    return record;
  }
  base::TemporaryFolder folder_{"hone-ceilings"};
};

TEST_F(Ceilings, AreReadBackAsTheyWereSaved) {
  save_ceilings(device(), measured());
  const auto saved = saved_ceilings(device());
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(saved->best.write, 2e9);
  EXPECT_EQ(saved->best.flops.at("f32"), 4e9);
  EXPECT_EQ(saved->best.groups, 1e8);
  EXPECT_EQ(saved->best.calls, 2e4);
  EXPECT_TRUE(saved->has_start_rates);
  EXPECT_EQ(saved->probes.at(0).shape, "16 × 1");
  EXPECT_EQ(saved->problems, measured().problems);
  EXPECT_EQ(ceilings_of(device(), false).copy, 3e9);
}

TEST_F(Ceilings, OfVersionOneAreReadWithoutStartRates) {
  save_ceilings(device(), measured());
  auto text = base::read_file(ceilings_path(device()));
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("\"version\": 2", "\"version\": 1");
  replace("\"groups\": 100000000.0,", "");
  replace("\"calls\": 20000.0,", "");
  base::write_file_atomically(ceilings_path(device()), text);
  const auto saved = saved_ceilings(device());
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(saved->best.read, 1e9);
  EXPECT_EQ(saved->best.groups, 0);
  EXPECT_FALSE(saved->has_start_rates);
  EXPECT_EQ(ceilings_of(device(), false).copy, 3e9);
}

TEST_F(Ceilings, BelongToOneDeviceAndOneDriver) {
  save_ceilings(device(), measured());
  auto other = device();
  other.driver = "2.0";
  EXPECT_FALSE(saved_ceilings(other).has_value());
  other = device();
  other.uuid = "another";
  EXPECT_FALSE(saved_ceilings(other).has_value());
}

TEST_F(Ceilings, OfADamagedFileAreIgnored) {
  save_ceilings(device(), measured());
  const auto whole = base::read_file(ceilings_path(device()));
  for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2),
                                  std::string("[]"), std::string("{\"version\": 1}")}) {
    base::write_file_atomically(ceilings_path(device()), text);
    EXPECT_FALSE(saved_ceilings(device()).has_value()) << text;
  }
  EXPECT_EQ(ceilings_of(device(), false).read, 0);
}

TEST_F(Ceilings, KeepTheHigherRateOfEachKind) {
  CeilingRecord now = measured(), earlier = measured();
  now.best.read = 5e9;
  earlier.best.write = 6e9;
  earlier.best.flops["f64"] = 7e9;
  earlier.best.groups = 3e8;
  merge_best_rates(now, earlier);
  EXPECT_EQ(now.best.read, 5e9);
  EXPECT_EQ(now.best.write, 6e9);
  EXPECT_EQ(now.best.flops.at("f64"), 7e9);
  EXPECT_EQ(now.best.groups, 3e8);
  EXPECT_EQ(now.best.calls, 2e4);
}

// Compiling needs NVRTC but no GPU.
TEST(CeilingPrograms, CompileForTheArchitecturesTheyAreFor) {
  const std::string compiler = device::compiler_version(core::Language::cuda, "");
  if (compiler.empty()) GTEST_SKIP() << "there is no NVRTC here";
  const std::pair<const char*, const char*> programs[] = {{"memory.cu", "sm_80"},
                                                          {"arithmetic.cu", "sm_80"},
                                                          {"tensor_mma.cu", "sm_80"},
                                                          {"tensor_wgmma.cu", "sm_90a"}};
  for (const auto& [name, arch] : programs) {
    const std::string resource = std::string("ceilings/") + name, source = base::resource(resource);
    auto candidate = task::candidate_from(source, core::Language::cuda, resource);
    ASSERT_TRUE(candidate.ok()) << name;
    device::BuildRequest request{core::Language::cuda, "", arch, source, resource, {}};
    for (const auto& [tunable, value] : core::default_point(candidate->plan))
      request.defines.emplace_back(tunable, std::to_string(value));
    const auto built = device::compile(request);
    EXPECT_TRUE(built.ok) << name << "\n" << built.log;
    EXPECT_TRUE(built.forbidden.empty()) << name;
    // A warning that wgmma instructions were serialized: the measured ceiling would be too low.
    EXPECT_EQ(built.log.find("serialized"), std::string::npos) << built.log;
  }
}

TEST_F(Ceilings, MeasuredBesideOtherProgramsAreMeasuredAgainWhenThoseAreGone) {
  CeilingRecord record;
  EXPECT_FALSE(is_worth_measuring_again(record, true, false));
  record.other_users = {"pid 4711 make"};
  EXPECT_FALSE(is_worth_measuring_again(record, true, true)) << "they would be too low once more";
  EXPECT_TRUE(is_worth_measuring_again(record, true, false));
  record.other_users.clear();
  record.has_start_rates = false;
  EXPECT_TRUE(is_worth_measuring_again(record, true, false));
  EXPECT_FALSE(is_worth_measuring_again(record, false, false)) << "only CPUs have start rates";
}

}  // namespace
}  // namespace hone::judge
