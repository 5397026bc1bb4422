#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;
namespace fs = std::filesystem;

JsonProbe check_of(const JsonProbe& report, const std::string& name) {
  for (const auto& check : report["checks"].items())
    if (check["name"] == name) return check;
  return {};
}

fs::path only_file_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files.size() == 1 ? files[0] : fs::path();
}

TEST(Doctor, NamesEveryThingThatJudgingNeeds) {
  const Hone hone;
  const auto finished = hone.run({"doctor", "--no-measure", "--json"});
  const JsonProbe report(finished.out);
  for (const char* name :
       {"C++ compiler", "isolation", "ncu", "compute-sanitizer", "home folder", "archive"})
    EXPECT_NE(check_of(report, name), nullptr) << name;
  EXPECT_EQ(finished.code, report["can_judge"] == true ? 0 : 4);
  for (const auto& check : report["checks"].items())
    if (check["state"] == "missing") {
      EXPECT_NE(check["fix"], "") << check;
    }
}

TEST(Doctor, WithoutDevicesSaysHowToGetOneAndExitsWithTheEnvironmentsCode) {
  Hone hone;
  hone.set("OCL_ICD_VENDORS", "/nowhere");
  hone.set("OPENCL_VENDOR_PATH", "/nowhere");
  hone.set("CUDA_VISIBLE_DEVICES", "");
  const auto finished = hone.run({"doctor"});
  EXPECT_EQ(finished.code, 4) << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("pocl-opencl-icd"));
  EXPECT_THAT(finished.out, HasSubstr("Nothing can be judged here yet: there is no device"));
}

TEST(Doctor, ComplainsAboutAHomeThatCannotBeWritten) {
  Hone hone;
  hone.set("HONE_HOME", "/proc/hone");
  const auto finished = hone.run({"doctor", "--no-measure", "--json"});
  const JsonProbe check = check_of(JsonProbe(finished.out), "home folder");
  EXPECT_EQ(check["state"], "missing");
  EXPECT_THAT(check["fix"].text(), HasSubstr("HONE_HOME"));
}

// As in a container that forbids them: there are no namespaces, and native code is refused with
// what helps.
TEST(Doctor, SaysWhichSettingAllowsTheSandbox) {
  const Hone hone;
  const auto without = [&](std::vector<std::string> words) {
    words.insert(
        words.begin(),
        {"unshare", "-Ur", "sh", "-c",
         "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"", HONE_BINARY});
    return hone.run_program(words);
  };
  const std::string setting = "sysctl -w user.max_user_namespaces=10000";
  const auto doctor = without({"doctor", "--no-measure"});
  if (doctor.out.empty()) GTEST_SKIP() << "no namespaces to take away: " << doctor.err;
  EXPECT_THAT(doctor.out, HasSubstr(setting));
  EXPECT_THAT(doctor.out, HasSubstr("refused, unless --unsafe is given"));
  if (!has_opencl()) return;
  const auto eval =
      without({"eval", HONE_EXAMPLES "/sum", HONE_EXAMPLES "/sum/seed.cl", "--device", "opencl:0"});
  EXPECT_EQ(eval.code, 4) << eval.out;
  EXPECT_THAT(eval.err, HasSubstr(setting));
  EXPECT_THAT(eval.err, HasSubstr("add --unsafe"));
}

TEST(Doctor, MeasuresCeilingsOnceAndAgainWhenTheirFileIsDamaged) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const Hone hone;
  const auto first = hone.run({"doctor", "--json", "--device", "opencl:0"});
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  const JsonProbe ceilings = JsonProbe(first.out)["devices"][0]["ceilings"];
  for (const char* kind : {"read", "write", "copy"})
    EXPECT_GT(ceilings[kind].number(), 1e8) << kind;
  for (const char* kind : {"f32", "f64"}) EXPECT_GT(ceilings["flops"][kind].number(), 1e8) << kind;
  const fs::path kept = only_file_in(hone.home() / "ceilings");
  ASSERT_FALSE(kept.empty());

  // Figures that cannot be measured show that the file is believed, and that it is not when it is
  // damaged.
  auto stored = *base::from_json<std::map<std::string, base::RawJson>>(base::read_file(kept));
  stored["read"].text = "12345.0";
  stored["others"].text = "[]";
  base::write_file_atomically(kept, base::json_line(stored));
  const auto second = hone.run({"doctor", "--json", "--device", "opencl:0"});
  EXPECT_EQ(JsonProbe(second.out)["devices"][0]["ceilings"]["read"], 12345.0);
  base::write_file_atomically(kept, "{ damaged");
  const auto third = hone.run({"doctor", "--json", "--device", "opencl:0"});
  EXPECT_GT(JsonProbe(third.out)["devices"][0]["ceilings"]["read"].number(), 1e8);
}

}  // namespace
}  // namespace hone::end_to_end
