#include "runner/sandbox_spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "runner/loader_folders.h"
#include "runner/sandbox_child.h"
#include "runner/worker.h"

namespace hone::runner {
namespace {

using base::ExitCode;
using base::Fd;

constexpr int user_nobody = 65534;  // the user and the group of that name

// Only what programs need to run; nothing that names the user, keys, or this program's own
// settings.
std::vector<std::string> clean_environment(const SandboxSpec& spec) {
  std::vector<std::string> env = {
      "HOME=/tmp",
      "TMPDIR=/tmp",
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "LANG=C.UTF-8",
      "POCL_CACHE_DIR=/tmp/pocl",
      "XDG_CACHE_HOME=/tmp"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "OCL_ICD_VENDORS",
                           "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES", "CUDA_VISIBLE_DEVICES",
                           "ASAN_OPTIONS", "POCL_MAX_PTHREAD_COUNT", "HONE_HOME"})
    if (const char* value = ::getenv(name)) env.push_back(std::string(name) + "=" + value);
  if (spec.gpu) env.push_back("CUDA_MODULE_LOADING=LAZY");
  for (const auto& pair : spec.environment) {
    const std::string name = pair.substr(0, pair.find('=') + 1);
    std::erase_if(env, [&](const std::string& known) { return known.starts_with(name); });
    env.push_back(pair);
  }
  return env;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void write_proc(pid_t pid, const char* name, const std::string& text) {
  const Fd fd(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || ::write(fd.get(), text.data(), text.size()) < 0)
    base::fail(ExitCode::environment, "/proc/{}/{} cannot be written: {}", pid, name,
               base::errno_text());
}

void describe_spec(base::Fields& f, SandboxSpec& spec) {
  bool full = spec.isolation == Isolation::full;
  f("full", full);
  spec.isolation = full ? Isolation::full : Isolation::limits;
  f("gpu", spec.gpu)("scratch", spec.scratch_bytes)("memory", spec.memory_bytes);
  f("file", spec.file_bytes)("processes", spec.processes)("readable", spec.readable);
  f("network", spec.network)("shared_folder", spec.shared_folder)("keep_rights", spec.keep_rights);
  f("keeps_children", spec.is_fork_server);
}

}  // namespace

// Folders that the environment names for loaders are part of every sandbox.
std::string spec_message(const SandboxSpec& spec) {
  SandboxSpec sent = spec;
  sent.readable = loader_folders();
  sent.readable.insert(sent.readable.end(), spec.readable.begin(), spec.readable.end());
  return base::json_line([&](base::Fields& f) { describe_spec(f, sent); });
}

SandboxSpec spec_from(const std::string& message) {
  SandboxSpec spec;
  base::read_json(message, [&](base::Fields& f) { describe_spec(f, spec); });
  return spec;
}

pid_t spawn_worker(const SandboxSpec& spec, const Sandboxed::ChildEnds& ends) {
  std::vector<std::string> arguments = spec.wrapper;
  arguments.insert(arguments.end(), {std::filesystem::read_symlink("/proc/self/exe").string(),
                                     std::string(worker_role)});
  auto environment = clean_environment(spec);
  const auto argv = pointers_to(arguments), envp = pointers_to(environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Standard input is empty, both outputs go into the log, and the two channels get the numbers
  // that sandbox_child.h names.
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends.log.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, ends.log.get(), 2);
  posix_spawn_file_actions_adddup2(&actions, ends.socket.get(), control_socket);
  posix_spawn_file_actions_adddup2(&actions, ends.status.get(), status_pipe);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
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
  if (error != 0)
    base::fail(ExitCode::environment, "{} cannot be started: {}", arguments[0],
               std::strerror(error));
  return pid;
}

// Root maps the sandbox to the user nobody, so that limits on processes hold and root's files stay
// out of reach; other users can map only themselves.
void map_user(pid_t pid) {
  const bool root = ::geteuid() == 0;
  write_proc(pid, "setgroups", "deny");
  write_proc(pid, "uid_map",
             fmt::format("0 {} 1", root ? user_nobody : static_cast<int>(::geteuid())));
  write_proc(pid, "gid_map",
             fmt::format("0 {} 1", root ? user_nobody : static_cast<int>(::getegid())));
}

}  // namespace hone::runner
