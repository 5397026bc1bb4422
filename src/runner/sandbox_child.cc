// The child's side of runner/sandbox.h: from a freshly started copy of this program to a process with nothing in reach.
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "runner/sandbox.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;
constexpr int control = 3, status_pipe = 4;

[[noreturn]] void give_up(const std::string& what) {
  send_packet(control, what + ": " + base::errno_text());
  ::_exit(1);
}
void must(bool worked, const std::string& what) {
  if (!worked) give_up(what);
}

constexpr const char* system_folders[] = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                                          "/lib64", "/libx32", "/etc",  "/opt", "/sys"};
constexpr const char* plain_devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

std::string new_root(const std::string& path) { return "/tmp/root" + path; }

void make_read_only(const std::string& place, unsigned recursive = AT_RECURSIVE) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  if (::syscall(SYS_mount_setattr, -1, place.c_str(), recursive, &attributes, sizeof attributes) == 0) return;
  // Older kernels: the top mount at least. What lies below belongs to others than nobody and cannot be written anyway.
  ::mount(nullptr, place.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID, nullptr);
}

void bind_folder(const std::string& path, bool required) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return;
  if (S_ISLNK(info.st_mode)) {  // /lib -> usr/lib
    fs::create_directories(fs::path(new_root(path)).parent_path());
    fs::create_symlink(fs::read_symlink(path), new_root(path));
    return;
  }
  fs::create_directories(new_root(path));
  const bool bound = ::mount(path.c_str(), new_root(path).c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
  must(bound || !required, "binding " + path);
  if (bound) make_read_only(new_root(path));
}

void bind_device(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return;
  const int fd = ::open(new_root(path).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd >= 0) ::close(fd);
  ::mount(path.c_str(), new_root(path).c_str(), nullptr, MS_BIND, nullptr);
}

void bind_gpu_devices() {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator("/dev", ec)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("nvidia") && name != "kfd" && name != "dri") continue;
    if (entry.is_directory()) {
      fs::create_directories(new_root(entry.path()));
      ::mount(entry.path().c_str(), new_root(entry.path()).c_str(), nullptr, MS_BIND | MS_REC, nullptr);
    } else {
      bind_device(entry.path());
    }
  }
}

// A small root in memory: the system read-only, devices by name, a fresh /proc, and /tmp as the only place to write.
void build_root(const nlohmann::json& spec) {
  must(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "making mounts private");
  // Folders to be read may lie under /tmp, which is about to be covered: keep a handle on each.
  std::vector<std::pair<std::string, int>> readable;
  for (const auto& folder : spec["readable"].get<std::vector<std::string>>())
    if (const int handle = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); handle >= 0)
      readable.emplace_back(folder, handle);
  const std::string shared = spec["shared_folder"];
  const int shared_fd =
      shared.empty() ? -1 : ::open(shared.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);  // held before /tmp is covered
  must(::mount("hone", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=16m") == 0, "mounting a root in memory");
  fs::create_directories(new_root("/"));
  must(::mount("hone", new_root("").c_str(), "tmpfs", MS_NOSUID, "mode=755,size=16m") == 0,
       "mounting a root in memory");
  for (const char* folder : system_folders) bind_folder(folder, folder == std::string_view("/usr"));
  fs::create_directories(new_root("/dev/shm"));
  for (const char* device : plain_devices) bind_device(device);
  if (spec["gpu"].get<bool>()) bind_gpu_devices();
  for (const auto& [name, target] :
       {std::pair{"/dev/fd", "/proc/self/fd"}, std::pair{"/dev/stdin", "/proc/self/fd/0"},
        std::pair{"/dev/stdout", "/proc/self/fd/1"}, std::pair{"/dev/stderr", "/proc/self/fd/2"}})
    fs::create_symlink(target, new_root(name));
  fs::create_directories(new_root("/proc"));
  must(::mount("proc", new_root("/proc").c_str(), "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, nullptr) == 0,
       "mounting /proc");
  const std::string size = "mode=1777,size=" + std::to_string(spec["scratch"].get<std::uint64_t>());
  for (const char* place : {"/tmp", "/dev/shm"}) {
    fs::create_directories(new_root(place));
    must(::mount("hone", new_root(place).c_str(), "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) == 0,
         "mounting a scratch folder");
  }
  if (shared_fd >= 0)
    must(::mount(("/proc/self/fd/" + std::to_string(shared_fd)).c_str(), new_root("/tmp").c_str(), nullptr, MS_BIND,
                 nullptr) == 0,
         "binding the shared folder");
  fs::create_directories(new_root("/tmp/pocl"));
  for (const auto& [folder, handle] : readable) {
    fs::create_directories(new_root(folder));
    if (::mount(("/proc/self/fd/" + std::to_string(handle)).c_str(), new_root(folder).c_str(), nullptr,
                MS_BIND | MS_REC, nullptr) == 0)
      make_read_only(new_root(folder));
    ::close(handle);
  }
  must(::chdir(new_root("").c_str()) == 0, "entering the new root");
  must(::syscall(SYS_pivot_root, ".", ".") == 0, "changing the root");
  must(::umount2(".", MNT_DETACH) == 0, "leaving the old root");
  must(::chdir("/tmp") == 0, "entering /tmp");
  make_read_only("/", 0);
}

void limit(__rlimit_resource resource, std::uint64_t value) {
  const rlimit bound{value, value};
  ::setrlimit(resource, &bound);
}

void set_limits(const nlohmann::json& spec) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, spec["file"].get<std::uint64_t>());
  limit(RLIMIT_NOFILE, 4096);
  limit(RLIMIT_MEMLOCK, std::uint64_t{64} << 20);
  // Private writable memory. The address space as such is not limited: CUDA reserves far more than it uses.
  limit(RLIMIT_DATA, spec["memory"].get<std::uint64_t>());
  limit(RLIMIT_NPROC, spec["processes"].get<std::uint64_t>());
}

void drop_capabilities(bool keep_rights) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (keep_rights) return;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  ::syscall(SYS_capset, &header, none);
}

