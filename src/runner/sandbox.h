#pragma once
// A disposable process with nothing in reach: its own user, pid, network, mount, ipc and host name spaces, a read-only
// system, an empty scratch folder in memory, limits, no capabilities, and a filter that refuses the system calls no
// kernel needs. It is this very program started again in the role "worker"; the control socket is all it shares with
// its parent.
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

enum class Isolation : std::uint8_t {
  full,    // all of the above
  limits,  // no name spaces to be had: own process group, limits, filter
};

struct SandboxSpec {
  Isolation isolation = Isolation::full;
  bool gpu = false;                          // the GPU's device nodes are needed
  bool gpu_hidden = false;                   // and are there for others of its kind, but not for this one
  std::uint64_t scratch_bytes = 512u << 20;  // size of the folder in memory
  std::uint64_t memory_bytes = 8ull << 30;   // private memory
  std::uint64_t file_bytes = 256u << 20;     // largest file it may write
  int processes = 256;                       // and threads
  bool network = false;                      // the self-test's way of switching a guard off; never true otherwise
  std::string shared_folder;             // likewise: a folder of the host as /tmp, instead of an empty one in memory
  std::vector<std::string> readable;     // more folders it must read (where libraries lie outside the system folders)
  std::vector<std::string> wrapper;      // a program that starts the worker (compute-sanitizer ...); without isolation
  std::vector<std::string> environment;  // "NAME=value", for the wrapper
  // Keeps what the user may do (a profiler's counters may be root's alone). Never for native code.
  bool keep_rights = false;
  // Keeps the rights it has inside of its name spaces, and no filter, so that it can shut its own children in. For code
  // of ours alone.
  bool keeps_children = false;
};

// The started process as its parent sees it. Killed with everything it started when the object goes, or when the thread
// that started it ends, however it ends (kill -9 as well).
class Sandboxed {
 public:
  Sandboxed() = default;
  Sandboxed(Sandboxed&& other) noexcept { *this = std::move(other); }
  Sandboxed& operator=(Sandboxed&& other) noexcept;
  ~Sandboxed() { kill(); }

  int socket() const { return socket_.get(); }
  pid_t worker() const { return worker_; }  // the process that runs hostile code, by its number here
  void kill();
  // How it ended, in words ("killed by SIGSEGV (segmentation fault)"); waits for the end. `killed_by` is 0 after an
  // exit.
  struct End {
    int exit_code = 0, killed_by = 0;
    std::string text;
  };
  End wait_end();
  // Ends the worker so that it can say where it was (Python prints a traceback), and waits a moment for that.
  std::string last_words();
  std::string take_log();  // what it printed since, at most the last 64 KiB

  // Stops every thread of the worker and returns when they have stopped, with the seconds it had to wait for them;
  // nothing where they would not stop in time.
  std::optional<double> freeze();
  void thaw();
  // Whether a thread has run, or has appeared, although the worker was stopped: native code can have itself woken by a
  // timer.
  bool ran_while_frozen() const;
  // Processes in the sandbox besides the worker; empty where all is well.
  std::vector<pid_t> strangers() const;
  std::uint64_t resident_bytes() const;
  int threads() const;  // of the worker

  // ---- for whoever has it started by another process
  struct Ends {
    base::Fd socket, log, status;  // the other side's
  };
  static Sandboxed announced(Ends& ends);
  // Waits for the words of a start ("init" and "ready", each from the process it is about). "": it is there.
  std::string wait_ready(double seconds);

 private:
  friend Sandboxed start_sandboxed(const SandboxSpec& spec);
  base::Fd socket_, log_, status_;
  pid_t warden_ = -1, init_ = -1, worker_ = -1;
  bool isolated_ = false, frozen_ = false;
  std::map<int, std::uint64_t> run_times_;  // of each thread, in nanoseconds, when it was stopped
  std::uint64_t may_have_run_ = 0;          // that a thread may be seen to have run since, in nanoseconds
};

// The workers of this process that are alive now, so that they are not taken for somebody else.
std::vector<int> own_workers();

// The filter of system calls as the kernel takes it, in a memory file.
base::Fd system_call_filter(bool native_code);

Sandboxed start_sandboxed(const SandboxSpec& spec);  // throws Error where the process cannot be started

// Tries the isolation once and remembers the answer. Empty text: it works. Otherwise why not and how to mend it.
const std::string& isolation_problem();

// The child's side: applies the spec that comes over descriptor 3, then calls `work` with the socket. Returns the exit
// code.
int enter_sandbox(int (*work)(int socket));

}  // namespace hone::runner
