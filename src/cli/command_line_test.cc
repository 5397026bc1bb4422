#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "cli/typed_words.h"

namespace hone::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CommandLine, EveryCommandHasAnExampleThatParses) {
  const auto line = command_line();
  for (const auto& [path, app] : all_commands(*line->app)) {
    if (path.empty()) continue;
    const auto words = words_of(example_of(path));
    ASSERT_GE(words.size(), 2u) << path;
    EXPECT_THAT(example_of(path), StartsWith("hone " + path)) << "of the command itself";
    EXPECT_THAT(app->help(), HasSubstr("Example:\n  " + example_of(path)));
    EXPECT_EQ(complaint({words.begin() + 1, words.end()}), "") << example_of(path);
  }
}

TEST(CommandLine, OptionsStandInGroups) {
  const auto line = command_line();
  const std::string help = help_of(*line->app, {"run"});
  for (const char* group : {"Limits:", "Models:", "Where:", "Output:"})
    EXPECT_THAT(help, HasSubstr(group));
  EXPECT_THAT(help_of(*line->app, {"task", "check"}), HasSubstr("hone task check [OPTIONS] task"));
}

TEST(CommandLine, NamesWhatIsNearestToAMistake) {
  EXPECT_THAT(complaint({"evla", "a", "b"}),
              StartsWith("there is no command 'evla': did you mean 'eval'?"));
  EXPECT_THAT(complaint({"task", "chek", "a"}), HasSubstr("did you mean 'check'?"));
  EXPECT_THAT(complaint({"eval", "a", "b", "--devise=fake:0"}),
              StartsWith("there is no option --devise: did you mean '--device'?"));
  EXPECT_THAT(complaint({"evla", "a", "--device", "fake:0"}),
              StartsWith("there is no command 'evla'"));
  EXPECT_THAT(complaint({"export", "a", "b", "-x", "folder"}),
              StartsWith("there is no option -x ("));
  EXPECT_THAT(complaint({"--versoin"}),
              StartsWith("there is no option --versoin: did you mean '--version'?"));
  EXPECT_THAT(complaint({"frobnicate"}), HasSubstr("it is one of doctor, task, eval"));
  const auto line = command_line();
  EXPECT_THROW(help_of(*line->app, {"evla"}), base::Error);
}

TEST(CommandLine, ExportAndTuneTakeTheShortOptionForTheirOutput) {
  EXPECT_EQ(complaint({"export", "task", "a.cl", "-o", "folder"}), "");
  EXPECT_EQ(complaint({"tune", "task", "a.cl", "-o", "b.cl"}), "");
  const auto line = command_line();
  EXPECT_THAT(help_of(*line->app, {"export"}), HasSubstr("hone export [OPTIONS] TASK CANDIDATE\n"));
}

TEST(CommandLine, CompletionKnowsCommandsAndTheirOptions) {
  const auto line = command_line();
  EXPECT_THAT(completion_script(*line->app, "bash"),
              AllOf(HasSubstr("\" eval\") where=\"eval\""),
                    HasSubstr("\"task check\") commands=\"\" options=\"--help")));
  EXPECT_THAT(completion_script(*line->app, "zsh"),
              AllOf(StartsWith("#compdef hone\n"), HasSubstr("'--margin:")));
  EXPECT_THAT(
      completion_script(*line->app, "fish"),
      HasSubstr("complete -c hone -n '__fish_seen_subcommand_from tune' -l max-evals -d '"));
  EXPECT_THROW(completion_script(*line->app, "csh"), base::Error);
}

TEST(CommandLine, TheManPageHasEveryCommand) {
  const auto line = command_line();
  const std::string page = man_page(*line->app);
  for (const auto& [path, app] : all_commands(*line->app))
    EXPECT_THAT(page, HasSubstr("\\fBhone" + (path.empty() ? "" : " " + path) + "\\fR"));
  EXPECT_THAT(page, AllOf(StartsWith(".TH HONE 1"), HasSubstr("\\fB\\-\\-max\\-usd\\fR"),
                          EndsWith("interrupted.\n")));
}

}  // namespace
}  // namespace hone::cli
