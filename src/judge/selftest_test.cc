#include "judge/selftest.h"

#include <gmock/gmock.h>

#include <set>

#include "base/resources.h"
#include "device/device.h"
#include "judge/guards.h"
#include "judge/specimens.h"
#include "task/candidate_loader.h"

namespace hone::judge {
namespace {

using ::testing::IsEmpty;

core::DeviceInfo device_of(core::Language language, bool is_cpu) {
  core::DeviceInfo info;
  info.language = language;
  info.is_cpu = is_cpu;
  return info;
}
const core::DeviceInfo cpu = device_of(core::Language::opencl, true), gpu = device_of(core::Language::cuda, false);

TEST(Selftest, ShowsEveryGuardOrSaysWhyNot) {
  for (const auto& info : {cpu, gpu})
    for (const auto& guard : guard_lines(info))
      EXPECT_NE(guard.specimens.empty(), guard.reason.empty())
          << guard.name << (info.is_cpu ? " on a CPU" : " on a GPU");
}

TEST(Selftest, ShowsEveryGuardWithoutAGpuButSanitizersAndQueuedWork) {
  for (const auto& guard : guard_lines(cpu))
    EXPECT_EQ(guard.specimens.empty(), guard.name == "sanitizer" || guard.name == "late-work") << guard.name;
}

TEST(Selftest, HasASpecimenForEveryRowOrSaysWhyNot) {
  for (const auto& info : {cpu, gpu})
    for (const Row& row : all_rows()) {
      bool any = false;
      for (const Specimen& specimen : all_specimens())
        any = any || (specimen.row == row.number && can_be_tried(specimen, info));
      EXPECT_NE(any, !(info.is_cpu ? row.not_on_cpu : row.not_on_gpu).empty())
          << "row " << row.number << (info.is_cpu ? " on a CPU" : " on a GPU");
    }
}

TEST(Selftest, NamesOnlyGuardsAndRowsThatExist) {
  std::set<std::string_view> guards = {""}, rows;
  for (const GuardInfo& guard : all_guards()) guards.insert(guard.name);
  for (const Row& row : all_rows()) rows.insert(row.number);
  EXPECT_EQ(rows.size(), 41u);
  for (const Specimen& specimen : all_specimens()) {
    EXPECT_TRUE(guards.contains(specimen.guard)) << specimen.name;
    EXPECT_TRUE(rows.contains(specimen.row)) << specimen.name;
  }
}

std::vector<std::string> endings_of(const Specimen& specimen) {
  switch (specimen.place) {
    case Place::anywhere:
      return {".cl", ".cu"};
    case Place::native:
      return {".cl"};
    case Place::cuda:
      return {".cu"};
    case Place::python:
    case Place::python_cpu:
    case Place::python_cuda:
      return {".py"};
    default:
      return {".fake"};
  }
}

TEST(Selftest, ShipsASourceForEverySpecimenAndTwin) {
  for (const Specimen& specimen : all_specimens())
    for (const auto& ending : endings_of(specimen))
      for (const auto& name : {std::string(specimen.name), std::string("honest"), std::string(specimen.accomplice)}) {
        if (name.empty()) continue;
        EXPECT_TRUE(base::find_resource("selftest/" + std::string(specimen.task) + "/" + name + ending))
            << specimen.task << "/" << name << ending;
      }
}

// The CUDA specimens cannot run here, but they must not fail for a slip of the pen where they can.
TEST(Selftest, ItsCudaSourcesCompile) {
  if (device::compiler_version(core::Language::cuda, "").empty()) GTEST_SKIP() << "there is no NVRTC here";
  for (const auto& name : base::resource_names("selftest/")) {
    if (!name.ends_with(".cu")) continue;
    const std::string source = base::resource(name);
    const auto candidate = task::candidate_from(source, core::Language::cuda, name);
    ASSERT_TRUE(candidate.ok()) << task::render_with_sources(candidate.error());
    const auto built = device::compile({core::Language::cuda, "", "sm_90a", source, name, {}});
    EXPECT_TRUE(built.ok) << built.log;
    if (name.find("global_state") != std::string::npos)
      EXPECT_EQ(built.forbidden.size(), 1u);
    else
      EXPECT_THAT(built.forbidden, IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace hone::judge
