#include "cli/report.h"

#include <gtest/gtest.h>

#include "base/json_probe.h"

namespace hone::cli {
namespace {

using base::ExitCode;
using core::Outcome;

TEST(ExitCode, OfAnOutcomeTellsUndecidedFromRefused) {
  EXPECT_EQ(exit_code(Outcome::accepted), ExitCode::ok);
  EXPECT_EQ(exit_code(Outcome::undecided), ExitCode::undecided);
  for (const Outcome outcome :
       {Outcome::wrong, Outcome::cheating, Outcome::rejected, Outcome::timed_out})
    EXPECT_EQ(exit_code(outcome), ExitCode::not_accepted);
  EXPECT_EQ(static_cast<int>(ExitCode::undecided), 13) << "as docs/formats.md says";
}

TEST(ExitCode, OfSeveralIsTheOneThatSaysMost) {
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::ok), ExitCode::ok);
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::undecided), ExitCode::undecided);
  EXPECT_EQ(worse(ExitCode::not_accepted, ExitCode::undecided), ExitCode::not_accepted);
}

}  // namespace
}  // namespace hone::cli
