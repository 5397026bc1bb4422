#include "runner/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <future>
#include <thread>

#include "base/files.h"
#include "runner/test_worker.h"
#include "runner/wire.h"

namespace hone::runner {

namespace {

std::string opened(const char* path, int flags) {
  const int fd = ::open(path, flags, 0600);
  const std::string answer = fd >= 0 ? "yes" : std::strerror(errno);
  if (fd >= 0) ::close(fd);
  return answer;
}

std::string visible_processes() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0]))) ++count;
  return std::to_string(count);
}

std::string connected() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return std::strerror(errno);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  return ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0
             ? "yes"
             : std::strerror(errno);
}

std::string wrote_64_mib() {
  const int fd = ::open("/tmp/large", O_CREAT | O_WRONLY, 0600);
  ::signal(SIGXFSZ, SIG_IGN);
  std::string block(1 << 20, 'x');
  for (int i = 0; i < 64; ++i)
    if (::write(fd, block.data(), block.size()) < 0) return std::strerror(errno);
  return "yes";
}

std::string forked_children() {
  int children = 0;
  for (; children < 1000; ++children) {
    const pid_t pid = ::fork();
    if (pid < 0) break;
    if (pid == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  return std::to_string(children);
}

std::string made_timer() {
  sigevent event{};
  timer_t timer{};
  return ::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 ? "yes" : std::strerror(errno);
}

void start_busy_thread() {
  std::thread([] {
    for (volatile std::uint64_t count = 0;;) count = count + 1;
  }).detach();
}

// A helper process sends SIGCONT all the time, so that this process runs although it is stopped.
std::string have_itself_woken() {
  if (::fork() == 0)
    for (;;) ::kill(::getppid(), SIGCONT);
  start_busy_thread();
  return "yes";
}

// A parent that waits for its vforked child cannot be stopped.
void wait_for_vforked_child() {
  constexpr int control = 3;
  if (::vfork() == 0) {
    send_packet(control, "yes");
    for (;;) ::pause();
  }
}

std::string made_socket(int domain) {
  const int fd = ::socket(domain, SOCK_STREAM, 0);
  const std::string answer = fd >= 0 ? "yes" : std::strerror(errno);
  if (fd >= 0) ::close(fd);
  return answer;
}

std::string asked_for_signals() {
  return ::fcntl(0, F_SETSIG, SIGCONT) == 0 ? "yes" : std::strerror(errno);
}

std::promise<void>& end_of_thread() {
  static std::promise<void> promise;
  return promise;
}
std::thread& waiting_thread() {
  static std::thread thread;
  return thread;
}

// What the process inside does on request; see runner/test_worker.h.
std::string probe(const std::string& request) {
  if (request == "write /usr") return opened("/usr/hone-was-here", O_CREAT | O_WRONLY);
  if (request == "write /") return opened("/hone-was-here", O_CREAT | O_WRONLY);
  if (request == "write /tmp") return opened("/tmp/hone-was-here", O_CREAT | O_WRONLY);
  if (request == "seen /tmp") return ::access("/tmp/hone-was-here", F_OK) == 0 ? "yes" : "no";
  if (request.starts_with("read ")) return opened(request.c_str() + 5, O_RDONLY);
  if (request == "unshare") return ::unshare(CLONE_NEWUSER) == 0 ? "yes" : std::strerror(errno);
  if (request == "pids") return visible_processes();
  if (request == "environment")
    return std::string(::getenv("SECRET_KEY") != nullptr ? "yes" : "no");
  if (request == "network") return connected();
  if (request == "memory") return ::malloc(std::size_t{2} << 30) != nullptr ? "yes" : "no";
  if (request == "fill") return wrote_64_mib();
  if (request == "fork") return forked_children();
  if (request == "timer") return made_timer();
  if (request == "unix socket") return made_socket(AF_UNIX);
  if (request == "vsock") return made_socket(AF_VSOCK);
  if (request == "netlink") return made_socket(AF_NETLINK);
  if (request == "signals") return asked_for_signals();
  if (request == "start a thread") {
    waiting_thread() = std::thread([end = end_of_thread().get_future()] { end.wait(); });
    return "yes";
  }
  if (request == "end the thread") {
    end_of_thread().set_value();
    waiting_thread().join();
    return "yes";
  }
  if (request == "wake") return have_itself_woken();
  if (request == "spin") {
    for (int thread = 0; thread < 4; ++thread) start_busy_thread();
    return "yes";
  }
  if (request == "wait for a child") wait_for_vforked_child();
  if (request == "crash") ::raise(SIGSEGV);
  return "?";
}

}  // namespace

std::string probe_here(const std::string& request) { return probe(request); }

namespace {

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (!isolation_problem().empty()) GTEST_SKIP() << isolation_problem();
  }
  static std::string ask(Sandboxed& process, const std::string& request) {
    send_packet(process.socket(), request);
    if (!wait_readable(process.socket(), 30)) return "no answer";
    const auto packet = receive_packet(process.socket());
    return packet ? packet->text : "gone";
  }
};

