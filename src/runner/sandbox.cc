#include "runner/sandbox.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "runner/loader_folders.h"
#include "runner/wire.h"

extern char** environ;

namespace hone::runner {
namespace {

using base::ExitCode;
using base::Fd;

constexpr double ready_seconds = 20;  // a loaded machine may take its time to start a process
constexpr std::size_t most_log = 64 << 10;
constexpr int nobody = 65534;
constexpr double stop_seconds =
    5;  // a loaded machine takes milliseconds; a thread that waits for a vforked child stops when that ends
// What a stopped thread may be seen to have run. Where the kernel does not tell that it has left its processor, what it
// ran before is counted at the next tick only: two ticks of the slowest clock.
constexpr std::uint64_t stopping_nanoseconds = 100'000, uncounted_nanoseconds = 20'000'000;

nlohmann::json to_json(const SandboxSpec& spec) {
  auto readable = loader_folders();
  readable.insert(readable.end(), spec.readable.begin(), spec.readable.end());
  return {{"full", spec.isolation == Isolation::full},
          {"gpu", spec.gpu},
          {"scratch", spec.scratch_bytes},
          {"memory", spec.memory_bytes},
          {"file", spec.file_bytes},
          {"processes", spec.processes},
          {"readable", readable},
          {"network", spec.network},
          {"shared_folder", spec.shared_folder},
          {"keep_rights", spec.keep_rights},
          {"keeps_children", spec.keeps_children}};
}

// Only what programs need to run; nothing that names the user, keys, or this program's own settings.
std::vector<std::string> clean_environment(const SandboxSpec& spec) {
  std::vector<std::string> env = {"HOME=/tmp",
                                  "TMPDIR=/tmp",
                                  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                  "LANG=C.UTF-8",
                                  "POCL_CACHE_DIR=/tmp/pocl",
                                  "XDG_CACHE_HOME=/tmp"};
  for (const char* name :
       {"LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES",
        "CUDA_VISIBLE_DEVICES", "ASAN_OPTIONS", "POCL_MAX_PTHREAD_COUNT", "HONE_HOME"})
    if (const char* value = ::getenv(name)) env.push_back(std::string(name) + "=" + value);
  if (spec.gpu) env.push_back("CUDA_MODULE_LOADING=LAZY");
  for (const auto& pair : spec.environment) {
    const std::string name = pair.substr(0, pair.find('=') + 1);
    std::erase_if(env, [&](const std::string& known) { return known.starts_with(name); });
    env.push_back(pair);
  }
  return env;
}

pid_t spawn_self(const SandboxSpec& spec, int socket, int log, int status) {
  std::vector<std::string> words = spec.wrapper;
  words.insert(words.end(), {std::filesystem::read_symlink("/proc/self/exe").string(), "worker"});
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  auto env = clean_environment(spec);
  for (auto& pair : env) envp.push_back(pair.data());
  envp.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log, 1);
  posix_spawn_file_actions_adddup2(&actions, log, 2);
  posix_spawn_file_actions_adddup2(&actions, socket, 3);
  posix_spawn_file_actions_adddup2(&actions, status, 4);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) base::fail(ExitCode::environment, "{} cannot be started: {}", words[0], std::strerror(error));
  return pid;
}

void write_proc(pid_t pid, const char* name, const std::string& text) {
  const Fd fd(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || ::write(fd.get(), text.data(), text.size()) < 0)
    base::fail(ExitCode::environment, "/proc/{}/{} cannot be written: {}", pid, name, base::errno_text());
}

// Root maps the sandbox to nobody, so that limits on processes hold and files of root stay out of reach; others can
// only map themselves.
void map_user(pid_t pid) {
  const bool root = ::geteuid() == 0;
  write_proc(pid, "setgroups", "deny");
  write_proc(pid, "uid_map", fmt::format("0 {} 1", root ? nobody : static_cast<int>(::geteuid())));
  write_proc(pid, "gid_map", fmt::format("0 {} 1", root ? nobody : static_cast<int>(::getegid())));
}

std::set<int>& workers() {
  static std::set<int> alive;
  return alive;
}
std::mutex& workers_mutex() {
  static std::mutex mutex;
  return mutex;
}

// The kernel lists children by the thread that made them.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code ec;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), ec)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

char state_of(const std::filesystem::path& stat) {
  std::ifstream file(stat);
  std::string line;
  std::getline(file, line);
  const auto end = line.rfind(')');  // the name before it may hold anything
  return end == std::string::npos || end + 2 >= line.size() ? '?' : line[end + 2];
}

