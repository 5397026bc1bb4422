#include "runner/oracle_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../../resources/include/hone/reference_abi.h"
#include "base/error.h"
#include "base/files.h"
#include "runner/wire.h"

extern char** environ;

namespace hone::runner {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_text = 64u << 20;

// The exit code; -1: it could not be started.
int run_compiler(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> argv;
  for (const auto& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

struct Tensors {
  std::vector<std::string> names;  // that the tensors point to
  std::vector<hone_abi_tensor> tensors;
};

// Tensors as {name, dtype, elements, offset into the arena}.
void fill(const json& list, char* arena, Tensors& out) {
  out.names.reserve(2 * list.size());  // pointers into it must stay valid
  for (const auto& row : list) {
    out.names.push_back(row.at(0));
    out.names.push_back(row.at(1));
    out.tensors.push_back({out.names[out.names.size() - 2].c_str(), out.names.back().c_str(),
                           row.at(2), arena + row.at(3).get<std::uint64_t>()});
  }
}

}  // namespace

json compile_reference(const json& message, const std::vector<base::Fd>& fds,
                       std::vector<base::Fd>& reply) {
  const fs::path folder = fs::temp_directory_path() / "reference";
  fs::create_directories(folder / "include/hone");
  base::write_file_atomically(folder / "reference.cc", read_memory_file(fds.at(0), largest_text));
  base::write_file_atomically(folder / "include/hone/reference.h",
                              read_memory_file(fds.at(1), largest_text));
  base::write_file_atomically(folder / "include/hone/reference_abi.h",
                              read_memory_file(fds.at(2), largest_text));
  const std::string object = folder / "reference.so", log = folder / "log";
  int code = -1;
  for (const char* compiler : {"g++", "c++", "clang++"}) {
    code = run_compiler({compiler, "-O3", "-march=native", "-std=c++20", "-fopenmp", "-fPIC",
                         "-shared", "-I" + (folder / "include").string(),
                         "-DHONE_REAL=" + message.at("real").get<std::string>(), "-o", object,
                         (folder / "reference.cc").string()},
                        log);
    if (code >= 0 && code != 127) break;
  }
  if (code < 0 || code == 127)
    return {{"broken", "there is no C++ compiler for the task's reference (install g++)"}};
  std::error_code ec;
  reply.push_back(memory_file(code == 0 ? base::read_file(object) : "", "reference"));
  reply.push_back(memory_file(fs::exists(log, ec) ? base::read_file(log) : "", "log"));
  fs::remove_all(folder, ec);
  return {{"built", code == 0}};
}

json run_reference(const json& message, const std::vector<base::Fd>& fds) {
  static void* library = nullptr;
  if (fds.size() > 1)
    library =
        ::dlopen(("/proc/self/fd/" + std::to_string(fds[1].get())).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return {{"error", std::string("the reference cannot be loaded: ") + ::dlerror()}};
  auto* entry = reinterpret_cast<hone_reference_function*>(::dlsym(library, HONE_REFERENCE_SYMBOL));
  if (entry == nullptr) return {{"error", "reference.cc defines no HONE_REFERENCE(call) { ... }"}};
  const std::uint64_t bytes = message.at("bytes");
  void* arena = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fds.at(0).get(), 0);
  if (arena == MAP_FAILED)
    return {{"error", "the tensors cannot be mapped: " + base::errno_text()}};

  Tensors inputs, outputs;
  fill(message.at("inputs"), static_cast<char*>(arena), inputs);
  fill(message.at("outputs"), static_cast<char*>(arena), outputs);
  std::vector<std::string> names;
  names.reserve(message.at("sizes").size() + message.at("scalars").size());
  std::vector<hone_abi_size> sizes;
  for (const auto& [name, value] : message.at("sizes").items()) {
    names.push_back(name);
    sizes.push_back({names.back().c_str(), value});
  }
  std::vector<hone_abi_scalar> scalars;
  for (const auto& row : message.at("scalars")) {
    names.push_back(row.at(0));
    scalars.push_back({names.back().c_str(), row.at(1).get<bool>() ? 1 : 0, row.at(2), row.at(3)});
  }
  char error[1024] = "";
  const hone_abi_call call{hone_abi_version,
                           sizes.data(),
                           static_cast<std::int64_t>(sizes.size()),
                           scalars.data(),
                           static_cast<std::int64_t>(scalars.size()),
                           inputs.tensors.data(),
                           static_cast<std::int64_t>(inputs.tensors.size()),
                           outputs.tensors.data(),
                           static_cast<std::int64_t>(outputs.tensors.size()),
                           error,
                           sizeof error};
  entry(&call);
  ::munmap(arena, bytes);
  if (error[0] != '\0') return {{"error", std::string(error)}};
  return {{"ok", true}};
}

}  // namespace hone::runner