TEST_F(Sandbox, LetsNothingBeWrittenButScratchWhichIsNewEachTime) {
  Sandboxed process = start_sandboxed({});
  EXPECT_NE(ask(process, "write /usr"), "yes");
  EXPECT_NE(ask(process, "write /"), "yes");
  EXPECT_EQ(ask(process, "write /tmp"), "yes");
  EXPECT_EQ(ask(process, "seen /tmp"), "yes");
  Sandboxed next = start_sandboxed({});
  EXPECT_EQ(ask(next, "seen /tmp"), "no");
}

TEST_F(Sandbox, HidesFilesProcessesEnvironmentAndNetwork) {
  base::TemporaryFolder folder("hone-secret");
  base::write_file_atomically(folder.path() / "secret", "x");
  ::setenv("SECRET_KEY", "value", 1);
  Sandboxed process = start_sandboxed({});
  EXPECT_NE(ask(process, "read " + (folder.path() / "secret").string()), "yes");
  EXPECT_NE(ask(process, "read /etc/shadow"), "yes");
  EXPECT_LE(std::stoi(ask(process, "pids")), 2);
  EXPECT_EQ(ask(process, "environment"), "no");
  EXPECT_NE(ask(process, "network"), "yes");
  EXPECT_EQ(ask(process, "unshare"), "Operation not permitted");
  EXPECT_EQ(ask(process, "timer"), "Operation not permitted");
  ::unsetenv("SECRET_KEY");
}

