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

TEST_F(Ceilings, AreReadBackAsTheyWereKept) {
  keep_ceilings(device(), measured());
  const auto kept = kept_ceilings(device());
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->best.write, 2e9);
  EXPECT_EQ(kept->best.flops.at("f32"), 4e9);
  EXPECT_EQ(kept->best.groups, 1e8);
  EXPECT_EQ(kept->best.calls, 2e4);
  EXPECT_TRUE(kept->starts);
  EXPECT_EQ(kept->probes.at(0).shape, "16 × 1");
  EXPECT_EQ(kept->problems, measured().problems);
  EXPECT_EQ(ceilings_of(device(), false).copy, 3e9);
}

// Files of the first version do not say what starting costs, and are good for the rest.
TEST_F(Ceilings, OfTheFirstVersionAreStillRead) {
  keep_ceilings(device(), measured());
  auto text = base::read_file(ceilings_place(device()));
  const auto drop = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  drop("\"version\": 2", "\"version\": 1");
  drop("\"groups\": 100000000.0,", "");
  drop("\"calls\": 20000.0,", "");
  base::write_file_atomically(ceilings_place(device()), text);
  const auto kept = kept_ceilings(device());
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->best.read, 1e9);
  EXPECT_EQ(kept->best.groups, 0);
  EXPECT_FALSE(kept->starts);
  EXPECT_EQ(ceilings_of(device(), false).copy, 3e9);
}

TEST_F(Ceilings, BelongToOneDeviceAndOneDriver) {
  keep_ceilings(device(), measured());
  auto other = device();
  other.driver = "2.0";
  EXPECT_FALSE(kept_ceilings(other).has_value());
  other = device();
  other.uuid = "another";
  EXPECT_FALSE(kept_ceilings(other).has_value());
}

TEST_F(Ceilings, AreForgottenWhenTheirFileIsDamaged) {
  keep_ceilings(device(), measured());
  const auto whole = base::read_file(ceilings_place(device()));
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"), std::string("{\"version\": 1}")}) {
    base::write_file_atomically(ceilings_place(device()), text);
    EXPECT_FALSE(kept_ceilings(device()).has_value()) << text;
  }
  EXPECT_EQ(ceilings_of(device(), false).read, 0);
}

TEST_F(Ceilings, KeepTheBetterFigureOfEachKind) {
  CeilingRecord now = measured(), earlier = measured();
  now.best.read = 5e9;
  earlier.best.write = 6e9;
  earlier.best.flops["f64"] = 7e9;
  earlier.best.groups = 3e8;
  keep_the_better(now, earlier);
  EXPECT_EQ(now.best.read, 5e9);
  EXPECT_EQ(now.best.write, 6e9);
  EXPECT_EQ(now.best.flops.at("f64"), 7e9);
  EXPECT_EQ(now.best.groups, 3e8);
  EXPECT_EQ(now.best.calls, 2e4);
}

// Without a GPU nothing here can run them, but NVRTC tells whether they compile.
TEST(CeilingPrograms, CompileForTheArchitecturesTheyAreFor) {
  const std::string compiler = device::compiler_version(core::Language::cuda, "");
  if (compiler.empty()) GTEST_SKIP() << "there is no NVRTC here";
  const std::pair<const char*, const char*> programs[] = {
      {"memory.cu", "sm_80"}, {"arithmetic.cu", "sm_80"}, {"tensor_mma.cu", "sm_80"}, {"tensor_wgmma.cu", "sm_90a"}};
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
    // Products that wait for each other would be a low ceiling.
    EXPECT_EQ(built.log.find("serialized"), std::string::npos) << built.log;
  }
}

}  // namespace
}  // namespace hone::judge
