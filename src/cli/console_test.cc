// The standard streams: progress, failures, full disks, and the editor.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/files.h"
#include "base/json_probe.h"
#include "cli/editor.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/run_view.h"
#include "cli/streams.h"
#include "store/test_support.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ExitCode;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

// ---- failures

TEST(Failure, IsOnStandardErrorAndItsCodeIsReturned) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(report({ExitCode::archive, "the archive\x1b[2K is\nlocked"}, false), 5);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hone: the archive\\x1b[2K is\nlocked\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Failure, IsOneDocumentForPrograms) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(report({ExitCode::bad_input, "task.toml:3: no such type"}, true), 3);
  const base::JsonProbe answer(testing::internal::GetCapturedStdout());
  EXPECT_EQ(answer["error"]["code"], 3);
  EXPECT_EQ(answer["error"]["kind"], "bad_input");
  EXPECT_THAT(answer["error"].dump(), HasSubstr("task.toml:3: no such type"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("hone: task.toml:3"));
}

// ---- a full disk, a closed stream: in processes of their own, whose streams are spoilt

int code_with_output(const char* file, int flags) {
  const auto child = store::testing::in_child([&](int) {
    const int spoilt = ::open(file, flags);
    ::dup2(spoilt, STDOUT_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    put(std::string(100'000, 'x'));
    ::_exit(flush_output(0));
  });
  return WEXITSTATUS(child.status);
}

TEST(Output, ThatCannotBeWrittenIsAFailure) {
  EXPECT_EQ(code_with_output("/dev/null", O_WRONLY), 0);
  EXPECT_EQ(code_with_output("/dev/full", O_WRONLY), static_cast<int>(ExitCode::environment));
  EXPECT_EQ(code_with_output("/dev/null", O_RDONLY), static_cast<int>(ExitCode::environment));
}

TEST(Output, DoesNotGoIntoAFileThatTookTheNumberOfAClosedStream) {
  const base::TemporaryFolder folder("hone-streams");
  const auto archive = folder.path() / "archive.db";
  const auto child = store::testing::in_child([&](int) {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
    fill_closed_streams();
    const int fd = ::open(archive.c_str(), O_CREAT | O_RDWR, 0600);
    if (fd <= STDERR_FILENO) ::_exit(99);
    put("a result");
    ::_exit(flush_output(0));
  });
  EXPECT_EQ(WEXITSTATUS(child.status), static_cast<int>(ExitCode::environment));
  EXPECT_EQ(base::read_file(archive), "");
}

// ---- progress, where standard error is no terminal

template <typename Work>
std::string said(Work&& work) {
  testing::internal::CaptureStderr();
  work();
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, HasALineForEachStepAndNoneTwiceInARow) {
  EXPECT_EQ(
      said([] {
        Progress progress(false);
        progress.step({.text = "building"});
        progress.step({.text = "building"});
        progress.step({.text = "case 1\x1b[2K", .seconds_left = 600});
        progress.step({});
        progress.say("one worth\nkeeping");
        progress.step({.text = "case 1\x1b[2K", .seconds_left = 600});
      }),
      "building\ncase 1\\x1b[2K; about 10 min left\none worth\nkeeping\ncase 1\\x1b[2K; about "
      "10 min left\n");
}

TEST(Progress, ForProgramsHasSentencesOnly) {
  EXPECT_EQ(said([] {
              Progress progress(true);
              progress.step({.text = "building"});
              progress.say("the archive is older: it is brought to this version");
            }),
            "the archive is older: it is brought to this version\n");
}

TEST(LiveView, HasALineOnlyWhereTheFiguresChanged) {
  run::RunStatus status;
  const std::string lines = said([&] {
    LiveView view(false);
    view.show(status);  // no candidate yet: nothing to tell
    status.candidates = 1;
    view.show(status);
    status.doing["writer 1"] = "is asked";
    view.show(status);
    status.accepted = 1;
    status.best = 1;
    status.best_seconds = 1e-3;
    view.show(status);
    view.say("00001 is certified");
    view.erase();
  });
  EXPECT_EQ(lines,
            "1 candidate, 0 accepted, 0 not; none was accepted yet\n"
            "1 candidate, 1 accepted, 0 not; 00001  1.00 ms (±0.00 %)\n"
            "00001 is certified\n");
}

TEST(LiveView, IsSilentForPrograms) {
  EXPECT_EQ(said([] {
              LiveView view(true);
              run::RunStatus status;
              status.candidates = 1;
              view.show(status);
              view.say("a sentence");
            }),
            "");
}

// ---- the editor

struct Editor : testing::Test {
  base::TemporaryFolder folder{"hone-editor"};

  void SetUp() override {
    ::unsetenv("VISUAL");
    ::unsetenv("EDITOR");
  }
  void TearDown() override { SetUp(); }
  std::string program(const std::string& name, const std::string& body) const {
    const auto file = folder.path() / name;
    base::write_file_atomically(file, "#!/bin/sh\n" + body + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
};

TEST_F(Editor, GivesBackWhatWasSavedWithoutItsLastLineEnds) {
  ::setenv("EDITOR", program("append", "printf 'and more.\\n\\n  \\n' >> \"$1\"").c_str(), 1);
  EXPECT_EQ(edited("One line."), "One line.\nand more.");
}

TEST_F(Editor, MayHaveOptionsAndVisualWins) {
  const std::string shows = program("shows", "echo \"$#\" \"$1\" > \"$2\"");
  ::setenv("EDITOR", program("other", "echo other > \"$1\"").c_str(), 1);
  ::setenv("VISUAL", (shows + " --wait").c_str(), 1);
  EXPECT_EQ(edited("text"), "2 --wait");
  ::setenv("VISUAL", "", 1);
  EXPECT_EQ(edited("text"), "other");
}

TEST_F(Editor, IsNoShellLine) {
  const std::string shows = program("shows", "echo \"$1\" > \"$2\"");
  ::setenv("EDITOR", (shows + " $(touch>" + (folder.path() / "x").string() + ")").c_str(), 1);
  EXPECT_EQ(edited("text").substr(0, 2), "$(");
  EXPECT_FALSE(fs::exists(folder.path() / "x"));
}

TEST_F(Editor, ThatFailsChangesNothing) {
  EXPECT_THAT([] { edited("text"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("no editor is set"), HasSubstr("EDITOR"))));
  ::setenv("EDITOR", "/nowhere/vi", 1);
  EXPECT_THAT([] { edited("text"); },
              ThrowsMessage<Error>(HasSubstr("/nowhere/vi cannot be started")));
  for (const char* body : {"exit 1", "kill -9 $$"}) {
    ::setenv("EDITOR", program("fails", body).c_str(), 1);
    EXPECT_THAT([] { edited("text"); },
                ThrowsMessage<Error>(HasSubstr("did not end well: nothing was changed")));
  }
}

}  // namespace
}  // namespace hone::cli