TEST_F(Sandbox, ReadsTheFoldersItIsGivenEvenUnderTmp) {
  base::TemporaryFolder folder("hone-given");
  base::write_file_atomically(folder.path() / "given", "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  SandboxSpec spec;
  spec.readable = {folder.path()};
  Sandboxed process = start_sandboxed(spec);
  EXPECT_EQ(ask(process, "read " + (folder.path() / "given").string()), "yes");
}

TEST_F(Sandbox, LimitsMemoryFilesAndProcesses) {
  SandboxSpec spec;
  spec.memory_bytes = 1u << 30;
  spec.file_bytes = 8u << 20;
  spec.processes = 32;
  Sandboxed process = start_sandboxed(spec);
  EXPECT_EQ(ask(process, "memory"), "no");
  EXPECT_NE(ask(process, "fill"), "yes");
  EXPECT_TRUE(process.other_processes().empty());
  EXPECT_LT(std::stoi(ask(process, "fork")), 64);
  EXPECT_FALSE(process.other_processes().empty());
}

TEST_F(Sandbox, SaysHowAProcessEnded) {
  Sandboxed process = start_sandboxed({});
  EXPECT_EQ(ask(process, "crash"), "gone");
  EXPECT_EQ(process.wait_end().text, "was killed by SIGSEGV (Segmentation fault)");
}

TEST_F(Sandbox, FreezesAndThaws) {
  Sandboxed process = start_sandboxed({});
  process.freezer().freeze();
  send_packet(process.socket(), "pids");
  EXPECT_FALSE(wait_readable(process.socket(),
                             0.05));  // that no answer comes is tested: nothing is waited for
  process.freezer().thaw();
  EXPECT_TRUE(wait_readable(process.socket(), 30));
}

TEST_F(Sandbox, NoticesAProcessThatRunsWhileItIsFrozen) {
  Sandboxed honest = start_sandboxed({});
  ASSERT_TRUE(honest.freezer().freeze());
  EXPECT_FALSE(honest.freezer().ran_while_frozen());
  Sandboxed process = start_sandboxed({});
  ASSERT_EQ(ask(process, "wake"), "yes");
  if (!process.freezer().freeze()) return;  // woken so often that it never stopped: noticed as well
  const auto start = std::chrono::steady_clock::now();
  while (!process.freezer().ran_while_frozen() &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(30))
    std::this_thread::yield();
  EXPECT_TRUE(process.freezer().ran_while_frozen());
  EXPECT_FALSE(honest.freezer().ran_while_frozen());
}

TEST_F(Sandbox, NoticesAThreadThatRanAndEndedWhileItsProcessWasFrozen) {
  Sandboxed process = start_sandboxed({});
  ASSERT_EQ(ask(process, "start a thread"), "yes");
  ASSERT_TRUE(process.freezer().freeze());
  EXPECT_FALSE(process.freezer().ran_while_frozen());
  ::kill(process.worker(), SIGCONT);
  ASSERT_EQ(ask(process, "end the thread"), "yes");
  ::kill(process.worker(), SIGSTOP);
  EXPECT_TRUE(process.freezer().ran_while_frozen());
}

TEST_F(Sandbox, MakesOnlySocketsBetweenProcesses) {
  Sandboxed process = start_sandboxed({});
  EXPECT_EQ(ask(process, "unix socket"), "yes");
  EXPECT_EQ(ask(process, "vsock"), std::strerror(EACCES));
  EXPECT_EQ(ask(process, "netlink"), std::strerror(EACCES));
  EXPECT_EQ(ask(process, "signals"), std::strerror(EPERM))
      << "a descriptor could wake a stopped process";
}

TEST_F(Sandbox, ThreadsThatWereBusyWhenTheyWereStoppedAreNotTakenForRunning) {
  Sandboxed process = start_sandboxed({});
  ASSERT_EQ(ask(process, "spin"), "yes");
  for (int round = 0; round < 200; ++round) {
    ASSERT_TRUE(process.freezer().freeze());
    for (int look = 0; look < 20; ++look)
      ASSERT_FALSE(process.freezer().ran_while_frozen()) << "round " << round;
    process.freezer().thaw();
  }
}

TEST_F(Sandbox, DoesNotWaitForEverForAProcessThatCannotBeStopped) {
  Sandboxed process = start_sandboxed({});
  ASSERT_EQ(ask(process, "wait for a child"), "yes");
  EXPECT_FALSE(process.freezer().freeze());
}

TEST_F(Sandbox, SignalsNoProcessAfterItIsKilled) {
  // A stopped child of this test must stay stopped: a signal to pid -1 would reach every process of
  // this user.
  const pid_t bystander = ::fork();
  if (bystander == 0)
    for (;;) ::pause();
  ::kill(bystander, SIGSTOP);
  int status = 0;
  ASSERT_EQ(::waitpid(bystander, &status, WUNTRACED), bystander);
  Sandboxed process = start_sandboxed({});
  ASSERT_TRUE(process.freezer().freeze());
  process.kill();
  process.freezer().thaw();
  EXPECT_EQ(::waitpid(bystander, &status, WCONTINUED | WNOHANG), 0) << "it was told to continue";
  ::kill(bystander, SIGKILL);
  ::waitpid(bystander, &status, 0);
}

TEST_F(Sandbox, TakesEverythingWithItWhenItIsKilled) {
  Sandboxed process = start_sandboxed({});
  ask(process, "fork");
  std::vector<base::Fd> others;  // a pidfd is readable when its process has ended
  for (const pid_t pid : process.other_processes())
    others.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ASSERT_FALSE(others.empty());
  process.kill();
  for (const auto& other : others) EXPECT_TRUE(wait_readable(other.get(), 30));
}

}  // namespace
}  // namespace hone::runner
