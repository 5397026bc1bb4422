#include "base/command.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/fd.h"
#include "base/files.h"

namespace hone::base {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandEnd run(const std::string& line) {
  return run_command({line, "", {}, std::chrono::minutes(1), 1 << 20}, std::atomic<bool>(false));
}

// What holds the writing end of a named pipe is alive until the reading end sees its end: no need
// to look for pids.
TEST(Command, DoesNotOutliveAProcessThatIsKilled) {
  const TemporaryFolder folder("hone-command-test");
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const pid_t killed = ::fork();
  if (killed == 0) {
    run("exec > " + pipe + "; echo begun; sleep 1000 & sleep 1000");
    ::_exit(0);
  }
  const Fd reader(::open(pipe.c_str(), O_RDONLY));
  char text[16] = {};
  ASSERT_EQ(::read(reader.get(), text, sizeof text), 6);
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 0);
}

TEST(Command, LeavesNothingBehindInSessionsOfTheirOwnWhereThatIsAskedFor) {
  const TemporaryFolder folder("hone-command-test");
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Fd reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  // Twice away from its parent, with its end of the pipe open before the command ends.
  const std::string line =
      "exec 9> " + pipe +
      "; setsid sh -c 'setsid sleep 1000 & echo $! >&9' > /dev/null 2>&1; echo done";
  Command command{line, "", {}, std::chrono::minutes(1), 1 << 20, {}, true};
  const auto end = run_command(command, std::atomic<bool>(false));
  EXPECT_EQ(end.output, "done\n");
  EXPECT_EQ(end.code, 0);
  char text[32] = {};
  EXPECT_GT(::read(reader.get(), text, sizeof text), 0);
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 0) << "a process still has the pipe open";
  // A daemon is left alone where it is not: a submitter's queue.
  command.end_sessions = false;
  run_command(command, std::atomic<bool>(false));
  ASSERT_GT(::read(reader.get(), text, sizeof text), 0);
  EXPECT_EQ(::kill(std::atoi(text), 0), 0);
  ::kill(std::atoi(text), SIGKILL);
}

TEST(Command, EndsWithItsBackgroundProcesses) {
  const TemporaryFolder folder("hone-command-test");
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Fd reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  const auto end = run("exec 9> " + pipe + "; sleep 1000 > /dev/null 2>&1 & exit 4");
  EXPECT_EQ(end.code, 4);
  // The kernel ends them as soon as it can; the end of the pipe says when.
  ::fcntl(reader.get(), F_SETFL, 0);
  char text[1];
  EXPECT_EQ(::read(reader.get(), text, 1), 0);
}

TEST(Command, RunsAProgramWithoutAShell) {
  Command command{
      "", "in", {}, std::chrono::minutes(1), 1 << 20, {"printf", "%s|", "$HOME", "a b", ""}};
  const auto end = run_command(command, std::atomic<bool>(false));
  EXPECT_EQ(end.output, "$HOME|a b||");
  command.words = {"no-such-program-here"};
  const auto none = run_command(command, std::atomic<bool>(false));
  EXPECT_EQ(none.code, 127);
  EXPECT_EQ(none.error_tail, "no-such-program-here: No such file or directory\n");
}

TEST(Command, SaysBySignalOrCodeHowItEnded) {
  EXPECT_EQ(run("exit 3").code, 3);
  const auto killed = run("kill -SEGV $$");
  EXPECT_EQ(killed.why, CommandEnd::Why::signalled);
  EXPECT_EQ(killed.code, SIGSEGV);
}

TEST(Command, DoesNotTellTheKeysOfTheEnvironment) {
  ::setenv("HONE_TEST_API_KEY", "sk-1234567890", 1);
  const auto end = run("env; echo \"it is $HONE_TEST_API_KEY\" >&2");
  ::unsetenv("HONE_TEST_API_KEY");
  EXPECT_THAT(end.output, HasSubstr("HONE_TEST_API_KEY=$HONE_TEST_API_KEY\n"));
  EXPECT_THAT(end.output, Not(HasSubstr("sk-1234567890")));
  EXPECT_EQ(end.error_tail, "it is $HONE_TEST_API_KEY\n");
}

TEST(Command, KeepsTheEndOfWhatItComplains) {
  const auto end = run("head -c 100000 /dev/zero | tr '\\0' x >&2; echo end >&2");
  EXPECT_EQ(end.error_tail.size(), 4096u);
  EXPECT_THAT(end.error_tail, ::testing::EndsWith("xend\n"));
}

}  // namespace
}  // namespace hone::base
