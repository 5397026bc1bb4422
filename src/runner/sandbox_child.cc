// The child's side of runner/sandbox.h: how a newly started copy of this program becomes a worker
// that can reach nothing of the host.
#include "runner/sandbox_child.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "runner/sandbox.h"
#include "runner/sandbox_spawn.h"
#include "runner/system_call_filter.h"
#include "runner/wire.h"

namespace hone::runner {

void must(bool worked, const std::string& what) {
  if (worked) return;
  send_packet(control_socket, what + ": " + base::errno_text());
  ::_exit(1);
}

namespace {

void limit(__rlimit_resource resource, std::uint64_t value) {
  const rlimit bound{value, value};
  ::setrlimit(resource, &bound);
}

void set_limits(const SandboxSpec& spec) {
  constexpr std::uint64_t most_open_files = 4096, most_locked_bytes = 64u << 20;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, spec.file_bytes);
  limit(RLIMIT_NOFILE, most_open_files);
  limit(RLIMIT_MEMLOCK, most_locked_bytes);
  // Private writable memory. The address space as such is not limited: CUDA reserves far more than
  // it uses.
  limit(RLIMIT_DATA, spec.memory_bytes);
  limit(RLIMIT_NPROC, static_cast<std::uint64_t>(spec.processes));
}

void drop_capabilities(bool keep_rights) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (keep_rights) return;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  ::syscall(SYS_capset, &header, none);
}

// Waits for the child, and for any process that has become this one's, and reports the child's exit
// status.
[[noreturn]] void report_status_and_exit(pid_t child) {
  int status = 0;
  pid_t done = 0;
  while ((done = ::waitpid(-1, &status, 0)) != child)
    if (done < 0 && errno != EINTR) break;
  if (done == child) [[maybe_unused]]
    const auto written = ::write(status_pipe, &status, sizeof status);
  ::_exit(0);
}

// To be called again after every change of user, which resets it in the kernel. A parent that ended
// before this call has closed its end of the socket.
void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd parent{control_socket, 0, 0};
  if (::poll(&parent, 1, 0) > 0 && (parent.revents & POLLHUP) != 0) ::_exit(1);
}

int work_inside(const SandboxSpec& spec, int (*work)(int)) {
  die_with_parent();
  set_limits(spec);
  if (!spec.is_fork_server) {
    drop_capabilities(spec.keep_rights);
    filter_system_calls({!spec.gpu, spec.network});
  }
  ::close(status_pipe);
  must(send_packet(control_socket, "ready"), "reporting");
  return work(control_socket);
}

// False: the parent is gone.
bool make_namespaces(const SandboxSpec& spec) {
  const int network = spec.network ? 0 : CLONE_NEWNET;
  must(::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | network | CLONE_NEWIPC |
                 CLONE_NEWUTS) == 0,
       "no namespaces can be made");
  must(send_packet(control_socket, "unshared"), "reporting");
  if (const auto answer = receive_packet(control_socket); !answer || answer->text != "mapped")
    return false;
  must(::setresgid(0, 0, 0) == 0 && ::setresuid(0, 0, 0) == 0, "becoming the mapped user");
  return true;
}

}  // namespace

int enter_sandbox(int (*work)(int socket)) {
  const auto packet = receive_packet(control_socket);
  if (!packet) return 1;
  const SandboxSpec spec = spec_from(packet->text);
  die_with_parent();
  ::fcntl(control_socket, F_SETFD, FD_CLOEXEC);
  ::fcntl(status_pipe, F_SETFD, FD_CLOEXEC);
  if (spec.isolation == Isolation::full) {
    ::close_range(status_pipe + 1, ~0u,
                  0);  // files that the caller of hone left open are not for candidates
    if (!make_namespaces(spec)) return 1;
    die_with_parent();
    const pid_t init = ::fork();
    must(init >= 0, "starting the first process");
    if (init > 0) {  // the supervisor only waits: when it ends, the parent knows that all has ended
      ::close(control_socket);
      while (::waitpid(init, nullptr, 0) < 0 && errno == EINTR) {
      }
      return 0;
    }
    die_with_parent();
    must(send_packet(control_socket, "init"), "reporting");
    build_root(spec);
  }
  const pid_t worker = ::fork();
  must(worker >= 0, "starting the worker");
  if (worker > 0) {
    ::close(control_socket);
    report_status_and_exit(worker);
  }
  ::_exit(work_inside(spec, work));
}

}  // namespace hone::runner
