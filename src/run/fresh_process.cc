#include "run/fresh_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/fd.h"

extern char** environ;

namespace hone::run {
namespace {

using base::ExitCode;
using base::Fd;

// Its streams are files in memory: no pipe could fill up while nothing reads.
Fd memory_file(const char* name) {
  Fd fd(::memfd_create(name, MFD_CLOEXEC));
  if (!fd)
    base::fail(ExitCode::environment, "no file in memory can be made: {}", base::errno_text());
  return fd;
}

void put(const Fd& fd, const std::string& text) {
  std::size_t at = 0;
  for (ssize_t n = 0;
       at < text.size() && (n = ::write(fd.get(), text.data() + at, text.size() - at)) > 0;)
    at += static_cast<std::size_t>(n);
  if (at < text.size() || ::lseek(fd.get(), 0, SEEK_SET) != 0)
    base::fail(ExitCode::environment, "a file in memory cannot be written: {}", base::errno_text());
}

std::string contents(const Fd& fd) {
  std::string text;
  char part[65536];
  for (ssize_t n = 0;
       (n = ::pread(fd.get(), part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

}  // namespace

Finished run_hone(std::vector<std::string> words, const std::function<bool()>& cancelled,
                  const std::string& input) {
  words.insert(words.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const Fd in = memory_file("in"), out = memory_file("out"), err = memory_file("err");
  put(in, input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, err.get(), 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  // A group of its own: an interrupt typed at the terminal reaches this process alone, which then
  // ends that one.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    base::fail(ExitCode::environment, "{} cannot be started: {}", words[0], std::strerror(error));
  constexpr auto look_again = std::chrono::milliseconds(20);
  int status = 0;
  for (bool ending = false; ::waitpid(pid, &status, WNOHANG) == 0;
       std::this_thread::sleep_for(look_again))
    // Asked to end, not killed: it removes its temporary folders.
    if (!ending && (ending = cancelled())) ::kill(pid, SIGTERM);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), contents(out),
          contents(err)};
}

}  // namespace hone::run
