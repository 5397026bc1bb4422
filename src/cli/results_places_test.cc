// What `hone bundle`, `task`, `doctor`, `selftest` and `config` print, of results that are made
// here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/results.h"

namespace hone::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr text::Screen pipe{};

// ---- hone bundle

TEST(BundleText, SaysWhatToCarryWhere) {
  app::BundlePackResult packed;
  packed.packed = {"id", 3, 1, 2 << 20};
  packed.file = "jobs.hone";
  packed.run_there = "hone bundle run jobs.hone -o results.hone";
  packed.import_here = "hone bundle import jobs results.hone";
  EXPECT_EQ(packed_text(packed),
            "packed 3 jobs of 1 task into jobs.hone (2.00 MiB)\n"
            "carry it to the machine with the device, and there: hone bundle run jobs.hone -o "
            "results.hone\n"
            "carry the results back, and here: hone bundle import jobs results.hone\n");
}

TEST(BundleText, TellsResultsThatAreAllThereFromThoseThatAreNot) {
  app::BundleRunRequest request;
  request.out = "far/results.hone";
  EXPECT_EQ(
      bundle_run_text(request, {"", "", 1, 0}),
      "1 job done, all results are in far/results.hone: carry it back and `hone bundle import "
      "DIR results.hone`\n");
  EXPECT_THAT(bundle_run_text(request, {"", "", 2, 5}),
              AllOf(HasSubstr("2 jobs done"), HasSubstr("5 open: the same command goes on")));
}

TEST(BundleText, SaysWhatIsMissingFromAFileOfResults) {
  EXPECT_EQ(imported_text({2, 0, 0, false}),
            "imported 2 results\n`hone resume` goes on with the run\n");
  EXPECT_EQ(imported_text({0, 1, 0, false}),
            "imported 0 results\nignored 1 that were here already\n");
  EXPECT_THAT(imported_text({1, 0, 3, true}),
              AllOf(HasSubstr("no result yet for 3 jobs of the bundle"),
                    HasSubstr("the file ends within a result")));
}

// ---- hone task

TEST(TaskText, OfAnExternalTaskSaysWhoJudges) {
  app::TaskCheckResult result;
  result.task.name = "amd-gemm";
  result.task.cases = {{}, {}};
  result.task.external.emplace().seeds = {{}};
  EXPECT_THAT(task_checked_text(result, pipe),
              AllOf(StartsWith("amd-gemm is well formed (2 cases, 1 seed)"),
                    HasSubstr("only its own evaluator")));
}

TEST(TaskText, NamesTheCheckThatRefusesATask) {
  app::TaskCheckResult result;
  result.task.name = "softmax";
  judge::AdmissionCheck zeros;
  zeros.verdict = judge::AdmissionCheck::Verdict::failed;
  zeros.name = "zeros";
  zeros.expectation = "must fail";
  zeros.text = "Zeros pass: the tolerance is too wide.";
  result.admission.checks = {zeros};
  EXPECT_THAT(task_checked_text(result, pipe),
              AllOf(HasSubstr("softmax"), HasSubstr("zeros"), HasSubstr("Zeros pass")));
}

TEST(TaskText, CountsProblemsThatAreWeakAndRefused) {
  app::WeakProblemsResult result;
  result.problems = {{"kernelbench:level1/1", "", {"Zeros pass.", "A constant passes."}, ""},
                     {"kernelbench:level1/2", "", {}, "it draws no inputs"},
                     {"kernelbench:level1/3", "", {}, ""}};
  result.weak = 1, result.refused = 1;
  EXPECT_THAT(weak_problems_text(result, pipe),
              AllOf(HasSubstr("Zeros pass."), HasSubstr("A constant passes."),
                    HasSubstr("it draws no inputs"), Not(HasSubstr("level1/3")),
                    HasSubstr("3 problems: on 1 KernelBench's own check takes what computes "
                              "nothing, 1 cannot be judged")));
}

