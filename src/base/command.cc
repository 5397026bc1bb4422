#include "base/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/fd.h"

extern char** environ;

namespace hone::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 50;                               // how late a cancellation or an exit may be noticed
constexpr auto grace = std::chrono::seconds(2);           // between SIGTERM and SIGKILL: agents save their state
constexpr std::size_t error_tail = std::size_t{4} << 10;  // enough for a last message; more is progress bars
// Variables whose values are secrets, by the ends of their names; shorter values are words that mean other things too.
constexpr std::array secret_names = {"_KEY", "_TOKEN", "_SECRET", "_PASSWORD"};
constexpr std::size_t shortest_secret = 8;

// The input as a file that has no name: nobody has to feed a pipe, and nobody gets a SIGPIPE.
Fd file_with(const std::string& text) {
  Fd fd(::memfd_create("hone-input", MFD_CLOEXEC));
  if (!fd) fail(ExitCode::environment, "a command cannot be given its input: {}", errno_text());
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(fd.get(), text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(ExitCode::environment, "a command cannot be given its input: {}", errno_text());
    at += static_cast<std::size_t>(n);
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

struct Pipe {
  Fd reader, writer;
};
Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail(ExitCode::environment, "no pipe can be made: {}", errno_text());
  Pipe pipe{Fd(ends[0]), Fd(ends[1])};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return pipe;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> rows;
  for (char** row = environ; *row != nullptr; ++row) {
    bool replaced = false;
    for (const auto& [name, value] : added) replaced = replaced || std::string_view(*row).starts_with(name + "=");
    if (!replaced) rows.emplace_back(*row);
  }
  for (const auto& [name, value] : added) rows.push_back(name + "=" + value);
  return rows;
}

struct Streams {
  int in = -1, out = -1, err = -1;
};

// `sh -c LINE` in a process group: a new one for 0.
pid_t start(const std::string& line, std::vector<std::string> environment, const Streams& streams, pid_t group) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, streams.in, 0);
  posix_spawn_file_actions_adddup2(&files, streams.out, 1);
  posix_spawn_file_actions_adddup2(&files, streams.err, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, group);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> envp;
  for (auto& row : environment) envp.push_back(row.data());
  envp.push_back(nullptr);
  std::string shell = "sh", flag = "-c", words = line;
  char* argv[] = {shell.data(), flag.data(), words.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, "/bin/sh", &files, &attributes, argv, envp.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) fail(ExitCode::environment, "sh cannot be started: {}", std::strerror(error));
  return pid;
}

// The leader of a command's group: a shell that waits for the end of a pipe of ours. Should this process be killed, the
// pipe ends, and the whole group is asked to end and then ended. Until then the group's number cannot become another's.
class Group {
 public:
  Group() : lifeline_(make_pipe()) {
    const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    constexpr const char* watch = "trap '' INT TERM HUP; read _; kill -TERM 0; sleep 2; kill -KILL 0";
    // The shell waits where it reads: only our own end of the pipe does not block.
    ::fcntl(lifeline_.reader.get(), F_SETFL, 0);
    leader_ = start(watch, environment_with({}), {lifeline_.reader.get(), nowhere.get(), nowhere.get()}, 0);
    lifeline_.reader.reset();
  }
  ~Group() {
    signal(SIGKILL);  // whoever is left
    while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  pid_t id() const { return leader_; }
  void signal(int number) const { ::kill(-leader_, number); }

 private:
  Pipe lifeline_;
  pid_t leader_ = -1;
};

// Reads what is there. False at the end of the stream.
bool drain(const Fd& fd, std::string& into) {
  char part[1 << 16];
  while (true) {
    const ssize_t n = ::read(fd.get(), part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    into.append(part, static_cast<std::size_t>(n));
    if (static_cast<std::size_t>(n) < sizeof part) return true;
  }
}

void cut_front(std::string& text, std::size_t most) {
  if (text.size() > most) text.erase(0, text.size() - most);
}

// Whether it ended; it stays a zombie until it is reaped.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

class Child {
 public:
  Child(const Command& command, const Fd& input)
      : out_(make_pipe()),
        err_(make_pipe()),
        pid_(start(command.line, environment_with(command.environment),
                   {input.get(), out_.writer.get(), err_.writer.get()}, group_.id())) {
    out_.writer.reset();
    err_.writer.reset();
  }
  ~Child() {
    if (pid_ > 0) reap();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool ended() const { return has_ended(pid_); }
  void signal(int number) const { group_.signal(number); }
  int reap() {
    signal(SIGKILL);  // whoever it left behind
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }
  void read(CommandEnd& end, int wait_ms) {
    pollfd fds[2] = {{out_.reader.get(), POLLIN, 0}, {err_.reader.get(), POLLIN, 0}};
    // With both streams closed, poll is a plain wait for the exit: negative descriptors are passed over.
    ::poll(fds, 2, wait_ms);
    if (out_.reader && !drain(out_.reader, end.output)) out_.reader.reset();
    if (err_.reader && !drain(err_.reader, end.error_tail)) err_.reader.reset();
    cut_front(end.error_tail, 2 * error_tail);  // a secret that is cut is not recognised: there is room for it
  }

 private:
  Group group_;
  Pipe out_, err_;
  pid_t pid_;
};

}  // namespace

namespace {

CommandEnd run_to_its_end(const Command& command, const std::atomic<bool>& cancel) {
  const Fd input = file_with(command.input);
  Child child(command, input);
  CommandEnd end;
  bool stopping = false;
  Clock::time_point kill_at{};
  const auto deadline = Clock::now() + command.limit;
  const auto stop = [&](CommandEnd::Why why) {
    if (stopping) return;
    end.why = why;
    stopping = true;
    kill_at = Clock::now() + grace;
    child.signal(SIGTERM);
  };
  while (!child.ended()) {
    child.read(end, poll_ms);
    if (cancel) stop(CommandEnd::Why::cancelled);
    if (Clock::now() > deadline) stop(CommandEnd::Why::timed_out);
    if (end.output.size() > command.most_output) stop(CommandEnd::Why::too_much);
    if (end.output.size() > command.most_output) end.output.resize(command.most_output + 1);
    if (stopping && Clock::now() > kill_at) break;
  }
  child.read(end, 0);
  if (end.output.size() > command.most_output) stop(CommandEnd::Why::too_much);
  const int status = child.reap();
  if (stopping) return end;
  end.why = WIFSIGNALED(status) ? CommandEnd::Why::signalled : CommandEnd::Why::exited;
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace

CommandEnd run_command(const Command& command, const std::atomic<bool>& cancel) {
  CommandEnd end = run_to_its_end(command, cancel);
  end.output = without_secrets(std::move(end.output));
  end.error_tail = without_secrets(std::move(end.error_tail));
  cut_front(end.error_tail, error_tail);
  return end;
}

std::string without_secrets(std::string text) {
  for (char** row = environ; *row != nullptr; ++row) {
    const std::string_view variable(*row);
    const auto equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = variable.substr(0, equals), value = variable.substr(equals + 1);
    const auto ends_like = [&](const char* end) { return name.ends_with(end); };
    if (value.size() < shortest_secret || std::none_of(secret_names.begin(), secret_names.end(), ends_like)) continue;
    for (auto at = text.find(value); at != std::string::npos; at = text.find(value, at + name.size() + 1))
      text.replace(at, value.size(), "$" + std::string(name));
  }
  return text;
}

}  // namespace hone::base
