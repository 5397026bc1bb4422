#include "device/opencl_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "base/error.h"
#include "core/source_lines.h"
#include "device/opencl_library.h"
#include "device/opencl_source.h"
#include "device/opencl_test_cache.h"

namespace hone::device {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

// ---- reading the source

TEST(OpenClSource, TokensLeaveOutCommentsAndStrings) {
  EXPECT_THAT(tokens_of("a /* b */ c // d\n \"e\\\" f\" 12x 'g' h;"),
              ElementsAre("a", "c", "h", ";"));
  EXPECT_THAT(tokens_of("/* open"), IsEmpty());
  EXPECT_THAT(tokens_of("\"open"), IsEmpty());
  EXPECT_THAT(tokens_of("\"\\"), IsEmpty());
}

TEST(OpenClSource, KnowsTheWidthsOfTypes) {
  const auto typedefs =
      typedefs_of(tokens_of("typedef unsigned int u; typedef u v; typedef struct { int a; } s; "
                            "typedef const float4 f; typedef w w; typedef"));
  for (const auto& [type, bytes] : std::map<std::string, std::uint64_t>{{"int", 4},
                                                                        {"long", 8},
                                                                        {"float4", 16},
                                                                        {"double3", 32},
                                                                        {"uchar16", 16},
                                                                        {"size_t", 8},
                                                                        {"v", 4},
                                                                        {"f", 16},
                                                                        {"s", 0},
                                                                        {"w", 0},
                                                                        {"float5", 0},
                                                                        {"", 0},
                                                                        {"half", 2}})
    EXPECT_EQ(bytes_of_type(type, typedefs), bytes) << type;
}

TEST(OpenClSource, DamagedObjectsAreNoTrouble) {
  for (const std::string& binary : {std::string("\x7f"
                                                "ELF"),
                                    std::string("\x7f"
                                                "ELF\2") +
                                        std::string(200, '\xff'),
                                    std::string(70, '\0') + "\x7f"
                                                            "ELF\2\1"})
    EXPECT_THAT(forbidden_in("", {}, "", binary), IsEmpty());
}

TEST(OpenClErrors, AreTurnedIntoWords) {
  EXPECT_THAT(opencl_error(CL_INVALID_WORK_GROUP_SIZE),
              HasSubstr("CL_INVALID_WORK_GROUP_SIZE (-54): the block has more"));
  EXPECT_THAT(opencl_error(-9999), HasSubstr("-9999"));
}

// ---- the device's own compiler

class OpenClBuild : public ::testing::Test {
 protected:
  void SetUp() override {
    use_test_cache();
    if (opencl_devices().empty()) GTEST_SKIP() << "there is no OpenCL device here";
  }
  static BuildResult build(const std::string& source,
                           std::vector<std::pair<std::string, std::string>> defines = {}) {
    return compile({.language = core::Language::opencl,
                    .device_id = "opencl:0",
                    .source = source,
                    .name = "mine.cl",
                    .defines = std::move(defines)});
  }
};

TEST_F(OpenClBuild, PassesMacros) {
  const std::string source =
      "#if N != 7\n#error no\n#endif\n__kernel void run(__global HONE_REAL* y) { y[0] = N; }\n";
  const BuildResult result = build(source, {{"N", "7"}, {"HONE_REAL", "double"}});
  EXPECT_TRUE(result.ok) << result.log;
  EXPECT_THAT(result.forbidden, IsEmpty());
  EXPECT_FALSE(build(source, {{"N", "8"}, {"HONE_REAL", "double"}}).ok);
}

TEST_F(OpenClBuild, ALogNamesTheSourceAndTheLine) {
  const BuildResult result =
      build("__kernel void run(__global float* y) {\n  y[0] = nonsense;\n}\n");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("mine.cl:2:"));
  EXPECT_THAT(result.log, HasSubstr("nonsense"));
  EXPECT_THAT(result.log, Not(HasSubstr("tempfile")));
}

TEST_F(OpenClBuild, CountsLinesFromBehindAPlanThatWasPutInFront) {
  const auto put_in_front = [](const std::string& source) {
    return "/* hone 1\n*/\n" + std::string(core::line_restart) + source;
  };
  EXPECT_THAT(
      build(put_in_front("// mine\n__kernel void k(__global float* x) { x[0] = y; }\n")).log,
      HasSubstr("mine.cl:2:"));
  EXPECT_THAT(
      build(put_in_front("int state = 3;\n__kernel void k(__global int* x) { x[0] = state++; }\n"))
          .forbidden,
      ElementsAre(HasSubstr("'state'")));
}

