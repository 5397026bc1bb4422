// What programs are told of each command's result: its JSON Schema.
#include <gtest/gtest.h>

#include "app/baseline.h"
#include "app/best.h"
#include "app/bundle.h"
#include "app/compare.h"
#include "app/config.h"
#include "app/diff.h"
#include "app/doctor.h"
#include "app/evaluate.h"
#include "app/export.h"
#include "app/findings.h"
#include "app/learn.h"
#include "app/log.h"
#include "app/profile.h"
#include "app/recheck.h"
#include "app/report.h"
#include "app/run.h"
#include "app/runs.h"
#include "app/selftest.h"
#include "app/show.h"
#include "app/table.h"
#include "app/task_check.h"
#include "app/task_new.h"
#include "app/tools.h"
#include "app/tune.h"
#include "app/weak_problems.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

template <typename Result>
struct Schema : testing::Test {};
using Results =
    testing::Types<BaselineResult, BestResult, BundlePackResult, BundleRunResult, CompareResult,
                   ConfigResult, DiffResult, DoctorResult, EvaluateResult, ExplainAgainResult,
                   ExportResult, FindingsResult, LearnResult, LogResult, ProfileResult,
                   RecheckResult, ReportResult, RunDone, RunEstimate, RunProgress, RunsResult,
                   SelftestResult, ShowResult, TableResult, TaskCheckResult, TaskNewResult,
                   ToolsResult, TuneResult, TuningRunShown, WeakProblemsResult>;
TYPED_TEST_SUITE(Schema, Results);

TYPED_TEST(Schema, IsThatOfAnObjectWithNamedFields) {
  const base::JsonProbe schema(base::json_schema<TypeParam>());
  EXPECT_EQ(schema["type"], "object");
  EXPECT_FALSE(schema["properties"].empty());
  for (const auto& required : schema["required"].items())
    EXPECT_TRUE(schema["properties"].contains(required.text())) << required;
}

TEST(SchemaOfARun, SaysWhatEachFieldIs) {
  const base::JsonProbe fields = base::JsonProbe(base::json_schema<RunDone>())["properties"];
  EXPECT_EQ(fields["best"]["type"].dump(), R"(["integer","null"])");
  EXPECT_EQ(fields["candidates"]["properties"]["all"]["type"], "integer");
  EXPECT_EQ(fields["away"]["items"]["type"], "string");
}

}  // namespace
}  // namespace hone::app
