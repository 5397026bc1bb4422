#include "core/roofline.h"

#include <gtest/gtest.h>

#include "base/expr.h"

namespace hone::core {
namespace {

base::Expr expression(const std::string& text) { return *base::Expr::parse(text); }

// A task that moves this many bytes and writes so many floats.
Roofline with(const std::string& bytes, const std::string& written, const Ceilings& ceilings) {
  Task task;
  task.work.bytes = expression(bytes);
  Output y;
  y.name = "y";
  y.shape = {expression(written)};
  task.outputs.push_back(y);
  return roofline_of(task, Case{}, ceilings);
}

Ceilings measured() {
  Ceilings ceilings;
  ceilings.read = 4e9;
  ceilings.write = 1e9;
  ceilings.copy = 2e9;
  return ceilings;
}

TEST(Roofline, UsesTheRateOfTheTasksOwnMix) {
  EXPECT_NEAR(with("8000", "1000", measured()).seconds, 8000 / 2e9, 1e-12) << "a copy";
  EXPECT_NEAR(with("4000", "0", measured()).seconds, 4000 / 4e9, 1e-12) << "only reading";
  EXPECT_NEAR(with("4000", "1000", measured()).seconds, 4000 / 1e9, 1e-12) << "only writing";
  // A quarter is written: half way between reading and copying, in seconds for a byte.
  EXPECT_NEAR(with("16000", "1000", measured()).seconds, 16000 * (0.25e-9 + 0.5e-9) / 2, 1e-12);
}

TEST(Roofline, UsesTheBestRateWhereOneIsNotKnown) {
  Ceilings ceilings = measured();
  ceilings.write = 0;
  EXPECT_NEAR(with("8000", "1000", ceilings).seconds, 8000 / 4e9, 1e-12);
  EXPECT_EQ(with("8000", "1000", {}).ceiling, "");
}

}  // namespace
}  // namespace hone::core
