#include "base/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/error.h"

namespace hone::base {
namespace {

constexpr int grace_ms =
    2000;  // between SIGTERM and SIGKILL, and for what does not die of SIGKILL at once
constexpr int round_ms =
    2;  // between two rounds of killing: orphans come to us one generation at a time
constexpr int not_started = 127;

// What the supervisor needs, made before the fork.
struct Start {
  char* const* argv;
  char* const* envp;
  Streams streams;
  int lifeline, status;
  bool end_sessions;
  sigset_t usual_mask;
};

long milliseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

void say(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // its reader is gone
}

[[noreturn]] void become(const Start& start) {
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGHUP, SIGCHLD})
    ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Through high numbers, should one of the streams be 0, 1 or 2 already.
  constexpr int above = 3;
  const int in = ::fcntl(start.streams.in, F_DUPFD_CLOEXEC, above),
            out = ::fcntl(start.streams.out, F_DUPFD_CLOEXEC, above),
            err = ::fcntl(start.streams.err, F_DUPFD_CLOEXEC, above);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execvpe(start.argv[0], start.argv, start.envp);
  const char* why = ::strerrordesc_np(errno);
  for (const char* text :
       {static_cast<const char*>(start.argv[0]), ": ", why != nullptr ? why : "?", "\n"})
    say(text);
  ::_exit(not_started);
}

// The parent's number in /proc/NAME/stat, behind the command's name, which may hold anything; 0: it
// is gone.
pid_t parent_of(const char* name) {
  char path[64] = "/proc/", text[512];
  std::strncat(path, name, 20);
  std::strcat(path, "/stat");
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* after = std::strrchr(text, ')');
  return after != nullptr && std::strlen(after) > 4
             ? static_cast<pid_t>(std::strtol(after + 4, nullptr, 10))
             : 0;
}

void kill_children() {
  struct Entry {  // as getdents64 gives it; readdir is not safe here
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t size;
    std::uint8_t type;
    char name[1];
  };
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(Entry) char part[1 << 13];
  const pid_t self = ::getpid();
  for (long size = 0; (size = ::syscall(SYS_getdents64, folder, part, sizeof part)) > 0;)
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const Entry*>(part + at);
      at += entry->size;
      if (entry->name[0] < '1' || entry->name[0] > '9') continue;
      if (parent_of(entry->name) == self)
        ::kill(static_cast<pid_t>(std::strtol(entry->name, nullptr, 10)), SIGKILL);
    }
  ::close(folder);
}

// Reaps the children that have ended. False: there are none left.
bool reap(pid_t command, int& status, bool& ended) {
  while (true) {
    int code = 0;
    const pid_t pid = ::waitpid(-1, &code, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return pid == 0;
    if (pid == command) {
      status = code;
      ended = true;
    }
  }
}

// Until the command ends, or a word or the end of the lifeline comes. SIGCHLD is blocked outside of
// ppoll.
void watch(pid_t command, int& status, bool& ended) {
  long kill_at = 0;  // once our maker is gone
  sigset_t none;
  sigemptyset(&none);
  while (reap(command, status, ended) && !ended) {
    pollfd lifeline{STDIN_FILENO, POLLIN, 0};
    const long left = kill_at - milliseconds();
    if (kill_at != 0 && left <= 0) return;
    const timespec wait{left / 1000, left % 1000 * 1'000'000};
    if (::ppoll(kill_at == 0 ? &lifeline : nullptr, kill_at == 0 ? 1 : 0,
                kill_at == 0 ? nullptr : &wait, &none) <= 0)
      continue;
    char word = 0;
    if (::read(STDIN_FILENO, &word, 1) == 1) return;
    kill_at = milliseconds() + grace_ms;
    ::kill(-::getpid(), SIGTERM);  // this process ignores it
  }
}

[[noreturn]] void keep(const Start& start) {
  ::setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGHUP}) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, [](int) {});  // only to interrupt ppoll
  sigset_t child_only;
  sigemptyset(&child_only);
  sigaddset(&child_only, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &child_only, nullptr);
  if (start.end_sessions) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  int status = 0;
  bool ended = false;
  const pid_t command = ::fork();
  if (command == 0) become(start);
  // Whatever else is open here is another's: kept open, their ends would never be seen.
  constexpr int above = 3;
  const int lifeline = ::fcntl(start.lifeline, F_DUPFD_CLOEXEC, above),
            told = ::fcntl(start.status, F_DUPFD_CLOEXEC, above);
  ::dup2(lifeline, STDIN_FILENO);
  ::dup2(told, STDOUT_FILENO);
  if (::close_range(2, ~0U, 0) != 0)
    for (long fd = 2, most = ::sysconf(_SC_OPEN_MAX); fd < most; ++fd)
      ::close(static_cast<int>(fd));
  if (command > 0) watch(command, status, ended);
  for (const long until = milliseconds() + grace_ms;
       reap(command, status, ended) && milliseconds() < until;) {
    kill_children();
    ::poll(nullptr, 0, round_ms);
  }
  const bool told_it = ended && ::write(STDOUT_FILENO, &status, sizeof status) == sizeof status;
  // The group, with this process in it: processes that are not children of this one, and what could
  // not be followed in /proc.
  if (command > 0) ::kill(-::getpid(), SIGKILL);
  ::_exit(told_it ? 0 : not_started);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    fail(ExitCode::environment, "no pipe can be made: {}", errno_text());
  return {Fd(ends[0]), Fd(ends[1])};
}

Supervisor::Supervisor(std::vector<std::string> words, std::vector<std::string> environment,
                       const Streams& streams, bool end_sessions) {
  const auto argv = pointers(words), envp = pointers(environment);
  Pipe status = make_pipe();
  Start start{argv.data(),         envp.data(),  streams, lifeline_.reader.get(),
              status.writer.get(), end_sessions, {}};
  // No handler of ours may run in the supervisor before it has set its own.
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &start.usual_mask);
  pid_ = ::fork();
  if (pid_ == 0) keep(start);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &start.usual_mask, nullptr);
  if (pid_ < 0) fail(ExitCode::environment, "no process can be started: {}", std::strerror(error));
  ::setpgid(pid_, pid_);  // here and in the child: it has a group before the first signal
  status_ = std::move(status.reader);
}

Supervisor::~Supervisor() {
  if (pid_ > 0) finish();
}

bool Supervisor::ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

void Supervisor::signal(int number) const { ::kill(-pid_, number); }

int Supervisor::finish() {
  if (!ended()) {
    constexpr char end_it = 'e';
    while (::write(lifeline_.writer.get(), &end_it, 1) < 0 && errno == EINTR) {
    }
  }
  int own = 0, status = 0;
  while (::waitpid(pid_, &own, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  const bool told = ::read(status_.get(), &status, sizeof status) == sizeof status;
  return told ? status : own;
}

}  // namespace hone::base