bool is_stopped(char state) { return state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == '?'; }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Comes back when the thread has left its processor. One that is shown as stopped may still be on its way off it, and
// what it has run since the last tick is not counted until then. The kernel answers this question only about a thread
// that is not running. False: it may not be asked.
bool wait_until_off(const std::filesystem::path& thread, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  for (std::string word; seconds_since(start) < seconds; ::sched_yield()) {
    std::ifstream file(thread / "syscall");
    if (!(file >> word)) return false;
    if (word != "running") return true;
  }
  return false;
}

// Nanoseconds that each thread has run on a processor; empty where the kernel does not count them.
std::map<int, std::uint64_t> run_times_of(pid_t pid) {
  std::map<int, std::uint64_t> times;
  std::error_code ec;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), ec)) {
    std::ifstream file(thread.path() / "schedstat");
    if (std::uint64_t nanoseconds = 0; file >> nanoseconds) times[std::stoi(thread.path().filename())] = nanoseconds;
  }
  return times;
}

}  // namespace

std::vector<int> own_workers() {
  const std::lock_guard lock(workers_mutex());
  return {workers().begin(), workers().end()};
}

Sandboxed& Sandboxed::operator=(Sandboxed&& other) noexcept {
  if (this == &other) return *this;
  kill();
  socket_ = std::move(other.socket_);
  log_ = std::move(other.log_);
  status_ = std::move(other.status_);
  warden_ = std::exchange(other.warden_, -1);
  init_ = std::exchange(other.init_, -1);
  worker_ = std::exchange(other.worker_, -1);
  isolated_ = other.isolated_;
  frozen_ = other.frozen_;
  run_times_ = std::move(other.run_times_);
  may_have_run_ = other.may_have_run_;
  return *this;
}

void Sandboxed::kill() {
  if (warden_ <= 0 && init_ <= 0) return;
  if (init_ > 0) ::kill(init_, SIGKILL);  // first process of the pid name space: everything in it goes with it
  if (worker_ > 0) ::kill(worker_, SIGKILL);
  if (warden_ > 0) {
    ::kill(-warden_, SIGKILL);
    while (::waitpid(warden_, nullptr, 0) < 0 && errno == EINTR) {
    }
  } else {  // somebody else's child: gone when its number is, and with it its memory on a device
    const auto start = std::chrono::steady_clock::now();
    while (::kill(init_, 0) == 0 && seconds_since(start) < stop_seconds)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::lock_guard lock(workers_mutex());
  workers().erase(worker_);
  warden_ = init_ = worker_ = -1;
}

Sandboxed::End Sandboxed::wait_end() {
  End end;
  int status = 0;
  if (!wait_readable(status_.get(), 2) || ::read(status_.get(), &status, sizeof status) != sizeof status) {
    kill();
    end.killed_by = SIGKILL;
    end.text = "it vanished without a word";
    return end;
  }
  kill();
  if (WIFSIGNALED(status)) {
    end.killed_by = WTERMSIG(status);
    end.text = fmt::format("killed by SIG{} ({})", sigabbrev_np(end.killed_by), sigdescr_np(end.killed_by));
  } else {
    end.exit_code = WEXITSTATUS(status);
    end.text = fmt::format("exited with code {}", end.exit_code);
  }
  return end;
}

std::string Sandboxed::last_words() {
  constexpr double patience = 1;  // seconds
  if (worker_ <= 0) return "";
  thaw();
  ::kill(worker_, SIGABRT);
  wait_readable(status_.get(), patience);
  return take_log();
}

std::string Sandboxed::take_log() {
  std::string log;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(log_.get(), part, sizeof part)) > 0;) {
    log.append(part, static_cast<std::size_t>(n));
    if (log.size() > 2 * most_log) log.erase(0, log.size() - most_log);
  }
  if (log.size() > most_log) log.erase(0, log.size() - most_log);
  return log;
}

std::optional<double> Sandboxed::freeze() {
  if (frozen_ || worker_ <= 0) return 0;
  if (::kill(worker_, SIGSTOP) != 0) return 0;  // gone: the next message will find out
  frozen_ = true;
  double waited = 0;
  for (bool all_stopped = false; !all_stopped;) {  // once more after a wait: until it stops, a thread can start others
    all_stopped = true;
    std::error_code ec;
    for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", worker_), ec)) {
      if (is_stopped(state_of(thread.path() / "stat"))) continue;
      all_stopped = false;
      const auto start = std::chrono::steady_clock::now();
      while (!is_stopped(state_of(thread.path() / "stat"))) {
        ::kill(worker_, SIGSTOP);  // it may have been told to go on in between, by itself
        ::sched_yield();
        if (waited + seconds_since(start) > stop_seconds) return std::nullopt;
      }
      waited += seconds_since(start);
    }
  }
  may_have_run_ = 0;
  std::error_code ec;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", worker_), ec))
    may_have_run_ = std::max(
        may_have_run_, wait_until_off(thread.path(), stop_seconds) ? stopping_nanoseconds : uncounted_nanoseconds);
  run_times_ = run_times_of(worker_);
  return waited;
}

