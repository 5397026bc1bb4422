#include "core/verdict.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

TEST(Verdict, ACeilingIsReachedByEveryTimedCaseAndABeatenOneByNone) {
  Evaluation evaluation;
  EXPECT_FALSE(reached_ceiling(verdict_of(evaluation, ""), 0.9)) << "nothing was timed";
  evaluation.cases.resize(3);
  evaluation.cases[0].timed = evaluation.cases[1].timed = true;
  evaluation.cases[0].ceiling_fraction = 0.97;
  evaluation.cases[1].ceiling_fraction = 0.96;
  EXPECT_TRUE(reached_ceiling(verdict_of(evaluation, ""), 0.95));
  evaluation.cases[1].ceiling_fraction = 0.9;
  EXPECT_FALSE(reached_ceiling(verdict_of(evaluation, ""), 0.95));
  evaluation.cases[1].ceiling_fraction = 2.25;
  EXPECT_FALSE(reached_ceiling(verdict_of(evaluation, ""), 0.95));
  evaluation.cases[1].ceiling_fraction = 0.96;
  evaluation.cases[0].ceiling = "tf32";
  evaluation.metrics.push_back({"precision.tensor_instructions.tf32", "1", 64, "", "", {}, {}});
  EXPECT_TRUE(reached_ceiling(verdict_of(evaluation, ""), 0.95));
  evaluation.metrics.push_back({"precision.tensor_instructions.f16", "1", 64, "", "", {}, {}});
  EXPECT_FALSE(reached_ceiling(verdict_of(evaluation, ""), 0.95))
      << "half precision has a higher one";
  evaluation.cases[0].ceiling = "memory";
  EXPECT_TRUE(reached_ceiling(verdict_of(evaluation, ""), 0.95));
}

}  // namespace
}  // namespace hone::core
