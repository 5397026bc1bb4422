#include "hone_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/fd.h"
#include "device/device.h"
#include "judge/ceilings.h"

extern char** environ;

namespace hone::end_to_end {

namespace {

// Handles on everything the process has started, and what that has started.
void collect_descendants(int pid, std::vector<base::Fd>& found) {
  std::error_code ec;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ec)) {
    std::ifstream children(thread.path() / "children");
    for (int child = 0; children >> child;) {
      found.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
      collect_descendants(child, found);
    }
  }
}

int still_alive(const std::vector<base::Fd>& processes) {
  constexpr int longest_ms =
      300'000;  // for a busy machine; a handle is readable at the process's end
  int alive = 0;
  for (const auto& process : processes) {
    pollfd end{process.get(), POLLIN, 0};
    if (process && ::poll(&end, 1, longest_ms) != 1) ++alive;
  }
  return alive;
}

// What is built and measured once for all tests of this program, and for those of others where
// there is a folder for it.
const std::filesystem::path& shared_folder() {
  static const base::TemporaryFolder own("hone-test-shared");
  static const char* const given = std::getenv("HONE_TEST_CACHE");
  static const std::filesystem::path folder = given ? std::filesystem::path(given) : own.path();
  return folder;
}

// Ceilings that were never measured, but are the same on every machine: those of a busy one would
// be low, and what runs while it is idle would be refused as faster than the memory allows.
// Measuring has tests of its own (doctor_test.cc).
const std::filesystem::path& made_up_ceilings() {
  static const base::TemporaryFolder folder("hone-test-ceilings");
  static const std::filesystem::path found = [] {
    constexpr double bandwidth = 1e11, rate = 1e12, groups = 1e7,
                     calls = 1e5;  // more than two cores have
    judge::CeilingRecord record;
    record.best.read = record.best.write = record.best.copy = bandwidth;
    record.best.flops = {{"f32", rate}, {"f64", rate / 2}};
    record.best.groups = groups;
    record.best.calls = calls;
    record.has_start_rates = true;
    record.probes.push_back({"copy", "made up", "", bandwidth});
    ::setenv("HONE_HOME", folder.path().c_str(),
             1);  // of this process alone: those it starts have homes of their own
    judge::save_ceilings(device::find_device("opencl:0"), record);
    return folder.path() / "ceilings";
  }();
  return found;
}

// On the device that is named, or on the best one here, which without a GPU is that one.
bool judges_on_opencl(const std::vector<std::string>& words) {
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (words.size() < 2 || words[0] != HONE_BINARY || words[1] == "doctor") return false;
  constexpr std::string_view commands[] = {"eval", "compare", "profile", "tune", "run", "task"};
  const bool judges =
      std::find(std::begin(commands), std::end(commands), words[1]) != std::end(commands);
  return has("opencl:0") || (judges && !has("--device") && !has("new") && has_opencl());
}

}  // namespace

Hone::Hone() : folder_("hone-test") {
  base::make_folder(home() / "cache");
  for (const char* what : {"reference", "build"}) {
    base::make_folder(shared_folder() / what);
    std::filesystem::create_directory_symlink(shared_folder() / what, home() / "cache" / what);
  }
}

Finished Hone::run(std::vector<std::string> words) const {
  words.insert(words.begin(), HONE_BINARY);
  return run_program(std::move(words));
}

Finished Hone::run_program(std::vector<std::string> words) const {
  return finish(start(std::move(words)));
}

Finished Hone::run_and_signal(std::vector<std::string> words, const std::string& mark, int count,
                              int signal) const {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) base::fail(base::ExitCode::environment, "no pipe");
  const base::Fd ours(ends[0]);
  base::Fd theirs(ends[1]);
  words.insert(words.begin(), HONE_BINARY);
  const int pid = start(std::move(words), theirs.get());
  theirs.reset();
  std::string text;
  std::size_t from = 0;
  std::vector<base::Fd> descendants;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(ours.get(), part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(n));
    for (std::size_t at; count > 0 && (at = text.find(mark, from)) != std::string::npos;
         from = at + mark.size())
      if (--count == 0) {
        collect_descendants(pid, descendants);
        ::kill(pid, signal);
      }
  }
  Finished finished = finish(pid);
  finished.err = text;
  finished.survivors = still_alive(descendants);
  return finished;
}

Finished Hone::run_and_kill(std::vector<std::string> words, double seconds) const {
  words.insert(words.begin(), HONE_BINARY);
  const int pid = start(std::move(words));
  const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd end{process.get(), POLLIN, 0};
  if (::poll(&end, 1, static_cast<int>(1000 * seconds)) == 0) ::kill(pid, SIGKILL);
  return finish(pid);
}

int Hone::start(std::vector<std::string> words, int err_descriptor) const {
  std::error_code ec;
  if (judges_on_opencl(words) && has_opencl() && std::filesystem::is_directory(home(), ec) &&
      !std::filesystem::exists(home() / "ceilings", ec))
    std::filesystem::copy(made_up_ceilings(), home() / "ceilings",
                          ec);  // a home that cannot be written measures its own, or complains
  std::vector<std::string> variables = environment_;  // the first of a name counts
  variables.push_back("HONE_CONFIG=");                // no settings of the user that runs the tests
  variables.push_back("HONE_HOME=" + home().string());
  variables.emplace_back(
      "HONE_QUICK=all");  // what is asserted here does not depend on how exact a time is
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const std::string out = folder_.path() / "out", err = folder_.path() / "err";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (err_descriptor >= 0) posix_spawn_file_actions_adddup2(&actions, err_descriptor, 2);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) base::fail(base::ExitCode::environment, "{} cannot be started", words[0]);
  return pid;
}

Finished Hone::finish(int pid) const {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          base::read_file(folder_.path() / "out"), base::read_file(folder_.path() / "err")};
}

bool has_opencl() {
  static const bool found = [] {
    for (const auto& backend : device::discover())
      if (backend.language == core::Language::opencl && backend.available) return true;
    return false;
  }();
  return found;
}

}  // namespace hone::end_to_end
