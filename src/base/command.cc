#include "base/command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/fd.h"
#include "base/supervisor.h"

extern char** environ;

namespace hone::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 50;  // how late a cancellation or an exit may be noticed
constexpr auto grace =
    std::chrono::seconds(2);  // between SIGTERM and SIGKILL: agents save their state
constexpr std::size_t error_tail = std::size_t{4}
                                   << 10;  // enough for a last message; more is progress bars
// Variables whose values are secrets, by the ends of their names; shorter values are words that
// mean other things too.
constexpr std::array secret_names = {"_KEY", "_TOKEN", "_SECRET", "_PASSWORD"};
constexpr std::size_t shortest_secret = 8;

// The input as a file that has no name: no thread has to feed a pipe, and no SIGPIPE can come.
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

Pipe pipe_to_read() {
  Pipe pipe = make_pipe();
  ::fcntl(pipe.reader.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> rows;
  for (char** row = environ; *row != nullptr; ++row) {
    bool replaced = false;
    for (const auto& [name, value] : added)
      replaced = replaced || std::string_view(*row).starts_with(name + "=");
    if (!replaced) rows.emplace_back(*row);
  }
  for (const auto& [name, value] : added) rows.push_back(name + "=" + value);
  return rows;
}

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

std::vector<std::string> words_of(const Command& command) {
  return command.words.empty() ? std::vector<std::string>{"/bin/sh", "-c", command.line}
                               : command.words;
}

class Child {
 public:
  Child(const Command& command, const Fd& input)
      : out_(pipe_to_read()),
        err_(pipe_to_read()),
        supervisor_(words_of(command), environment_with(command.environment),
                    {input.get(), out_.writer.get(), err_.writer.get()}, command.end_sessions) {
    out_.writer.reset();
    err_.writer.reset();
  }
  bool ended() const { return supervisor_.ended(); }
  void ask_to_end() const { supervisor_.signal(SIGTERM); }
  int finish() { return supervisor_.finish(); }
  void read(CommandEnd& end, int wait_ms) {
    pollfd fds[2] = {{out_.reader.get(), POLLIN, 0}, {err_.reader.get(), POLLIN, 0}};
    // With both streams closed, poll is a plain wait for the exit: negative descriptors are passed
    // over.
    ::poll(fds, 2, wait_ms);
    if (out_.reader && !drain(out_.reader, end.output)) out_.reader.reset();
    if (err_.reader && !drain(err_.reader, end.error_tail)) err_.reader.reset();
    cut_front(end.error_tail,
              2 * error_tail);  // a secret that is cut is not recognised: there is room for it
  }

 private:
  Pipe out_, err_;
  Supervisor supervisor_;
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
    child.ask_to_end();
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
  const int status = child.finish();
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
    if (value.size() < shortest_secret ||
        std::none_of(secret_names.begin(), secret_names.end(), ends_like))
      continue;
    for (auto at = text.find(value); at != std::string::npos;
         at = text.find(value, at + name.size() + 1))
      text.replace(at, value.size(), "$" + std::string(name));
  }
  return text;
}

}  // namespace hone::base
