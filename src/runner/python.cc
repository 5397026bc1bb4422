#include "runner/python.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/command.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/resources.h"
#include "device/tools.h"
#include "runner/fork_server.h"
#include "runner/sandbox_child.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_answer = 1u << 20, largest_scripts = 16u << 20;
const std::string scripts_prefix = "python/";
constexpr std::chrono::seconds asking_time{30};
constexpr int no_torch = 3;
// Prints where its libraries lie, and fails where torch is not among them. Torch is looked for and
// not imported, which would take seconds.
constexpr const char* question =
    "import importlib.metadata, importlib.util, json, sys\n"
    "if importlib.util.find_spec('torch') is None: sys.exit(3)\n"
    "try: version = importlib.metadata.version('torch')\n"
    "except importlib.metadata.PackageNotFoundError: version = '?'\n"
    "print(json.dumps({'version': 'Python %d.%d.%d, torch ' % sys.version_info[:3] + version,\n"
    "                  'paths': [sys.prefix, sys.base_prefix] + [path for path in sys.path if "
    "path]}))\n";

bool in_system_folders(const std::string& folder) {
  for (const char* system : {"/usr", "/bin", "/lib", "/lib64", "/opt", "/etc"})
    if (folder == system || folder.starts_with(std::string(system) + "/")) return true;
  return false;
}

struct AboutItself {
  std::string version = "?";
  std::vector<std::string> paths;
};

void describe(base::Fields& f, AboutItself& about) {
  f.optional("version", about.version);
  f("paths", about.paths);
}

// Asks the interpreter about itself. Empty text in `why`: it can be used.
Python asked(const std::string& program, std::string& why) {
  const std::atomic<bool> never = false;
  const auto said = base::run_command({.line = "exec \"$HONE_ASKED\" -I -",
                                       .input = question,
                                       .environment = {{"HONE_ASKED", program}},
                                       .limit = asking_time,
                                       .most_output = largest_answer},
                                      never);
  const bool exited = said.why == base::CommandEnd::Why::exited;
  why = exited && said.code == 0 ? ""
        : exited && said.code == no_torch
            ? fmt::format("{} has no torch", program)
            : fmt::format("{} does not start: {}", program, said.error_tail);
  Python python{program, {}, ""};
  const auto answer = base::from_json<AboutItself>(said.output);
  if (why.empty() && !answer) why = fmt::format("{} gave no usable answer", program);
  if (!why.empty()) return python;
  python.version = answer->version;
  std::error_code ec;
  for (const auto& folder : answer->paths)
    if (!in_system_folders(folder) && fs::is_directory(folder, ec))
      python.readable.push_back(folder);
  if (const auto real = fs::canonical(program, ec); !ec && !in_system_folders(real.string()))
    python.readable.push_back(real.parent_path().string());
  return python;
}

// Nothing of the user's environment, which differs from machine to machine, except the places of
// CUDA. Caches lie in the sandbox's own folder, and compilers are told not to start processes that
// outlive them.
std::vector<std::string> python_environment(const std::string& program) {
  const char* cuda = std::getenv("CUDA_HOME");
  if (cuda == nullptr) cuda = std::getenv("CUDA_PATH");
  const std::string toolkit = cuda != nullptr ? cuda : "/usr/local/cuda";
  std::vector<std::string> variables = {
      fmt::format("PATH={}:{}/bin:/usr/local/bin:/usr/bin:/bin",
                  fs::path(program).parent_path().string(), toolkit),
      "HOME=/tmp", "TMPDIR=/tmp", "XDG_CACHE_HOME=/tmp", "LANG=C.UTF-8", "PYTHONIOENCODING=utf-8",
      "TRITON_CACHE_DIR=/tmp/triton", "TORCH_EXTENSIONS_DIR=/tmp/torch_extensions",
      "TORCHINDUCTOR_CACHE_DIR=/tmp/inductor", "TORCHINDUCTOR_COMPILE_THREADS=1",
      // Threads that wait by spinning take the processor from those they wait for, when a worker
      // that was stopped goes on: a call of 0.2 ms then took up to 28 ms on two cores.
      "OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=0", "KMP_BLOCKTIME=0",
      "PYTORCH_NVML_BASED_CUDA_CHECK=1", "CUDA_CACHE_PATH=/tmp/cuda", "CUDA_MODULE_LOADING=LAZY"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  return variables;
}

}  // namespace

Python find_python(const std::string& given) {
  const char* variable = std::getenv("HONE_PYTHON");
  std::vector<std::string> programs;
  if (!given.empty() || (variable != nullptr && *variable != '\0')) {
    const std::string named = given.empty() ? variable : given;
    const bool is_path = named.find('/') != std::string::npos;
    const std::string found = is_path ? named : device::find_tool(named);
    programs.push_back(found.empty() ? named : found);
  } else {
    if (const char* home = std::getenv("VIRTUAL_ENV"); home != nullptr)
      programs.push_back(home + std::string("/bin/python"));
    if (const auto found = device::find_tool("python3"); !found.empty()) programs.push_back(found);
    programs.emplace_back("/usr/bin/python3");
  }
  std::string reasons;
  for (const auto& program : programs) {
    std::string why;
    auto python = asked(program, why);
    if (why.empty()) return python;
    reasons += (reasons.empty() ? "" : "; ") + why;
  }
  base::fail(base::ExitCode::environment,
             "this task needs a Python with torch, and none was found: {}. Name one with --python "
             "or $HONE_PYTHON, or install one (`apt install python3-torch`, or torch from PyPI)",
             reasons);
}

Sandboxed start_python(const Python& python, const std::string& script, SandboxSpec spec,
                       const std::vector<std::string>& arguments) {
  auto forked = start_forked(python, script, spec, arguments);
  return forked ? *std::move(forked)
                : start_python_alone(python, script, std::move(spec), arguments);
}

Sandboxed start_python_alone(const Python& python, const std::string& script, SandboxSpec spec,
                             const std::vector<std::string>& arguments) {
  spec.readable.insert(spec.readable.end(), python.readable.begin(), python.readable.end());
  if (spec.gpu_hidden) spec.gpu = false;
  Sandboxed process = start_sandboxed(spec);
  std::map<std::string, std::string> scripts;
  for (const auto& name : base::resource_names(scripts_prefix))
    scripts[name.substr(scripts_prefix.size())] = base::resource(name);
  const base::Fd file = memory_file(base::json_line(scripts), "scripts");
  send_packet(process.socket(), to_text(PythonOrder{python.program, script, arguments}),
              {file.get()});
  return process;
}

std::string become_python(const PythonOrder& order, const std::vector<base::Fd>& fds) {
  const std::string& program = order.program;
  const fs::path folder = "/tmp/hone";
  base::make_folder(folder);
  std::map<std::string, std::string> scripts;
  base::read_json(read_memory_file(fds.at(0), largest_scripts), base::description_of(scripts));
  for (const auto& [name, text] : scripts) base::write_file_atomically(folder / name, text);
  ::fcntl(control_socket, F_SETFD, 0);
  std::vector<std::string> arguments = {program, "-I", "-B", folder / order.script};
  arguments.insert(arguments.end(), order.words.begin(), order.words.end());
  auto environment = python_environment(program);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
  };
  ::execve(program.c_str(), pointers(arguments).data(), pointers(environment).data());
  return broken(
      fmt::format("{} cannot be started in the sandbox: {}", program, base::errno_text()));
}

}  // namespace hone::runner
