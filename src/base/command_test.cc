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

// What holds the writing end of a named pipe is alive until the reading end sees its end: no need to look for pids.
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
