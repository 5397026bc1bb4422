#include "runner/python.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/command.h"
#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "device/tools.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_script = 1u << 20;
constexpr std::chrono::seconds asking_time{30};
constexpr int no_torch = 3;
// Says where its libraries lie, and fails where torch is not among them. Finding is quick; importing takes seconds.
constexpr const char* question =
    "import importlib.util, json, sys\n"
    "if importlib.util.find_spec('torch') is None: sys.exit(3)\n"
    "print(json.dumps([sys.prefix, sys.base_prefix] + [path for path in sys.path if path]))\n";

bool in_the_system(const std::string& folder) {
  for (const char* system : {"/usr", "/bin", "/lib", "/lib64", "/opt", "/etc"})
    if (folder == system || folder.starts_with(std::string(system) + "/")) return true;
  return false;
}

// Empty text in `why`: it can be used.
Python asked(const std::string& program, std::string& why) {
  const std::atomic<bool> never = false;
  const auto said = base::run_command({.line = "exec \"$HONE_ASKED\" -I -",
                                       .input = question,
                                       .environment = {{"HONE_ASKED", program}},
                                       .limit = asking_time,
                                       .most_output = largest_script},
                                      never);
  const bool exited = said.why == base::CommandEnd::Why::exited;
  why = exited && said.code == 0          ? ""
        : exited && said.code == no_torch ? fmt::format("{} has no torch", program)
                                          : fmt::format("{} does not start: {}", program, said.error_tail);
  Python python{program, {}};
  const auto paths = json::parse(said.output, nullptr, false);
  if (why.empty() && !paths.is_array()) why = fmt::format("{} gave no usable answer", program);
  if (!why.empty()) return python;
  std::error_code ec;
  for (const std::string folder : paths)
    if (!in_the_system(folder) && fs::is_directory(folder, ec)) python.readable.push_back(folder);
  if (const auto real = fs::canonical(program, ec); !ec && !in_the_system(real.string()))
    python.readable.push_back(real.parent_path().string());
  return python;
}

}  // namespace

Python find_python(const std::string& given) {
  const char* variable = std::getenv("HONE_PYTHON");
  std::vector<std::string> programs;
  if (!given.empty() || (variable != nullptr && *variable != '\0')) {
    programs.push_back(given.empty() ? variable : given);
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
             "this task needs a Python with torch, and none was found: {}. Name one with --python or $HONE_PYTHON, or "
             "install one (`apt install python3-torch`, or torch from PyPI)",
             reasons);
}

Sandboxed start_python(const Python& python, const std::string& script, SandboxSpec spec) {
  spec.readable.insert(spec.readable.end(), python.readable.begin(), python.readable.end());
  Sandboxed process = start_sandboxed(spec);
  const base::Fd file = memory_file(base::resource(script), "script");
  send_packet(process.socket(), json{{"op", "python"}, {"program", python.program}}.dump(), {file.get()});
  return process;
}

json become_python(const json& message, const std::vector<base::Fd>& fds) {
  const std::string program = message.at("program"), script = "/tmp/hone.py";
  base::write_file_atomically(script, read_memory_file(fds.at(0), largest_script));
  constexpr int control = 3;
  ::fcntl(control, F_SETFD, 0);
  // Nothing of the user's environment: what a script finds there would differ from machine to machine.
  std::string path = "PATH=/usr/local/bin:/usr/bin:/bin", home = "HOME=/tmp", encoding = "PYTHONIOENCODING=utf-8";
  std::string isolated = "-I", unwritten = "-B", words[] = {program, script};
  char* const argv[] = {words[0].data(), isolated.data(), unwritten.data(), words[1].data(), nullptr};
  char* const environment[] = {path.data(), home.data(), encoding.data(), nullptr};
  ::execve(program.c_str(), argv, environment);
  return {{"broken", fmt::format("{} cannot be started in the sandbox: {}", program, base::errno_text())}};
}

}  // namespace hone::runner
