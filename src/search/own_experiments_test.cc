#include "search/own_experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using testing::HasSubstr;

TEST(OwnExperiments, TellAWriterHowBothKernelsCameToBe) {
  example::Grown run;
  const auto one = run.made(1, {0.9}, experiment("unroll the loop", 0, 5));
  const auto other = run.made(1, {0.8}, experiment("vectorize the loads", 0, 5));
  const auto both = combination_of(run.tree, one, other, "They differ in case2.", 7);
  EXPECT_EQ(both.kind, core::Experiment::Kind::combination);
  EXPECT_THAT(both.description, HasSubstr("unroll the loop"));
  EXPECT_THAT(both.description, HasSubstr("vectorize the loads"));
  EXPECT_THAT(both.description, HasSubstr("case2"));
  EXPECT_EQ(both.gain_high, 7);
}

TEST(OwnExperiments, AskTheDeviceWhichPredictionHolds) {
  const auto probe = probe_between(experiment("a", 0, 5), experiment("b", 20, 30));
  EXPECT_EQ(probe.kind, core::Experiment::Kind::probe);
  EXPECT_THAT(probe.description, HasSubstr("20 to 30 %"));
}

}  // namespace
}  // namespace hone::search