TEST(TaskText, SaysWhatIsLeftToDoInANewTask) {
  app::TaskNewRequest request;
  request.folder = "mytask";
  request.from = "kernel.cu";
  app::TaskNewResult result;
  result.files = {"mytask/task.toml"};
  result.notes = {"n was guessed"};
  using Made = app::TaskNewResult::Made;
  const std::pair<Made, const char*> steps[] = {
      {Made::skeleton, "It works as it is."},
      {Made::from_kernel, "stands in a copy of your kernel, mytask/seed.cu; kernel.cu stays"},
      {Made::from_function, "The cases and the tolerance are proposals: look at mytask/task.toml"}};
  for (const auto& [made, told] : steps) {
    result.made = made;
    EXPECT_THAT(task_made_text(request, result),
                AllOf(StartsWith("wrote mytask/task.toml\nnote: n was guessed\n"), HasSubstr(told),
                      HasSubstr("hone task check mytask")));
  }
}

// ---- hone doctor, hone selftest, hone config

TEST(DoctorText, ShowsTheFixOfWhatIsNotThereAndOfNothingElse) {
  using State = app::Check::State;
  app::DoctorResult result;
  result.checks = {{State::ok, "devices", "opencl:0", "a CPU", "an idle fix"},
                   {State::missing, "devices", "CUDA", "there is no driver", "install the driver"},
                   {State::degraded, "sandbox", "namespaces", "limits only", "run as root"},
                   {State::unneeded, "sandbox", "seccomp", "not asked", ""}};
  result.references = true;
  const std::string text = doctor_text(result, pipe);
  EXPECT_THAT(text, AllOf(StartsWith("devices\n"), HasSubstr("\n\nsandbox\n"), HasSubstr("missing"),
                          HasSubstr("→ install the driver\n"), HasSubstr("→ run as root\n"),
                          Not(HasSubstr("idle fix")),
                          EndsWith("Nothing can be judged here yet: there is no device that can be "
                                   "used. The lines above say how to fix it.\n")));
  result.devices.emplace_back().info.id = "opencl:0";
  EXPECT_THAT(doctor_text(result, pipe),
              EndsWith("\nHone can judge candidates here, on opencl:0.\n"));
}

TEST(DoctorText, HasColoursOnATerminalOnly) {
  app::DoctorResult result;
  result.checks = {{app::Check::State::ok, "devices", "opencl:0", "a CPU", ""}};
  EXPECT_THAT(doctor_text(result, pipe), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(doctor_text(result, {.colours = true, .width = 80}), HasSubstr("\x1b["));
}

TEST(SelftestText, CountsWhatIsNotAsItShouldBe) {
  app::SelftestResult result;
  result.device.id = "opencl:0";
  result.device.name = "a CPU";
  result.shown = 40;
  const auto ends = [&](int bad, int undecided) {
    result.bad = bad, result.undecided = undecided;
    const std::string text = selftested_text(result, pipe);
    return text.substr(text.find("40 specimens"));
  };
  const std::string begin = "40 specimens on opencl:0 a CPU: ";
  EXPECT_EQ(ends(0, 0), begin + "all as they should be\n");
  EXPECT_EQ(ends(2, 0), begin + "2 NOT as they should be\n");
  EXPECT_THAT(ends(0, 3),
              AllOf(StartsWith(begin + "3 undecided"), EndsWith("the others as they should be\n")));
  EXPECT_THAT(ends(1, 3), EndsWith("1 NOT as they should be\n"));
}

TEST(ConfigText, SaysWhereEachSettingComesFrom) {
  std::vector<app::Setting> settings(app::setting_kinds().size());
  settings[0] = {"exec:./model", "/home/me/hone.toml:3"};
  const std::string text = config_text(settings, pipe);
  EXPECT_THAT(text, AllOf(HasSubstr("exec:./model"), HasSubstr("/home/me/hone.toml:3"),
                          HasSubstr("not set"), HasSubstr("An option wins over the environment")));
  for (const auto& kind : app::setting_kinds()) EXPECT_THAT(text, HasSubstr(kind.key));
}

}  // namespace
}  // namespace hone::cli
