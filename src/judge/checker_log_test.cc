// What checkers and the debugger print, told with the candidate's own lines and the names of its
// buffers.
#include "judge/checker_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/source_lines.h"

namespace hone::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr SourceView source{"candidate.cu", "first\nsecond\n  z[i] = x[i + 1];\nlast\n"};

TEST(LineText, IsOfTheLineThatTheCompilerCounts) {
  const std::string planned =
      "/* hone 1\n*/\n" + std::string(core::line_restart) + std::string(source.text);
  EXPECT_EQ(line_text({"candidate.cu", planned}, 3), line_text(source, 3));
  EXPECT_THAT(line_text({"candidate.cu", planned}, 3), testing::HasSubstr("z[i] = x[i + 1]"));
}

TEST(CheckerLog, NamesTheLineAndTheBufferOfAnAccessOutOfBounds) {
  const auto report = read_checker_log(
      "hone memory 0x7f3c00000000 4084 x\n"
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at axpy(const float *, float *)+0x90 in /tmp/candidate.cu:3\n"
      "=========     by thread (29,0,0) in block (15,0,0)\n"
      "=========     Access at 0x7f3c00000ff4 is out of bounds\n"
      "=========     and is 1 bytes after the nearest allocation at 0x7f3c00000000 of size 4084 "
      "bytes\n"
      "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
      "=========         Host Frame: cuLaunchKernel [0x3344]\n"
      "========= \n"
      "========= ERROR SUMMARY: 1 error\n",
      source);
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(report.errors,
              AllOf(HasSubstr("Invalid __global__ read of size 4 bytes"),
                    HasSubstr("+0x90 in line 3 (`z[i] = x[i + 1];`)"),
                    HasSubstr("thread (29,0,0) in block (15,0,0)"),
                    HasSubstr("allocation `x` at 0x7f3c00000000"), Not(HasSubstr("Host Frame"))));
}

TEST(CheckerLog, TellsAnErrorThatHasNoPlace) {
  const auto report = read_checker_log(
      "========= Invalid __global__ read of size 4 bytes\n"
      "========= \n"
      "========= ERROR SUMMARY: 1 error\n");
  EXPECT_EQ(report.errors, "Invalid __global__ read of size 4 bytes");
}

TEST(CheckerLog, TellsBothSidesOfARace) {
  const auto report = read_checker_log(
      "========= Error: Race reported between Write access at k(float *)+0x140 in /candidate.cu:3\n"
      "=========     and Read access at k(float *)+0x270 in /candidate.cu:2 [60 hazards]\n"
      "=========\n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
      source);
  EXPECT_THAT(report.errors,
              AllOf(HasSubstr("line 3 (`z[i]"), HasSubstr("line 2 (`second`) [60 hazards]")));
}

TEST(CheckerLog, DoesNotTakeACheckerThatBrokeForOneThatFoundNothing) {
  EXPECT_TRUE(read_checker_log("========= RACECHECK SUMMARY: 0 hazards displayed\n").complete);
  EXPECT_FALSE(read_checker_log("========= COMPUTE-SANITIZER\n").complete);
  const auto full = read_checker_log(
      "========= Internal Sanitizer Error: out of memory\n========= RACECHECK SUMMARY: 0 hazards "
      "displayed\n");
  EXPECT_FALSE(full.complete);
  EXPECT_THAT(full.broken, HasSubstr("out of memory"));
  EXPECT_THAT(full.errors, IsEmpty());
}

