// `hone export`, and what comes of it without Hone: each export is compiled and linked with a check
// from tests/export, and run where there is a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Subject {
  const char* task;
  const char* candidate;  // under examples/
};
void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.candidate; }

std::string name_of(const testing::TestParamInfo<Subject>& info) {
  std::string name = info.param.candidate;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

fs::path exported(const Hone& hone, const Subject& subject, const std::string& format) {
  const fs::path folder = hone.folder() / "exported";
  const auto finished = hone.run({"export", std::string(HONE_EXAMPLES "/") + subject.candidate,
                                  "--task", std::string(HONE_EXAMPLES "/") + subject.task,
                                  "--format", format, "--out", folder});
  EXPECT_EQ(finished.code, 0) << finished.err;
  return folder;
}

class ExportedOpenCl : public testing::TestWithParam<Subject> {};

TEST_P(ExportedOpenCl, CompilesWithoutWarningsAndComputesWhatItShould) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const Hone hone;
  const fs::path folder = exported(hone, GetParam(), "opencl");
  const std::string task = GetParam().task, program = folder / "check";
  const auto built = hone.run_program({"g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror",
                                       "-I", folder, "-I", HONE_EXPORT_CHECKS, "-o", program,
                                       std::string(HONE_EXPORT_CHECKS "/") + task + ".cpp",
                                       folder / (task + ".cpp"), "-lOpenCL"});
  ASSERT_EQ(built.code, 0) << built.err;
  const auto checked = hone.run_program({program});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

INSTANTIATE_TEST_SUITE_P(Examples, ExportedOpenCl,
                         testing::Values(Subject{"softmax", "softmax/seed.cl"},
                                         Subject{"matmul", "matmul/seed.cl"},
                                         Subject{"softmax", "features/softmax.when.cl"},
                                         Subject{"sum", "features/sum.scratch.cl"},
                                         Subject{"matmul", "features/matmul.repeat.cl"},
                                         Subject{"layernorm", "features/layernorm.scalars.cl"},
                                         Subject{"transpose", "features/transpose.local.cl"}),
                         name_of);

TEST(Export, GivesAnExampleThatBuildsAndRuns) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const Hone hone;
  const fs::path folder = exported(hone, {"softmax", "softmax/seed.cl"}, "opencl");
  const auto built = hone.run_program({"make", "-s", "-C", folder});
  ASSERT_EQ(built.code, 0) << built.err;
  const auto ran = hone.run_program({folder / "softmax_example"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("y[0] = "));
}

TEST(Export, OverwritesNothingThatIsNotItsOwnWithoutForce) {
  const Hone hone;
  const std::string folder = hone.folder() / "exported", sum = std::string(HONE_EXAMPLES) + "/sum";
  const std::vector<std::string> words = {"export", sum + "/seed.cl", "--task",
                                          sum,      "--out",          folder};
  ASSERT_EQ(hone.run(words).code, 0);
  EXPECT_EQ(hone.run(words).code, 0) << "the same files once more";
  std::string first;
  for (const auto& file : std::filesystem::directory_iterator(folder)) first = file.path();
  base::write_file_atomically(first, "mine\n");
  const auto refused = hone.run(words);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, testing::AllOf(HasSubstr(first), HasSubstr("--force")));
  EXPECT_EQ(base::read_file(first), "mine\n");
  auto forced = words;
  forced.emplace_back("--force");
  EXPECT_EQ(hone.run(forced).code, 0);
  EXPECT_NE(base::read_file(first), "mine\n");
}

TEST(Export, RefusesAnotherLanguageThanTheCandidates) {
  const Hone hone;
  const auto finished =
      hone.run({"export", HONE_EXAMPLES "/softmax/seed.cl", "--task", HONE_EXAMPLES "/softmax",
                "--format", "cuda", "--out", hone.folder() / "x"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("is opencl source"));
}

TEST(Export, RefusesACandidateOfAnotherTask) {
  const Hone hone;
  const auto finished = hone.run({"export", HONE_EXAMPLES "/softmax/seed.cl", "--task",
                                  HONE_EXAMPLES "/matmul", "--out", hone.folder() / "x"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_FALSE(fs::exists(hone.folder() / "x"));
}

TEST(Export, SetsTunablesAsTold) {
  const Hone hone;
  const auto finished =
      hone.run({"export", HONE_EXAMPLES "/softmax/seed.cl", "--task", HONE_EXAMPLES "/softmax",
                "--set", "VEC=8", "--out", hone.folder() / "x"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(base::read_file(hone.folder() / "x/softmax.cpp"), HasSubstr("-DVEC=8"));
}

class ExportedCuda : public testing::TestWithParam<Subject> {};

TEST_P(ExportedCuda, CompilesAndLinksAndComputesWhereThereIsAGpu) {
  const char* given = std::getenv("NVCC");
  const std::string nvcc = given != nullptr                         ? given
                           : fs::exists("/usr/local/cuda/bin/nvcc") ? "/usr/local/cuda/bin/nvcc"
                                                                    : "";
  if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc here (set NVCC to say where)";
  const Hone hone;
  const fs::path folder = exported(hone, GetParam(), "cuda");
  const std::string task = GetParam().task, program = folder / "check";
  const auto built = hone.run_program(
      {nvcc, "-std=c++17", "-O1", "-arch=sm_90a", "-Werror", "all-warnings", "-x", "cu", "-I",
       folder, "-I", HONE_EXPORT_CHECKS, "-o", program,
       std::string(HONE_EXPORT_CHECKS "/") + task + ".cpp", folder / (task + ".cu")});
  ASSERT_EQ(built.code, 0) << built.err;
  for (const auto& backend : device::discover())
    if (backend.language == core::Language::cuda && !backend.devices.empty() &&
        backend.devices[0].arch == "sm_90a") {
      const auto checked = hone.run_program({program});
      EXPECT_EQ(checked.code, 0) << checked.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Examples, ExportedCuda,
                         testing::Values(Subject{"softmax", "softmax/seed.cu"},
                                         Subject{"sum", "features/sum.scratch.cu"},
                                         Subject{"softmax", "features/softmax.when.cu"},
                                         Subject{"transpose", "features/transpose.tensormap.cu"},
                                         Subject{"softmax", "features/softmax.cluster.cu"},
                                         Subject{"scan", "features/scan.cooperative.cu"},
                                         Subject{"layernorm", "features/layernorm.scalars.cu"}),
                         name_of);

}  // namespace
}  // namespace hone::end_to_end
