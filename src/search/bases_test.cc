#include "search/bases.h"

#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

StrategySettings settings() {
  StrategySettings settings;
  settings.explains = false;
  return settings;
}
Basis basis_of(const Grown& run, core::NodeId number, StrategySettings with = settings()) {
  return bases_of(run.tree, with)[static_cast<std::size_t>(number)];
}

TEST(Bases, AskADesignerFirst) {
  const Grown run;
  EXPECT_EQ(next_on(basis_of(run, 1), true), Next::design);
}

TEST(Bases, ExplainBeforeTheFirstDesignWhereProfilesAreWanted) {
  const Grown run;
  StrategySettings explaining;
  EXPECT_EQ(next_on(basis_of(run, 1, explaining), true), Next::explain);
  EXPECT_EQ(next_on(basis_of(run, 1, explaining), false), Next::nothing);
}

TEST(Bases, KeepWhatWasDesignedInStockUntilItIsBegun) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 10, 20)});
  Basis basis = basis_of(run, 1);
  ASSERT_EQ(basis.stock.size(), 2u);
  EXPECT_EQ(basis.stock[0].intent, 2) << "the best prediction comes first";
  EXPECT_EQ(next_on(basis, true), Next::experiment);
  run.begun(1, 2, {0.9});
  basis = basis_of(run, 1);
  ASSERT_EQ(basis.stock.size(), 1u);
  EXPECT_EQ(basis.experiments, 1);
}

TEST(Bases, WaitForAQuestionThatIsUnderWay) {
  Grown run;
  run.design_asked(1);
  EXPECT_EQ(next_on(basis_of(run, 1), true), Next::nothing);
}

TEST(Bases, RepairWhatFailedBeforeAllElse) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5)});
  const auto broken = run.failed(1);
  const Basis basis = basis_of(run, 1);
  EXPECT_EQ(basis.broken, std::vector<core::NodeId>{broken});
  EXPECT_EQ(next_on(basis, true), Next::repair);
}

TEST(Bases, LeaveProbesAwayWhereTheyCannotBeRun) {
  Grown run;
  core::Experiment probe = experiment("how fast is it?", 0, 0);
  probe.kind = core::Experiment::Kind::probe;
  run.designed(1, {probe});
  EXPECT_EQ(basis_of(run, 1).stock.size(), 1u);
  StrategySettings without = settings();
  without.probes = false;
  EXPECT_TRUE(basis_of(run, 1, without).stock.empty());
}

}  // namespace
}  // namespace hone::search
