#include "runner/trim_log.h"

#include <gtest/gtest.h>

namespace hone::runner {
namespace {

TEST(TrimLog, PutsErrorsFirstAndEachOnce) {
  const std::string log =
      "a.cl:1:1: warning: unused\n  int x;\na.cl:9:2: error: expected ';'\n  y = 1\n      ^\nptxas "
      "info    : 12 registers\na.cl:9:2: error: expected ';'\n";
  EXPECT_EQ(
      trim_log(log),
      "a.cl:9:2: error: expected ';'\n  y = 1\n      ^\na.cl:1:1: warning: unused\n  int x;\n");
}

TEST(TrimLog, LeavesOutWarningsAboutFilesThatAreNotTheCandidates) {
  const std::string log =
      "/usr/local/cuda/include/cooperative_groups.h(123): warning #177-D: variable \"a\" was "
      "declared\n    int a;\n"
      "        ^\n\ncandidate.cu(13): warning #177-D: variable \"b\" was declared\n    int b;\n    "
      "    ^\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "/usr/local/cuda/include/cooperative_groups.h(7): error: incomplete type\n";
  EXPECT_EQ(
      trim_log(log, "candidate.cu"),
      "/usr/local/cuda/include/cooperative_groups.h(7): error: incomplete type\n"
      "candidate.cu(13): warning #177-D: variable \"b\" was declared\n    int b;\n        ^\n");
  EXPECT_NE(trim_log(log).find("int a;"), std::string::npos);
}

TEST(TrimLog, KeepsWhatPtxasSaysOfWgmma) {
  const std::string wgmma =
      "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are "
      "serialized due to insufficient register resources for the wgmma pipeline in the function "
      "'k'\n";
  EXPECT_EQ(trim_log(wgmma + "ptxas info    : Used 14 registers\n" + wgmma, "candidate.cu"), wgmma);
}

TEST(TrimLog, CutsALongLog) {
  std::string log;
  for (int i = 0; i < 500; ++i)
    log += "a.cu(" + std::to_string(i) + "): error: " + std::string(1000, 'x') + "\n";
  EXPECT_LT(trim_log(log).size(), 20000u);
  EXPECT_NE(trim_log(log).find("more lines"), std::string::npos);
}

TEST(TrimStack, KeepsTheAuthorsFramesAlone) {
  EXPECT_EQ(
      trim_stack("Fatal Python error: Aborted\n\nCurrent thread 0x7f (most recent call first):\n"
                 "  File \"/tmp/candidate/slow.py\", line 7 in forward\n"
                 "  File \"/usr/lib/torch/nn/modules/module.py\", line 1190 in _call_impl\n"
                 "  File \"/tmp/hone/candidate.py\", line 190 in call\n"
                 "  File \"/tmp/hone/worker.py\", line 120 in main\n"
                 "  File \"<frozen runpy>\", line 88 in _run_code\n\n"
                 "Extension modules: numpy.core._multiarray_umath, torch._C (total: 20)\n"),
      "  File \"slow.py\", line 7 in forward\n"
      "  File \"/usr/lib/torch/nn/modules/module.py\", line 1190 in _call_impl\n");
  EXPECT_EQ(trim_stack("it printed this and no stack"), "");
}

}  // namespace
}  // namespace hone::runner