// What neither a compiler nor a driver needs, and an attacker might. To be released; null where there is none.
scmp_filter_ctx make_filter(bool native_code) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return nullptr;
  for (const char* name : {"ptrace",
                           "process_vm_readv",
                           "process_vm_writev",
                           "kcmp",
                           "mount",
                           "umount2",
                           "pivot_root",
                           "unshare",
                           "setns",
                           "bpf",
                           "perf_event_open",
                           "userfaultfd",
                           "keyctl",
                           "add_key",
                           "request_key",
                           "kexec_load",
                           "init_module",
                           "finit_module",
                           "delete_module",
                           "reboot",
                           "swapon",
                           "swapoff",
                           "open_by_handle_at",
                           "io_uring_setup",
                           "fsopen",
                           "fsmount",
                           "move_mount",
                           "open_tree",
                           "mount_setattr",
                           "fsconfig",
                           "acct",
                           "quotactl",
                           "name_to_handle_at",
                           "lookup_dcookie",
                           "pidfd_getfd",
                           "chroot",
                           "settimeofday",
                           "clock_settime",
                           "adjtimex",
                           "clock_adjtime"}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR) seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
  }
  // Native code could have itself woken by a timer while it is stopped. (A GPU's driver may want timers, and its
  // candidates have no system calls.)
  if (native_code)
    for (const int number : {SCMP_SYS(timer_create), SCMP_SYS(setitimer), SCMP_SYS(alarm)})
      seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
  // A flag inside clone3's argument cannot be looked at: libraries fall back to clone, where it can.
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                   SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  return filter;
}

void filter_system_calls(bool native_code) {
  scmp_filter_ctx filter = make_filter(native_code);
  if (filter == nullptr) return;
  seccomp_load(filter);
  seccomp_release(filter);
}

[[noreturn]] void report_and_exit(pid_t child) {
  int status = 0;
  pid_t done = 0;
  while ((done = ::waitpid(-1, &status, 0)) != child)
    if (done < 0 && errno != EINTR) break;
  if (done == child) [[maybe_unused]]
    const auto written = ::write(status_pipe, &status, sizeof status);
  ::_exit(0);
}

// To be called again after every change of user, which makes the kernel forget it. A parent that was gone before this
// call has closed its end of the socket.
void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd parent{control, 0, 0};
  if (::poll(&parent, 1, 0) > 0 && (parent.revents & POLLHUP) != 0) ::_exit(1);
}

int work_inside(const nlohmann::json& spec, int (*work)(int)) {
  die_with_parent();
  set_limits(spec);
  if (!spec["keeps_children"].get<bool>()) {
    drop_capabilities(spec["keep_rights"].get<bool>());
    filter_system_calls(!spec["gpu"].get<bool>());
  }
  ::close(status_pipe);
  must(send_packet(control, "ready"), "reporting");
  return work(control);
}

}  // namespace

base::Fd system_call_filter(bool native_code) {
  base::Fd file(::memfd_create("filter", MFD_CLOEXEC));
  if (scmp_filter_ctx filter = file ? make_filter(native_code) : nullptr; filter != nullptr) {
    seccomp_export_bpf(filter, file.get());
    seccomp_release(filter);
  }
  return file;
}

int enter_sandbox(int (*work)(int socket)) {
  const auto packet = receive_packet(control);
  if (!packet) return 1;
  const auto spec = nlohmann::json::parse(packet->text);
  die_with_parent();
  ::fcntl(control, F_SETFD, FD_CLOEXEC);
  ::fcntl(status_pipe, F_SETFD, FD_CLOEXEC);
  const bool full = spec["full"];
  if (full) {
    ::close_range(status_pipe + 1, ~0u, 0);  // what whoever started hone left open is none of a candidate's business
    const int network = spec["network"].get<bool>() ? 0 : CLONE_NEWNET;
    must(::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | network | CLONE_NEWIPC | CLONE_NEWUTS) == 0,
         "no name spaces can be had");
    must(send_packet(control, "unshared"), "reporting");
    if (const auto answer = receive_packet(control); !answer || answer->text != "mapped") return 1;
    must(::setresgid(0, 0, 0) == 0 && ::setresuid(0, 0, 0) == 0, "becoming the mapped user");
    die_with_parent();
    const pid_t init = ::fork();
    must(init >= 0, "starting the first process");
    if (init > 0) {  // the warden only waits: its end is the parent's signal that all is over
      ::close(control);
      while (::waitpid(init, nullptr, 0) < 0 && errno == EINTR) {
      }
      return 0;
    }
    die_with_parent();
    must(send_packet(control, "init"), "reporting");
    build_root(spec);
  }
  const pid_t worker = ::fork();
  must(worker >= 0, "starting the worker");
  if (worker > 0) {
    ::close(control);
    report_and_exit(worker);
  }
  ::_exit(work_inside(spec, work));
}

}  // namespace hone::runner
