#include "tables/baselines.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files.h"
#include "base/json_probe.h"

namespace hone::tables {
namespace {

BaselineLine line_of(const std::string& problem, double eager, const std::string& failed = "") {
  BaselineLine line;
  line.problem = problem;
  line.reference = "hash of " + problem;
  line.class_name = "fp32";
  line.device = "GPU-1";
  line.eager.median = eager;
  line.failed = failed;
  return line;
}

TEST(Baselines, ALineWhoseWriterWasKilledIsNone) {
  const base::TemporaryFolder folder("baselines");
  const auto file = folder.path() / "lines.jsonl";
  append_baseline(file, line_of("level1_1", 1));
  std::ofstream(file, std::ios::app) << R"({"problem": "level1_2", "class": "fp)";
  append_baseline(file, line_of("level1_3", 3));
  const auto lines = read_baselines(file);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].problem, "level1_1");
  EXPECT_EQ(lines[1].eager.median, 3);
}

TEST(Baselines, AFailureDoesNotHideWhatWasMeasured) {
  const std::vector<BaselineLine> lines = {
      line_of("level1_1", 1), line_of("level1_1", 2), line_of("level1_1", 0, "no"),
      line_of("level1_2", 0, "no"), line_of("level1_2", 0, "never")};
  EXPECT_EQ(find_baseline(lines, "hash of level1_1", "GPU-1", "fp32"), &lines[1]);
  EXPECT_EQ(find_baseline(lines, "hash of level1_2", "GPU-1", "fp32"), &lines[4]);
  EXPECT_EQ(find_baseline(lines, "hash of level1_2", "GPU-2", "fp32"), nullptr);
}

TEST(Baselines, ALineComesBackAsItWasWritten) {
  const base::TemporaryFolder folder("baselines");
  auto line = line_of("level1_1", 2e-3);
  line.torch = "Python 3.12.3, torch 2.11.0";
  line.eager.ceiling_fraction = 0.25;
  line.eager.ceiling = "memory";
  line.compiled.missing = "out of memory";
  auto failed = line_of("level1_2", 0, "the device is gone");
  failed.transient = true;
  for (const auto& one : {line, failed}) append_baseline(folder.path() / "lines.jsonl", one);
  const auto lines = read_baselines(folder.path() / "lines.jsonl");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(base::json_line(lines[0]), base::json_line(line));
  EXPECT_EQ(base::probe(lines[0])["eager"]["ceiling_s"], 5e-4);
  EXPECT_FALSE(lines[0].transient);
  EXPECT_TRUE(lines[1].transient);
}

}  // namespace
}  // namespace hone::tables
