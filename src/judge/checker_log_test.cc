// What checkers and the debugger print, told with the candidate's own lines and the names of its buffers.
#include "judge/checker_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr SourceView source{"candidate.cu", "first\nsecond\n  z[i] = x[i + 1];\nlast\n"};

TEST(CheckerLog, NamesTheLineAndTheBufferOfAnAccessOutOfBounds) {
  const auto report = read_checker_log(
      "hone memory 0x7f3c00000000 4084 x\n"
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at axpy(const float *, float *)+0x90 in /tmp/candidate.cu:3\n"
      "=========     by thread (29,0,0) in block (15,0,0)\n"
      "=========     Access at 0x7f3c00000ff4 is out of bounds\n"
      "=========     and is 1 bytes after the nearest allocation at 0x7f3c00000000 of size 4084 bytes\n"
      "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
      "=========         Host Frame: cuLaunchKernel [0x3344]\n"
      "========= \n"
      "========= ERROR SUMMARY: 1 error\n",
      source);
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(report.errors,
              AllOf(HasSubstr("Invalid __global__ read of size 4 bytes"),
                    HasSubstr("+0x90 in line 3 (`z[i] = x[i + 1];`)"), HasSubstr("thread (29,0,0) in block (15,0,0)"),
                    HasSubstr("allocation `x` at 0x7f3c00000000"), Not(HasSubstr("Host Frame"))));
}

TEST(CheckerLog, TellsBothSidesOfARace) {
  const auto report = read_checker_log(
      "========= Error: Race reported between Write access at k(float *)+0x140 in /candidate.cu:3\n"
      "=========     and Read access at k(float *)+0x270 in /candidate.cu:2 [60 hazards]\n"
      "=========\n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
      source);
  EXPECT_THAT(report.errors, AllOf(HasSubstr("line 3 (`z[i]"), HasSubstr("line 2 (`second`) [60 hazards]")));
}

TEST(CheckerLog, DoesNotTakeACheckerThatBrokeForOneThatFoundNothing) {
  EXPECT_TRUE(read_checker_log("========= RACECHECK SUMMARY: 0 hazards displayed\n").complete);
  EXPECT_FALSE(read_checker_log("========= COMPUTE-SANITIZER\n").complete);
  const auto full = read_checker_log(
      "========= Internal Sanitizer Error: out of memory\n========= RACECHECK SUMMARY: 0 hazards displayed\n");
  EXPECT_FALSE(full.complete);
  EXPECT_THAT(full.broken, HasSubstr("out of memory"));
  EXPECT_THAT(full.errors, IsEmpty());
}

TEST(CheckerLog, ReadsWhatADumpSaysOfAnException) {
  const auto dump = read_dump(
      "Opening GPU coredump: /tmp/dump\n"
      "CUDA Exception: Warp Misaligned Address\n"
      "The exception was triggered at PC 0x7f1c candidate.cu:3\n"
      "[Current focus set to CUDA kernel 0, grid 2, block (1,0,0), thread (32,0,0), device 0, sm 3, warp 1, lane 0]\n"
      "#0  0x00007f1c0 in scale<<<(8,1,1),(128,1,1)>>> () at /tmp/candidate.cu:3\n",
      "candidate.cu");
  EXPECT_EQ(to_text(dump, source),
            "Warp Misaligned Address at line 3 (`z[i] = x[i + 1];`) in scale, thread (32,0,0) of block (1,0,0)");
}

TEST(CheckerLog, CountsWhereTheThreadsOfAHangStood) {
  const auto dump = read_dump(
      "  BlockIdx ThreadIdx To BlockIdx To ThreadIdx Count                 PC      Filename  Line\n"
      "Kernel 0\n"
      "*  (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x00007fffd32f9b30 /tmp/candidate.cu     3\n"
      "   (1,0,0)   (0,0,0)     (1,0,0)  (31,0,0)    32 0x00007fffd32f9b30 /tmp/candidate.cu     3\n"
      "   (0,0,0)  (32,0,0)     (0,0,0)  (63,0,0)    32 0x00007fffd32f9c00 /tmp/candidate.cu     2\n",
      "candidate.cu");
  EXPECT_THAT(
      to_text(dump, source),
      HasSubstr("64 threads at line 3 (`z[i] = x[i + 1];`) (thread (0,0,0) of block (0,0,0) first); 32 threads at "
                "line 2 (`second`)"));
}

}  // namespace
}  // namespace hone::judge
