#include "runner/proc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/fd.h"

namespace hone::runner {
namespace {

using testing::Contains;
using testing::IsEmpty;

// A child that lives until the test lets it go.
struct Child {
  int ends[2] = {-1, -1};
  pid_t pid = -1;

  Child() {
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid = ::fork();
    if (pid != 0) return;
    ::close(ends[1]);
    char none = 0;
    [[maybe_unused]] const auto end = ::read(ends[0], &none, 1);  // until the test closes its end
    ::_exit(0);
  }
  ~Child() { finish(); }
  void let_go() {
    ::close(std::exchange(ends[1], -1));
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);  // it stays a zombie
  }
  void finish() {
    if (pid < 0) return;
    if (ends[1] >= 0) let_go();
    ::waitpid(pid, nullptr, 0);
    ::close(ends[0]);
    pid = -1;
  }
};

TEST(Proc, ListsTheDescendantsOfAProcess) {
  Child child;
  EXPECT_THAT(descendants_of(::getpid()), Contains(child.pid));
  EXPECT_THAT(descendants_of(child.pid), IsEmpty());
}

TEST(Proc, TellsAnEndedProcessFromALivingOne) {
  Child child;
  const pid_t pid = child.pid;
  const auto thread = threads_folder(pid) / std::to_string(pid);
  EXPECT_FALSE(has_ended(thread));
  EXPECT_EQ(thread_count(pid), 1);
  child.let_go();
  EXPECT_TRUE(has_ended(thread)) << "a zombie";
  EXPECT_TRUE(is_stopped(thread)) << "it runs no more";
  EXPECT_EQ(private_resident_bytes(pid), 0u);
  child.finish();
  EXPECT_TRUE(has_ended(thread));
  EXPECT_EQ(thread_count(pid), 0);
  EXPECT_THAT(run_times_of(pid), IsEmpty());
  EXPECT_THAT(descendants_of(pid), IsEmpty());
}

TEST(Proc, CountsThreads) {
  const int before = thread_count(::getpid());
  std::promise<void> end;
  std::thread other([done = end.get_future()] { done.wait(); });
  EXPECT_EQ(thread_count(::getpid()), before + 1);
  end.set_value();
  other.join();
}

// A hostile process chooses its name, which stands before its state in /proc/PID/stat.
TEST(Proc, IsNotMisledByAThreadsName) {
  char before[16] = {};
  ::prctl(PR_GET_NAME, before);
  const auto thread = threads_folder(::getpid()) / std::to_string(::gettid());
  for (const char* name : {"x) T (", "x) Z 1 1 1 1", ")", "a b c", "\n) T"}) {
    ::prctl(PR_SET_NAME, name);
    EXPECT_FALSE(is_stopped(thread)) << name;
    EXPECT_FALSE(has_ended(thread)) << name;
  }
  ::prctl(PR_SET_NAME, before);
}

TEST(Proc, CountsPrivateMemoryOnly) {
  const auto before = private_resident_bytes(::getpid());
  constexpr std::size_t much = 64u << 20;
  const std::vector<char> memory(much, 'x');
  EXPECT_GE(private_resident_bytes(::getpid()), before + much / 2);
}

}  // namespace
}  // namespace hone::runner
