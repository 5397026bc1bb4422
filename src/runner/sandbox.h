#pragma once
// A disposable process that can reach nothing of the host: user, pid, network, mount, ipc and
// host-name namespaces of its own, a read-only system, an empty scratch folder in memory, limits,
// no capabilities, and a filter that refuses the system calls that no kernel needs. It is this
// program started again in the role "sandboxed", or a fork of a Python that is
// (runner/fork_server.h); it shares a control socket, a pipe for its output and one for its exit
// status with its parent. A handle owns its process and is used from one thread.
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "runner/freezer.h"

namespace hone::runner {

enum class Isolation : std::uint8_t {
  full,    // all of the above
  limits,  // where no namespaces can be made: a process group of its own, limits, the filter
};

struct SandboxSpec {
  Isolation isolation = Isolation::full;
  bool gpu = false;         // it needs the GPU's device nodes
  bool gpu_hidden = false;  // they are hidden from this fork of a server that has them
  std::uint64_t scratch_bytes = 512u << 20;  // size of the folder in memory
  std::uint64_t memory_bytes = 8ull << 30;   // private memory
  std::uint64_t file_bytes = 256u << 20;     // largest file that it may write
  int processes = 256;                       // and threads
  bool network = false;                      // true only where the self-test switches a guard off
  std::string shared_folder;  // likewise: a folder of the host as /tmp, instead of an empty one
  std::vector<std::string>
      readable;  // more folders that it must read: libraries outside the system folders
  std::vector<std::string>
      wrapper;  // a program that starts the worker (compute-sanitizer ...): Isolation::limits
  std::vector<std::string> environment;  // "NAME=value", for the wrapper
  // Keeps the user's rights (a profiler's counters may need root). Never for native code.
  bool keep_rights = false;
  // Keeps its rights inside its namespaces and has no filter, so that it can sandbox its own
  // children. It runs Hone's own code only.
  bool is_fork_server = false;
};

// The parent's handle on a started process. The process and all that it started are killed when the
// handle is destroyed, or when the thread that started it ends, even by SIGKILL. (With
// Isolation::limits a process that has left the process group survives.)
class Sandboxed {
 public:
  Sandboxed() = default;
  Sandboxed(Sandboxed&& other) noexcept { *this = std::move(other); }
  Sandboxed& operator=(Sandboxed&& other) noexcept;
  ~Sandboxed() { kill(); }

  int socket() const { return socket_.get(); }
  pid_t worker() const { return worker_; }  // the process that runs hostile code, by its pid here
  Freezer& freezer() { return freezer_; }   // of the worker
  const Freezer& freezer() const { return freezer_; }
  void kill();
  // How it ended; waits for the end, then kills what is left.
  struct End {
    int exit_code = 0, killed_by = 0;  // killed_by: 0 after an exit
    std::string text;                  // "was killed by SIGSEGV (Segmentation fault)"
  };
  End wait_end();
  // Ends the worker by SIGABRT, at which Python prints a traceback, waits shortly for that and
  // returns the log.
  std::string abort_and_take_log();
  std::string take_log();  // what it printed since the last call, at most the last 64 KiB
  // Processes in the sandbox besides the worker; none in the sandbox of an honest candidate.
  std::vector<pid_t> other_processes() const;

  // ---- for a process that is started elsewhere (below, or by the fork server)
  struct ChildEnds {
    base::Fd socket, log, status;
  };
  // A handle with its channels, whose other ends are for the process that is still to be started.
  static Sandboxed with_channels(ChildEnds& child);
  // Waits until the worker reports that it is in its sandbox. Returns what went wrong, or "".
  std::string wait_until_ready(double seconds);

 private:
  friend Sandboxed start_sandboxed(const SandboxSpec& spec);
  base::Fd socket_, log_, status_;
  // The supervisor is this process's child; it made the namespaces and waits for `init`, the first
  // process in them, which started the worker. A fork server's children have another parent: their
  // supervisor is -1 here.
  pid_t supervisor_ = -1, init_ = -1, worker_ = -1;
  bool isolated_ = false;
  Freezer freezer_;
};

// The workers of this process that are alive now, so that they are told from other programs on a
// device.
std::vector<int> own_workers();

Sandboxed start_sandboxed(
    const SandboxSpec& spec);  // throws Error where the process cannot be started

// Tries the isolation once and keeps the answer. Empty text: it works. Otherwise why not, and the
// fix.
const std::string& isolation_problem();

// The child's side: applies the spec that comes over descriptor 3, then calls `work` with the
// socket. Returns the exit code.
int enter_sandbox(int (*work)(int socket));

}  // namespace hone::runner
