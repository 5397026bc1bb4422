#include "runner/trim_log.h"

#include <gtest/gtest.h>

namespace hone::runner {
namespace {

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
