#include "tables/problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"

namespace hone::tables {
namespace {

TEST(Problems, AReasonIsOneLine) {
  EXPECT_EQ(short_reason("/a/reference.py: forward gives a float"), "forward gives a float");
  EXPECT_EQ(short_reason("/a/reference.py did not finish within 6 s"),
            "reference.py did not finish within 6 s");
  EXPECT_EQ(short_reason("one\ntwo"), "one");
  EXPECT_EQ(short_reason(""), "");
}

TEST(Problems, AreOrderedByTheirNumbers) {
  std::vector<std::string> names = {"level1_10", "level2_1", "level1_9", "softmax"};
  std::sort(names.begin(), names.end(), problem_before);
  EXPECT_EQ(names, (std::vector<std::string>{"level1_9", "level1_10", "level2_1", "softmax"}));
}

TEST(Problems, OfARangeAreNamedOneByOne) {
  const base::TemporaryFolder checkout("problems-test");
  const auto level = checkout.path() / "KernelBench" / "level1";
  base::make_folder(level);
  for (const char* file : {"1_first.py", "2_second.py", "11_last.py"})
    base::write_file_atomically(level / file, "\n");
  ::setenv("HONE_KERNELBENCH", checkout.path().c_str(), 1);
  EXPECT_TRUE(names_several("kernelbench:level1"));
  EXPECT_TRUE(names_several("kernelbench:level1/1-2"));
  EXPECT_FALSE(names_several("kernelbench:level1/1"));
  EXPECT_FALSE(names_several("tasks/soft-max"));
  EXPECT_EQ(single_tasks({"kernelbench:level1/1-2", "tasks/softmax", "kernelbench:level1"}),
            (std::vector<std::string>{"kernelbench:level1/1", "kernelbench:level1/2",
                                      "tasks/softmax", "kernelbench:level1/1",
                                      "kernelbench:level1/2", "kernelbench:level1/11"}));
  ::unsetenv("HONE_KERNELBENCH");
  EXPECT_THROW(single_tasks({"kernelbench:level1"}), base::Error);
}

TEST(Problems, AreCalledAsTheirTasksAre) {
  EXPECT_EQ(problem_name("kernelbench:level1/23"), "level1_23");
  EXPECT_EQ(problem_name("kernelbench:level1/23@fp32"), "level1_23");
  EXPECT_EQ(problem_name("tasks/softmax"), "tasks/softmax");
}

}  // namespace
}  // namespace hone::tables
