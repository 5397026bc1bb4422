// The root file system of a sandboxed worker, built inside its mount namespace: see
// runner/sandbox_child.h.
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "runner/sandbox_child.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* system_folders[] = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                                          "/lib64", "/libx32", "/etc",  "/opt", "/sys"};
constexpr const char* plain_devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                         "/dev/urandom"};
constexpr const char* root_options =
    "mode=755,size=16m";  // of the root itself: folders, links and mount points only

std::string new_root(const std::string& path) { return "/tmp/root" + path; }

void make_read_only(const std::string& place, unsigned recursive = AT_RECURSIVE) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  if (::syscall(SYS_mount_setattr, -1, place.c_str(), recursive, &attributes, sizeof attributes) ==
      0)
    return;
  // Older kernels: the top mount at least. Mounts below it belong to other users and cannot be
  // written anyway.
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
  const bool bound =
      ::mount(path.c_str(), new_root(path).c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
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
      ::mount(entry.path().c_str(), new_root(entry.path()).c_str(), nullptr, MS_BIND | MS_REC,
              nullptr);
    } else {
      bind_device(entry.path());
    }
  }
}

void make_devices(bool gpu) {
  fs::create_directories(new_root("/dev/shm"));
  for (const char* device : plain_devices) bind_device(device);
  if (gpu) bind_gpu_devices();
  for (const auto& [name, target] :
       {std::pair{"/dev/fd", "/proc/self/fd"}, std::pair{"/dev/stdin", "/proc/self/fd/0"},
        std::pair{"/dev/stdout", "/proc/self/fd/1"}, std::pair{"/dev/stderr", "/proc/self/fd/2"}})
    fs::create_symlink(target, new_root(name));
}

void mount_scratch(std::uint64_t bytes) {
  const std::string options = "mode=1777,size=" + std::to_string(bytes);
  for (const char* place : {"/tmp", "/dev/shm"}) {
    fs::create_directories(new_root(place));
    must(::mount("hone", new_root(place).c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) ==
             0,
         "mounting a scratch folder");
  }
}

// A folder of the host may lie under /tmp, which the new root covers: it is opened before that, and
// bound by its handle.
struct HeldFolder {
  std::string path;
  int handle = -1;
};

HeldFolder hold(const std::string& path) {
  return {path, path.empty() ? -1 : ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
}

bool bind_held(const HeldFolder& folder, const std::string& place, unsigned long flags) {
  return ::mount(("/proc/self/fd/" + std::to_string(folder.handle)).c_str(),
                 new_root(place).c_str(), nullptr, flags, nullptr) == 0;
}

void enter_new_root() {
  must(::chdir(new_root("").c_str()) == 0, "entering the new root");
  must(::syscall(SYS_pivot_root, ".", ".") == 0, "changing the root");
  must(::umount2(".", MNT_DETACH) == 0, "leaving the old root");
  must(::chdir("/tmp") == 0, "entering /tmp");
  make_read_only("/", 0);
}

}  // namespace

void build_root(const SandboxSpec& spec) {
  must(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "making mounts private");
  std::vector<HeldFolder> readable;
  for (const auto& path : spec.readable)
    if (HeldFolder folder = hold(path); folder.handle >= 0) readable.push_back(std::move(folder));
  const HeldFolder shared = hold(spec.shared_folder);
  must(::mount("hone", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, root_options) == 0,
       "mounting a root in memory");
  fs::create_directories(new_root("/"));
  must(::mount("hone", new_root("").c_str(), "tmpfs", MS_NOSUID, root_options) == 0,
       "mounting a root in memory");
  for (const char* folder : system_folders) bind_folder(folder, folder == std::string_view("/usr"));
  make_devices(spec.gpu);
  fs::create_directories(new_root("/proc"));
  must(::mount("proc", new_root("/proc").c_str(), "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV,
               nullptr) == 0,
       "mounting /proc");
  mount_scratch(spec.scratch_bytes);
  if (shared.handle >= 0) must(bind_held(shared, "/tmp", MS_BIND), "binding the shared folder");
  fs::create_directories(new_root("/tmp/pocl"));
  for (const auto& folder : readable) {
    fs::create_directories(new_root(folder.path));
    if (bind_held(folder, folder.path, MS_BIND | MS_REC)) make_read_only(new_root(folder.path));
    ::close(folder.handle);
  }
  enter_new_root();
}

}  // namespace hone::runner