bool Sandboxed::ran_while_frozen() const {
  if (!frozen_) return false;
  for (const auto& [thread, nanoseconds] : run_times_of(worker_)) {
    const auto before = run_times_.find(thread);
    if (before == run_times_.end() || nanoseconds > before->second + may_have_run_) return true;
  }
  return false;
}

void Sandboxed::thaw() {
  if (!std::exchange(frozen_, false)) return;
  ::kill(worker_, SIGCONT);
}

std::vector<pid_t> Sandboxed::strangers() const {
  std::vector<pid_t> found;
  std::vector<pid_t> open = {isolated_ ? init_ : worker_};
  while (!open.empty()) {
    const pid_t pid = open.back();
    open.pop_back();
    for (const pid_t child : children_of(pid)) {
      if (child != worker_) found.push_back(child);
      open.push_back(child);
    }
  }
  return found;
}

int Sandboxed::threads() const {
  std::error_code ec;
  int count = 0;
  for ([[maybe_unused]] const auto& thread :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", worker_), ec))
    ++count;
  return count;
}

std::uint64_t Sandboxed::resident_bytes() const {
  // Private memory only: the shared blocks are the judge's own.
  std::ifstream file(fmt::format("/proc/{}/statm", worker_));
  std::uint64_t total = 0, resident = 0, shared = 0;
  if (!(file >> total >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

Sandboxed Sandboxed::announced(Ends& ends) {
  auto [mine, theirs] = socket_pair();
  ask_for_sender(mine);
  int log[2], status[2];
  Sandboxed child;
  if (::pipe2(log, O_CLOEXEC) != 0) base::fail(ExitCode::environment, "no pipe can be made: {}", base::errno_text());
  child.log_.reset(log[0]);
  ends.log.reset(log[1]);
  ::fcntl(log[0], F_SETFL, O_NONBLOCK);
  ::fcntl(log[1], F_SETFL, O_NONBLOCK);  // a worker that prints without end loses its words, not its time
  if (::pipe2(status, O_CLOEXEC) != 0) base::fail(ExitCode::environment, "no pipe can be made: {}", base::errno_text());
  child.status_.reset(status[0]);
  ends.status.reset(status[1]);
  ends.socket = std::move(theirs);
  child.socket_ = std::move(mine);
  child.isolated_ = true;
  return child;
}

std::string Sandboxed::wait_ready(double seconds) {
  while (true) {
    if (!wait_readable(socket(), seconds)) return fmt::format("it did not start within {} s", seconds);
    const auto packet = receive_packet(socket());
    if (!packet) return fmt::format("it ended at its start: {}", take_log());
    if (packet->text == "unshared") {
      map_user(warden_);
      send_packet(socket(), "mapped");
    } else if (packet->text == "init") {
      init_ = packet->sender;
    } else if (packet->text == "ready") {
      worker_ = packet->sender;
      const std::lock_guard lock(workers_mutex());
      workers().insert(worker_);
      return "";
    } else {
      return fmt::format("it could not be isolated: {}", packet->text);
    }
  }
}

Sandboxed start_sandboxed(const SandboxSpec& spec) {
  Sandboxed::Ends ends;
  Sandboxed child = Sandboxed::announced(ends);
  child.warden_ = spawn_self(spec, ends.socket.get(), ends.log.get(), ends.status.get());
  child.isolated_ = spec.isolation == Isolation::full;
  ends = {};
  send_packet(child.socket(), to_json(spec).dump());
  // The child says "unshared" (then its user is mapped), "init" and "ready"; or what went wrong.
  if (const std::string problem = child.wait_ready(ready_seconds); !problem.empty())
    base::fail(ExitCode::environment, "a worker process failed: {}", problem);
  return child;
}

const std::string& isolation_problem() {
  static const std::string problem = [] {
    try {
      start_sandboxed({});
      return std::string();
    } catch (const base::Error& error) {
      return std::string(error.what()) +
             ". Allow unprivileged user name spaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu 24.04 "
             "kernel.apparmor_restrict_unprivileged_userns=0), or "
             "run as root";
    }
  }();
  return problem;
}

}  // namespace hone::runner
