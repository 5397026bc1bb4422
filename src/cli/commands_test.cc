// Commands that need no device: what they print, for people and for programs, and what they return.
#include "cli/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/json_probe.h"
#include "report/summary_example.h"

namespace hone::cli {
namespace {

using base::JsonProbe;
using report::example::ExampleRun;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

// What a command left behind.
struct Printed {
  int code = 0;
  std::string out, err;
};

template <typename Work>
Printed printed(Work&& work) {
  Printed printed;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  try {
    printed.code = work();
  } catch (...) {
    ::testing::internal::GetCapturedStdout();
    ::testing::internal::GetCapturedStderr();
    throw;
  }
  printed.out = ::testing::internal::GetCapturedStdout();
  printed.err = ::testing::internal::GetCapturedStderr();
  return printed;
}

struct Commands : ::testing::Test {
  store::testing::Fixture f;
  ExampleRun example{f.archive};
  std::filesystem::path folder = f.folder.path();

  Commands() { ::setenv("HONE_HOME", folder.c_str(), 1); }
  ~Commands() override { ::unsetenv("HONE_HOME"); }

  // The command with the archive of this test.
  template <typename Command>
  Command of(bool json = false) const {
    Command command;
    command.archive = f.path.string();
    command.json = json;
    return command;
  }
};

// ---- hone best

TEST_F(Commands, BestPrintsTheSourceAloneAndItsOriginBeside) {
  auto command = of<Typed<app::BestRequest>>();
  command.run = example.run;
  const auto shown = printed([&] { return best(command); });
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.out, example.candidates.back().source) << "byte for byte, for a pipe";
  EXPECT_THAT(shown.err, AllOf(HasSubstr("510 µs"), HasSubstr("certified")));
}

TEST_F(Commands, BestWritesAFileButNotOverAnother) {
  auto command = of<Typed<app::BestRequest>>();
  command.run = example.run;
  command.out = (folder / "best.cl").string();
  const auto written = printed([&] { return best(command); });
  EXPECT_THAT(written.out, StartsWith(command.out + ": "));
  EXPECT_EQ(base::read_file(command.out), example.candidates.back().source);
  EXPECT_EQ(printed([&] { return best(command); }).code, 0) << "the same once more";
  base::write_file_atomically(command.out, "my own work");
  EXPECT_THAT([&] { printed([&] { return best(command); }); },
              ThrowsMessage<base::Error>(HasSubstr("--force")));
  EXPECT_EQ(base::read_file(command.out), "my own work");
  command.force = true;
  EXPECT_EQ(printed([&] { return best(command); }).code, 0);
}

TEST_F(Commands, BestForProgramsHasTheSourceInTheObject) {
  auto command = of<Typed<app::BestRequest>>(true);
  command.run = example.run;
  const auto shown = printed([&] { return best(command); });
  EXPECT_EQ(JsonProbe(shown.out)["source"], example.candidates.back().source);
  EXPECT_EQ(shown.err, "") << "nothing beside it";
  command.run = "nothing-like-it";
  EXPECT_THROW(printed([&] { return best(command); }), base::Error);
}

// ---- hone findings

TEST_F(Commands, FindingsAreAddedListedEditedAndDeleted) {
  auto command = of<FindingsCommand>();
  using Action = FindingsCommand::Action;
  const auto does = [&](Action action, const std::string& text = "") {
    command.action = action;
    command.text = text;
    return printed([&] { return findings(command); }).out;
  };
  const std::string added = does(Action::add, "Vectors of eight beat those of four.");
  ASSERT_THAT(added, StartsWith("recorded as "));
  command.id = added.substr(12, added.size() - 13);
  EXPECT_THAT(does(Action::list), HasSubstr("Vectors of eight"));
  EXPECT_EQ(does(Action::edit, "Vectors of eight are as fast."),
            command.id + " has its new text\n");
  EXPECT_EQ(does(Action::edit, "Vectors of eight are as fast."), command.id + " is as it was\n");
  EXPECT_THAT(does(Action::show), HasSubstr("are as fast."));
  EXPECT_THAT(does(Action::remove), StartsWith(command.id + " is out of all later prompts"));
  EXPECT_THAT(does(Action::list), Not(HasSubstr("Vectors of eight")));
  EXPECT_THAT(does(Action::show), HasSubstr("are as fast.")) << "the archive keeps it";
}

TEST_F(Commands, FindingsForProgramsAreObjects) {
  auto command = of<FindingsCommand>(true);
  command.action = FindingsCommand::Action::add;
  command.task = "softmax";
  command.text = "One.";
  const JsonProbe added(printed([&] { return findings(command); }).out);
  EXPECT_EQ(added["text"], "One.");
  EXPECT_EQ(added["task"], "softmax");
  command.action = FindingsCommand::Action::list;
  const JsonProbe list(printed([&] { return findings(command); }).out);
  EXPECT_EQ(list["findings"][0]["id"].dump(), added["id"].dump());
  command.action = FindingsCommand::Action::add;
  command.text = "";
  EXPECT_THROW(printed([&] { return findings(command); }), base::Error);
}

// ---- what reads the archive

TEST_F(Commands, LogShowRunsAndDiffGiveOneDocumentToPrograms) {
  auto log_command = of<Typed<app::LogRequest>>(true);
  EXPECT_GT(JsonProbe(printed([&] { return log(log_command); }).out)["evaluations"].size(), 0u);
  auto show_command = of<Typed<app::ShowRequest>>(true);
  show_command.id = example.certified;
  EXPECT_EQ(JsonProbe(printed([&] { return show(show_command); }).out)["kind"], "evaluation");
  auto runs_command = of<RunsCommand>(true);
  EXPECT_EQ(JsonProbe(printed([&] { return runs(runs_command); }).out)["runs"][0]["id"],
            example.run);
  runs_command.run = example.run;
  EXPECT_EQ(JsonProbe(printed([&] { return runs(runs_command); }).out)["id"], example.run);
  auto diff_command = of<Typed<app::DiffRequest>>(true);
  diff_command.a = example.run + ":1";
  diff_command.b = example.run;
  EXPECT_EQ(JsonProbe(printed([&] { return diff(diff_command); }).out)["compared"]["word"],
            "faster");
}

TEST_F(Commands, LogShowRunsAndDiffSayTheSameToPeople) {
  const auto log_command = of<Typed<app::LogRequest>>();
  EXPECT_THAT(printed([&] { return log(log_command); }).out, HasSubstr("softmax"));
  auto show_command = of<Typed<app::ShowRequest>>();
  show_command.id = example.certified.substr(0, 10);
  EXPECT_THAT(printed([&] { return show(show_command); }).out, HasSubstr("510 µs"));
  auto runs_command = of<RunsCommand>();
  EXPECT_THAT(printed([&] { return runs(runs_command); }).out, HasSubstr(example.run));
  runs_command.run = example.run.substr(0, 8);
  EXPECT_THAT(printed([&] { return runs(runs_command); }).out, HasSubstr("run " + example.run));
  auto diff_command = of<Typed<app::DiffRequest>>();
  diff_command.a = example.run + ":1";
  diff_command.b = example.run;
  EXPECT_THAT(printed([&] { return diff(diff_command); }).out, HasSubstr("b is faster than a"));
}

TEST_F(Commands, FollowingNeedsARunAndEndsWithTheOneThatIsOver) {
  auto command = of<RunsCommand>();
  command.follow = true;
  EXPECT_THAT([&] { printed([&] { return runs(command); }); },
              ThrowsMessage<base::Error>(HasSubstr("--follow: say which run")));
  command.run = example.run;
  command.json = true;
  const auto followed = printed([&] { return runs(command); });
  EXPECT_EQ(followed.code, 0);
  EXPECT_EQ(JsonProbe(followed.out)["state"], "finished") << "one line: nothing changes any more";
}

TEST_F(Commands, ToolsListsEveryToolOfTheTable) {
  const auto shown = printed([&] { return tools(of<Typed<app::ToolsRequest>>()); });
  EXPECT_THAT(shown.out, AllOf(HasSubstr("register-spill"), HasSubstr("barrier"),
                               HasSubstr("covered: the gain was inside the interval")));
  const JsonProbe listed(printed([&] { return tools(of<Typed<app::ToolsRequest>>(true)); }).out);
  EXPECT_GT(listed["tools"].size(), 30u);
}

// ---- hone report

TEST_F(Commands, ReportIsPrintedOrWrittenWithItsChart) {
  auto command = of<ReportCommand>();
  command.run = example.run;
  EXPECT_THAT(printed([&] { return report_run(command); }).out, HasSubstr("## Result"));
  command.out = (folder / "report.md").string();
  const auto written = printed([&] { return report_run(command); });
  EXPECT_THAT(written.out, AllOf(HasSubstr("The report is in " + command.out), HasSubstr(".svg")));
  EXPECT_THAT(base::read_file(folder / "report.svg"), HasSubstr("</svg>"));
  command.json = true;
  command.force = true;
  EXPECT_EQ(JsonProbe(printed([&] { return report_run(command); }).out)["id"], example.run);
}

// ---- hone resources, hone config, hone task new

TEST_F(Commands, ResourcesAreWrittenToAFolderToChangeThem) {
  Typed<app::ResourcesRequest> command;
  command.folder = (folder / "resources").string();
  const auto written = printed([&] { return export_resources(command); });
  EXPECT_EQ(written.out, "The resources are in " + command.folder + "; use them with --resources " +
                             command.folder + "\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "resources/python/worker.py"));
}

TEST_F(Commands, ConfigListsEverySetting) {
  ::setenv("HONE_CONFIG", "", 1);
  ::setenv("HONE_LLM", "exec:./model", 1);
  const auto shown = printed([] { return config({}); });
  EXPECT_THAT(shown.out, AllOf(HasSubstr("exec:./model"), HasSubstr("$HONE_LLM")));
  ::unsetenv("HONE_LLM");
  ::unsetenv("HONE_CONFIG");
}

TEST_F(Commands, ATaskIsMadeOnceAndNotOverAnother) {
  Typed<app::TaskNewRequest> command;
  command.folder = (folder / "mytask").string();
  const auto made = printed([&] { return task_new(command); });
  EXPECT_THAT(made.out, AllOf(HasSubstr("wrote "), HasSubstr("task.toml"),
                              EndsWith("hone task check " + command.folder + "\n")));
  base::write_file_atomically(folder / "mytask/task.toml", "hone = 1 # mine\n");
  EXPECT_THROW(printed([&] { return task_new(command); }), base::Error);
  EXPECT_EQ(base::read_file(folder / "mytask/task.toml"), "hone = 1 # mine\n");
}

// ---- what is refused before anything is opened

TEST(CommandWords, ThatContradictEachOtherAreRefused) {
  ProfileCommand again;
  again.again = "77aa";
  again.task = "task";
  EXPECT_THAT([&] { profile(again); },
              ThrowsMessage<base::Error>(HasSubstr("--again explains what was recorded")));
  EXPECT_THAT([] { profile(ProfileCommand()); },
              ThrowsMessage<base::Error>(HasSubstr("a task's folder and a candidate are needed")));
  ExportCommand twice;
  twice.words = {"task", "a.cl"};
  twice.task = "another";
  EXPECT_THAT(
      [&] { export_candidate(twice); },
      ThrowsMessage<base::Error>(HasSubstr("a task is given twice: task and --task another")));
  EXPECT_THAT([] { selftest(SelftestCommand()); },
              ThrowsMessage<base::Error>(AllOf(HasSubstr("--cheats"), HasSubstr("--guards"))));
}

}  // namespace
}  // namespace hone::cli