TEST_F(OpenClBuild, RefusesSourcesThatAreEmptyBinaryOrWithoutKernels) {
  EXPECT_THAT(build(" \n").log, HasSubstr("empty"));
  EXPECT_THAT(build(std::string("a\0b", 3)).log, HasSubstr("not text"));
  const BuildResult result = build("int helper(int a) { return a; }\n");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.log, HasSubstr("no __kernel function"));
}

TEST_F(OpenClBuild, ReportsWritableProgramScopeVariables) {
  EXPECT_THAT(
      build("__global int counter = 0;\n__kernel void run(__global int* y) { y[0] = counter++; }\n")
          .forbidden,
      ElementsAre("a writable program-scope variable 'counter'"));
  EXPECT_THAT(
      build("__kernel void run(__global int* y) {\n  static int hidden;\n  y[0] = hidden++; }\n")
          .forbidden,
      ElementsAre("a writable program-scope variable 'hidden'"));
  EXPECT_THAT(build("__constant int table[2] = {1, 2};\n__kernel void run(__global int* y) { "
                    "__local int t; t = 1; y[0] = table[y[1]] + t; }\n")
                  .forbidden,
              IsEmpty());
}

TEST_F(OpenClBuild, ReportsPrintfHoweverItIsSpelled) {
  EXPECT_THAT(build("__kernel void run(__global int* y) { printf(\"%d\", y[0]); }\n").forbidden,
              ElementsAre("printf"));
  if (platform_text(opencl_device("opencl:0").platform, CL_PLATFORM_NAME) ==
      "Portable Computing Language") {
    EXPECT_THAT(build("#define JOIN(a, b) a##b\n__kernel void run(__global int* y) { JOIN(pri, "
                      "ntf)(\"%d\", y[0]); }\n")
                    .forbidden,
                ElementsAre("printf"));
  }
  EXPECT_THAT(build("// printf\n__kernel void run(__global int* y) { y[0] = 1; }\n").forbidden,
              IsEmpty());
}

#if defined(__x86_64__)
TEST_F(OpenClBuild, ReportsStateSmuggledInByAssembly) {
  if (!find_device("opencl:0").is_cpu) GTEST_SKIP() << "native code is a CPU's";
  const std::string source =
      "__kernel void run(__global long* y) { long v;\n"
      "  __asm__ volatile(\".pushsection .data\\n hone_state: .quad 0\\n .popsection\\n incq "
      "hone_state(%%rip)\\n movq hone_state(%%rip), %0\" : \"=r\"(v));\n"
      "  y[0] = v; }\n";
  // In a process of its own, as candidates are built: a compiler with assertions dies of such a
  // source, and that is then a failed build.
  constexpr int reported = 42;
  const auto caught = [](int status) {
    return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == reported);
  };
  GTEST_FLAG_SET(death_test_style,
                 "threadsafe");  // a new process, since the driver has threads in this one
  EXPECT_EXIT(
      {
        const BuildResult result = build(source);
        const bool seen = result.ok && result.forbidden.size() == 1 &&
                          result.forbidden[0].find("section .data") != std::string::npos;
        if (!seen) std::fprintf(stderr, "built: %d, log: %s\n", result.ok, result.log.c_str());
        std::_Exit(seen ? reported : 1);
      },
      caught, "");
}
#endif

TEST_F(OpenClBuild, AnUnknownDeviceIsAnErrorThatSaysHowToFindOne) {
  EXPECT_THROW(
      compile({.language = core::Language::opencl, .device_id = "opencl:99", .source = "x"}),
      base::Error);
  EXPECT_THROW(find_device("opencl:99"), base::Error);
}

// In a sandbox fewer devices may be in sight, and the numbers others.
TEST_F(OpenClBuild, ADeviceIsFoundByWhatItIsAsWellAsByItsNumber) {
  const core::DeviceInfo info = find_device("opencl:0");
  EXPECT_EQ(find_device(lasting_id(info)).id, info.id);
  EXPECT_TRUE(compile({.language = core::Language::opencl,
                       .device_id = lasting_id(info),
                       .source = "__kernel void run(__global int* y) { y[0] = 1; }\n"})
                  .ok);
  EXPECT_THAT([] { find_device("opencl-unknown"); },
              ThrowsMessage<base::Error>(HasSubstr("cannot be used inside the sandbox")));
  EXPECT_THAT([] { opencl_device("opencl-unknown"); },
              ThrowsMessage<base::Error>(HasSubstr("cannot be used inside the sandbox")));
}

}  // namespace
}  // namespace hone::device
