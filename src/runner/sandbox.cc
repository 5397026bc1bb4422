#include "runner/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "runner/isolation_advice.h"
#include "runner/proc.h"
#include "runner/sandbox_spawn.h"
#include "runner/seconds_since.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::ExitCode;

constexpr double ready_seconds = 20;  // to start a process on a loaded machine
constexpr double gone_seconds = 5;  // to be removed after SIGKILL, with memory on a device to free
constexpr double status_seconds = 2, abort_seconds = 1;
constexpr std::size_t most_log = 64 << 10;

// Of this whole process: a judge asks whether a program at work on the device is one of ours,
// whichever thread started it.
std::set<int>& workers() {
  static std::set<int> alive;
  return alive;
}
std::set<int>& ending_workers() {
  static std::set<int> ending;
  return ending;
}
std::mutex& workers_mutex() {
  static std::mutex mutex;
  return mutex;
}

// The parent's end first.
std::pair<base::Fd, base::Fd> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    base::fail(ExitCode::environment, "no pipe can be made: {}", base::errno_text());
  return {base::Fd(ends[0]), base::Fd(ends[1])};
}

}  // namespace

// A worker that was killed is listed among a GPU's processes until the driver has cleaned up after
// it.
std::vector<int> own_workers() {
  const std::lock_guard lock(workers_mutex());
  std::erase_if(ending_workers(), [](int pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; });
  std::vector<int> own(workers().begin(), workers().end());
  own.insert(own.end(), ending_workers().begin(), ending_workers().end());
  return own;
}

Sandboxed& Sandboxed::operator=(Sandboxed&& other) noexcept {
  if (this == &other) return *this;
  kill();
  socket_ = std::move(other.socket_);
  log_ = std::move(other.log_);
  status_ = std::move(other.status_);
  supervisor_ = std::exchange(other.supervisor_, -1);
  init_ = std::exchange(other.init_, -1);
  worker_ = std::exchange(other.worker_, -1);
  isolated_ = other.isolated_;
  freezer_ = std::exchange(other.freezer_, Freezer());
  return *this;
}

void Sandboxed::kill() {
  if (supervisor_ <= 0 && init_ <= 0) return;
  if (init_ > 0)
    ::kill(init_,
           SIGKILL);  // the first process of a pid namespace: all others in it are killed with it
  if (worker_ > 0) ::kill(worker_, SIGKILL);
  if (supervisor_ > 0) {
    ::kill(-supervisor_, SIGKILL);
    while (::waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
    }
  } else {  // a child of the fork server: its memory on a device is free when its pid is
    const auto start = Clock::now();
    while (::kill(init_, 0) == 0 && seconds_since(start) < gone_seconds)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::lock_guard lock(workers_mutex());
  workers().erase(worker_);
  if (worker_ > 0) ending_workers().insert(worker_);
  supervisor_ = init_ = worker_ = -1;
  freezer_ = {};
}

// The worker's own parent waits for it and writes the status into a pipe, because a process can
// wait for its children only and the worker is a grandchild of this one's.
Sandboxed::End Sandboxed::wait_end() {
  End end;
  int status = 0;
  const bool known = wait_readable(status_.get(), status_seconds) &&
                     ::read(status_.get(), &status, sizeof status) == sizeof status;
  kill();
  if (!known) {
    end.killed_by = SIGKILL;
    end.text = "is gone without an exit status";
  } else if (WIFSIGNALED(status)) {
    end.killed_by = WTERMSIG(status);
    end.text = fmt::format("was killed by SIG{} ({})", sigabbrev_np(end.killed_by),
                           sigdescr_np(end.killed_by));
  } else {
    end.exit_code = WEXITSTATUS(status);
    end.text = fmt::format("exited with code {}", end.exit_code);
  }
  return end;
}

std::string Sandboxed::abort_and_take_log() {
  if (worker_ <= 0) return "";
  // A stopped process gets its signals when it goes on.
  freezer_.thaw();
  ::kill(worker_, SIGABRT);
  wait_readable(status_.get(), abort_seconds);
  return take_log();
}

// The last part is kept: an error's text is printed before the end.
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

std::vector<pid_t> Sandboxed::other_processes() const {
  // Where there is a pid namespace, a helper that lost its parent becomes a child of its first
  // process, and is found below that.
  auto found = descendants_of(isolated_ ? init_ : worker_);
  std::erase(found, worker_);
  return found;
}

Sandboxed Sandboxed::with_channels(ChildEnds& child) {
  Sandboxed parent;
  std::tie(parent.socket_, child.socket) = socket_pair();
  ask_for_sender(parent.socket_);
  std::tie(parent.log_, child.log) = make_pipe();
  // A worker that prints without end must not block: what does not fit in the pipe is lost.
  for (const auto* end : {&parent.log_, &child.log}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  std::tie(parent.status_, child.status) = make_pipe();
  parent.isolated_ = true;
  return parent;
}

// The processes of a start report in this order, each about itself, so that the sender's pid is
// told by the kernel: the supervisor "unshared" (not where a fork server started it), the first
// process in the namespaces "init", and the worker "ready". Any other text is what went wrong.
std::string Sandboxed::wait_until_ready(double seconds) {
  while (true) {
    if (!wait_readable(socket(), seconds))
      return fmt::format("it did not start within {} s", seconds);
    const auto packet = receive_packet(socket());
    if (!packet) return fmt::format("it ended at its start: {}", take_log());
    if (packet->text == "unshared") {
      map_user(supervisor_);
      send_packet(socket(), "mapped");
    } else if (packet->text == "init") {
      init_ = packet->sender;
    } else if (packet->text == "ready") {
      worker_ = packet->sender;
      freezer_ = Freezer(worker_);
      const std::lock_guard lock(workers_mutex());
      workers().insert(worker_);
      return "";
    } else {
      return fmt::format("it could not be isolated: {}", packet->text);
    }
  }
}

Sandboxed start_sandboxed(const SandboxSpec& spec) {
  Sandboxed::ChildEnds ends;
  Sandboxed child = Sandboxed::with_channels(ends);
  child.supervisor_ = spawn_worker(spec, ends);
  child.isolated_ = spec.isolation == Isolation::full;
  ends = {};  // so that only the child's copies keep the channels open
  send_packet(child.socket(), spec_message(spec));
  if (const std::string problem = child.wait_until_ready(ready_seconds); !problem.empty())
    base::fail(ExitCode::environment, "a worker process failed: {}", problem);
  return child;
}

// Tried and not derived from settings: containers, security modules and kernels forbid namespaces
// in many ways.
const std::string& isolation_problem() {
  static const std::string problem = [] {
    try {
      start_sandboxed({});
      return std::string();
    } catch (const base::Error& error) {
      return std::string(error.what()) + ". " + isolation_advice(namespace_facts());
    }
  }();
  return problem;
}

}  // namespace hone::runner
