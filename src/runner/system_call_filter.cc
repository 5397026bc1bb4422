#include "runner/system_call_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

namespace hone::runner {
namespace {

constexpr const char* refused_calls[] = {
    // other processes, and their memory and descriptors
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd",
    // mounts and namespaces
    "mount", "umount2", "pivot_root", "unshare", "setns", "fsopen", "fsmount", "move_mount",
    "open_tree", "mount_setattr", "fsconfig", "chroot", "open_by_handle_at", "name_to_handle_at",
    // large and seldom-used parts of the kernel
    "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "io_uring_setup",
    "lookup_dcookie",
    // the machine
    "kexec_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff",
    "acct", "quotactl", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime"};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// Null where none can be made.
// A list of what is refused, and not of what is allowed: drivers, compilers and Python use most of
// the kernel, and differently in every version. The namespaces carry the isolation; the filter
// takes away what would get around them.
Filter make_filter(const FilterRules& rules) {
  Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (!filter) return filter;
  for (const char* name : refused_calls)
    if (const int number = seccomp_syscall_resolve_name(name); number != __NR_SCMP_ERROR)
      seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 0);
  // Native code could have itself woken while it is stopped, by a timer or by a descriptor that
  // sends SIGCONT when something arrives. A GPU's driver may need these, so that a worker with a
  // GPU has them; there and here Freezer::ran_while_frozen tells.
  if (rules.native_code) {
    for (const int number : {SCMP_SYS(timer_create), SCMP_SYS(setitimer), SCMP_SYS(alarm)})
      seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), number, 0);
    seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
                     SCMP_A1_32(SCMP_CMP_EQ, F_SETSIG));
  }
  // A namespace of its own for the network does not hold every kind of socket: AF_VSOCK reaches a
  // virtual machine's host. A GPU's driver may use AF_NETLINK.
  if (!rules.network && rules.native_code)
    seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                     SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
  else if (!rules.network)
    seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                     SCMP_A0_32(SCMP_CMP_EQ, AF_VSOCK));
  // A filter cannot see the flags inside clone3's argument: without clone3, libraries fall back to
  // clone, whose flags it sees.
  seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                   SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  return filter;
}

}  // namespace

void filter_system_calls(const FilterRules& rules) {
  if (const Filter filter = make_filter(rules)) seccomp_load(filter.get());
}

base::Fd system_call_filter(const FilterRules& rules) {
  base::Fd file(::memfd_create("filter", MFD_CLOEXEC));
  if (file)
    if (const Filter filter = make_filter(rules)) seccomp_export_bpf(filter.get(), file.get());
  return file;
}

}  // namespace hone::runner