// What follows was recorded on an H200 (compute-sanitizer and cuda-gdb of CUDA 13.0), of kernels in
// ops/diagnosis.
constexpr SourceView misaligned{
    "misaligned.cu",
    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n  const float4 four;\n13\n  z[i] = 2.0f;\n"};

TEST(CheckerLog, SaysOnceWhatEveryThreadDoes) {
  const auto report = read_checker_log(
      "hone memory 0x7fcb02800000 4084 x\n"
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ read of size 16 bytes\n"
      "=========     at misaligned+0x110 in misaligned.cu:12\n"
      "=========     by thread (0,0,0) in block (4,0,0)\n"
      "=========     Access to 0x7fcb02800804 is misaligned\n"
      "=========     and is inside the nearest allocation at 0x7fcb02800000 of size 4084 bytes\n"
      "========= \n"
      "========= Invalid __global__ read of size 16 bytes\n"
      "=========     at misaligned+0x110 in misaligned.cu:12\n"
      "=========     by thread (1,0,0) in block (4,0,0)\n"
      "=========     Access to 0x7fcb02800804 is misaligned\n"
      "=========     and is inside the nearest allocation at 0x7fcb02800000 of size 4084 bytes\n"
      "========= \n"
      "unspecified launch failure\n"
      "========= Target application returned an error\n"
      "========= ERROR SUMMARY: 1021 errors\n",
      misaligned);
  EXPECT_EQ(report.errors,
            "Invalid __global__ read of size 16 bytes; at misaligned+0x110 in line 12 (`const "
            "float4 four;`); by thread (0,0,0) in block (4,0,0); Access to 0x7fcb02800804 is "
            "misaligned; and is inside the nearest allocation `x` at 0x7fcb02800000 of size 4084 "
            "bytes; and 1 more at the same place");
}

TEST(CheckerLog, ReadsWhatADumpSaysOfAnException) {
  const auto dump = read_dump(
      "Opening GPU coredump: /tmp/d1\n"
      "[Current focus set to CUDA kernel 0, grid 1, block (4,0,0), thread (64,0,0), device 0, sm "
      "124, warp 2, lane 0]\n\n"
      "CUDA Exception: Warp Misaligned Address\n"
      "The exception was triggered at PC 0x7f2aeb7a0110  misaligned  (misaligned.cu:12)\n"
      "#0  0x00007f2aeb7a0190 in misaligned<<<(8,1,1),(128,1,1)>>> () at /tmp/./misaligned.cu:14\n"
      "14\t  z[i] = 2.0f * (i % 4 == 0 ? x[i] : v[i % 4 - 1]) + y[i];\n"
      "  BlockIdx ThreadIdx To BlockIdx ThreadIdx Count                 PC               Filename  "
      "Line \n"
      "Kernel 0\n"
      "   (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x00007f2aeb7a0180 /tmp/./misaligned.cu    "
      "14 \n"
      "*  (4,0,0)  (64,0,0)     (5,0,0)  (31,0,0)    96 0x00007f2aeb7a0190 /tmp/./misaligned.cu    "
      "14 \n",
      misaligned.name);
  EXPECT_EQ(to_text(dump, misaligned),
            "Warp Misaligned Address at line 12 (`const float4 four;`) in misaligned, thread "
            "(64,0,0) of block (4,0,0). Where threads stood: 128 threads at line 14 (`z[i] = "
            "2.0f;`) (thread (0,0,0) of block (0,0,0) first)");
}

TEST(CheckerLog, TellsWhereAHangStoodAndWhatCalledIt) {
  const auto dump = read_dump(
      "[Current focus set to CUDA kernel 0, grid 1, block (4,0,0), thread (0,0,0), device 0, sm "
      "124, warp 0, lane 0]\n"
      "#0  never_completed<<<(8,1,1),(128,1,1)>>> () at /tmp/./never_completed.cu:21 in _Z4waitPvi "
      "inlined from never_completed.cu:35\n"
      "21\t  while (!done)\n"
      "*  (0,0,0)   (0,0,0)     (7,0,0) (127,0,0)  1024 0x00007ff8d77a0290 "
      "/tmp/./never_completed.cu    21 \n",
      "never_completed.cu");
  EXPECT_EQ(dump.line, 21);
  EXPECT_EQ(dump.inlined_from, 35);
  EXPECT_THAT(to_text(dump, {"never_completed.cu", ""}),
              AllOf(HasSubstr("it stood at line 21, called in line 35 in never_completed"),
                    HasSubstr("1024 threads at line 21 (thread (0,0,0) of block (0,0,0) first)")));
}

}  // namespace
}  // namespace hone::judge
