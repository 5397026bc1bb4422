#include "tables/baseline_table.h"

#include <gmock/gmock.h>

namespace hone::tables {
namespace {

using testing::HasSubstr;
using testing::Not;

BaselineLine table_line(const std::string& problem, const std::string& class_name, double eager,
                        double compiled) {
  BaselineLine line;
  line.problem = problem;
  line.class_name = class_name;
  line.device = "GPU-1";
  line.device_name = "a device";
  line.driver = "1.2";
  line.torch = "torch 2.11.0";
  line.eager.median = eager;
  line.eager.error_rms = class_name == "tf32" ? 2e-4 : 3e-7;
  line.compiled.median = compiled;
  for (auto* time : {&line.eager, &line.compiled}) {
    time->ceiling = "memory";
    time->ceiling_fraction = 1e-3 / time->median;
  }
  return line;
}

TEST(BaselineTable, HasTimesCeilingsAndErrorsOfEveryClass) {
  auto weak = table_line("level1_9", "fp32", 4e-3, 2e-3);
  weak.weak = {"zeros pass"};
  const std::string text = baselines_markdown({table_line("level1_10", "fp32", 8e-3, 8e-3), weak,
                                               table_line("level1_9", "tf32", 1.25e-3, 2.5e-3),
                                               table_line("level1_9", "protocol", 4.5e-3, 0)},
                                              "hone baseline kernelbench:level1");
  EXPECT_THAT(
      text,
      HasSubstr("| level1\\_9 | 4 | 2 | 1.25 | 2.5 | 2 (compile) | 1.25 (eager) | 4.5 | 1 (memory) "
                "| 50.0 % | 1 (memory) | 80.0 % | 3.0e-07 | 2.0e-04 | zeros pass |"));
  EXPECT_THAT(text, HasSubstr("a device, driver 1.2, torch 2.11.0; 2 of 2 problems measured"));
  EXPECT_THAT(text, HasSubstr("`hone baseline kernelbench:level1`"));
  EXPECT_LT(text.find("level1\\_9"), text.find("level1\\_10"));
}

TEST(BaselineTable, SaysWhatIsMissingAndWhy) {
  auto failed = table_line("level1_1", "fp32", 0, 0);
  failed.failed =
      "/home/me/kb/level1/reference.py: reference.py: Traceback (most recent call last):\n  File "
      "x\nKeyError: '|'\n";
  auto partly = table_line("level1_2", "fp32", 1e-3, 0);
  partly.compiled.missing = "out of memory";
  const std::string text = baselines_markdown({failed, partly}, "hone baseline");
  EXPECT_THAT(text, HasSubstr("- level1\\_1: KeyError: '\\|'\n"));
  EXPECT_THAT(text, HasSubstr("- fp32 compile of all: out of memory\n"));
  EXPECT_THAT(text, Not(HasSubstr("/home/me")));
}

}  // namespace
}  // namespace hone::tables
