#include "runner/oracle_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <filesystem>

#include "../../resources/include/hone/reference_abi.h"
#include "base/error.h"
#include "base/files.h"
#include "runner/wire.h"

extern char** environ;

namespace hone::runner {
namespace {

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

using Tensors = std::vector<hone_abi_tensor>;

void fill(const std::vector<PlacedTensor>& list, char* arena, Tensors& out) {
  for (const auto& one : list)
    out.push_back({one.name.c_str(), one.dtype.c_str(), one.elements, arena + one.offset});
}

}  // namespace

std::string compile_reference(const CompileReferenceOrder& order, const std::vector<base::Fd>& fds,
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
    code =
        run_compiler({compiler, "-O3", "-march=native", "-std=c++20", "-fopenmp", "-fPIC",
                      "-shared", "-I" + (folder / "include").string(), "-DHONE_REAL=" + order.real,
                      "-o", object, (folder / "reference.cc").string()},
                     log);
    if (code >= 0 && code != 127) break;
  }
  if (code < 0 || code == 127)
    return broken("there is no C++ compiler for the task's reference (install g++)");
  std::error_code ec;
  reply.push_back(memory_file(code == 0 ? base::read_file(object) : "", "reference"));
  reply.push_back(memory_file(fs::exists(log, ec) ? base::read_file(log) : "", "log"));
  fs::remove_all(folder, ec);
  return fmt::format(R"({{"built":{}}})", code == 0);
}

std::string run_reference(const ReferenceOrder& order, const std::vector<base::Fd>& fds) {
  static void* library = nullptr;
  if (fds.size() > 1)
    library =
        ::dlopen(("/proc/self/fd/" + std::to_string(fds[1].get())).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return error_answer(std::string("the reference cannot be loaded: ") + ::dlerror());
  auto* entry = reinterpret_cast<hone_reference_function*>(::dlsym(library, HONE_REFERENCE_SYMBOL));
  if (entry == nullptr) return error_answer("reference.cc defines no HONE_REFERENCE(call) { ... }");
  const std::uint64_t bytes = order.bytes;
  void* arena = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fds.at(0).get(), 0);
  if (arena == MAP_FAILED)
    return error_answer("the tensors cannot be mapped: " + base::errno_text());

  Tensors inputs, outputs;
  fill(order.inputs, static_cast<char*>(arena), inputs);
  fill(order.outputs, static_cast<char*>(arena), outputs);
  std::vector<hone_abi_size> sizes;
  for (const auto& [name, value] : order.sizes) sizes.push_back({name.c_str(), value});
  std::vector<hone_abi_scalar> scalars;
  for (const auto& one : order.scalars)
    scalars.push_back({one.name.c_str(), one.is_integer ? 1 : 0, one.integer, one.number});
  char error[1024] = "";
  const hone_abi_call call{hone_abi_version,
                           sizes.data(),
                           static_cast<std::int64_t>(sizes.size()),
                           scalars.data(),
                           static_cast<std::int64_t>(scalars.size()),
                           inputs.data(),
                           static_cast<std::int64_t>(inputs.size()),
                           outputs.data(),
                           static_cast<std::int64_t>(outputs.size()),
                           error,
                           sizeof error};
  entry(&call);
  ::munmap(arena, bytes);
  if (error[0] != '\0') return error_answer(error);
  return ok_answer;
}

}  // namespace hone::runner
