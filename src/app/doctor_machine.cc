// Everything that judging needs besides a device: sandbox, C++ compiler, profilers, disk, archive.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/doctor_checks.h"
#include "base/error.h"
#include "base/files.h"
#include "base/words.h"
#include "device/tools.h"
#include "runner/oracle.h"
#include "runner/sandbox.h"
#include "store/archive.h"
#include "text/format.h"

namespace hone::app {
using namespace text;
namespace {

using State = Check::State;
namespace fs = std::filesystem;

// Builds, archive and samples of a day's tuning fit in the first; below the second nothing can be
// kept.
constexpr double comfortable_bytes = 1ull << 30, least_bytes = 32u << 20;

// The smallest reference there is: its answer is known.
core::Task tiny_task() {
  core::Task task;
  task.name = "doctor";
  task.reference_cc =
      "#include <hone/reference.h>\nHONE_REFERENCE(call) { call.output(\"y\")[0] = 2 * "
      "call.input(\"x\")[0]; }\n";
  return task;
}

// Whether the driver lets Hone read performance counters.
void check_counters(DoctorResult& result) {
  std::ifstream params("/proc/driver/nvidia/params");
  bool known = false, admin_only = false;
  for (std::string line; std::getline(params, line);)
    if (line.starts_with("RmProfilingAdminOnly:")) {
      known = true;
      admin_only = line.find('1') != std::string::npos;
    }
  const bool root = ::geteuid() == 0;
  if (!known)
    add_check(result, "Profilers", "counters", State::degraded,
              "the driver does not say whether they may be read (/proc/driver/nvidia/params)",
              "try ncu on any program");
  else if (!admin_only)
    add_check(result, "Profilers", "counters", State::ok,
              "every user may read them (RmProfilingAdminOnly: 0)");
  else if (root)
    add_check(result, "Profilers", "counters", State::ok,
              "only root may read them (RmProfilingAdminOnly: 1), and Hone runs as root");
  else
    add_check(result, "Profilers", "counters", State::degraded,
              "only root may read them (RmProfilingAdminOnly: 1)",
              "run as root, or set 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in "
              "/etc/modprobe.d and load the driver again");
}

}  // namespace

void check_sandbox(DoctorResult& result, bool unsafe) {
  const std::string& problem = runner::isolation_problem();
  if (problem.empty()) {
    add_check(result, "Sandbox", "isolation", State::ok,
              "candidates and references run with their own user, pid, network and mount name "
              "spaces, a system call filter (seccomp) and limits");
    return;
  }
  std::string text = printable(problem);
  std::error_code ec;
  if (!fs::exists("/proc/sys/kernel/seccomp", ec)) text += "; the kernel has no seccomp";
  add_check(result, "Sandbox", "isolation", unsafe ? State::degraded : State::missing, text,
            "until then candidates in Python and on a CPU are refused, unless --unsafe is given; "
            "device code on a GPU is judged all the same, with limits only");
}

void check_references(DoctorResult& result) {
  std::string where;
  for (const char* name : {"g++", "c++", "clang++"})
    if (where.empty()) where = device::find_tool(name);
  try {
    const core::Task task = tiny_task();
    runner::Oracle oracle(task);
    const double x = 21;
    double y = 0;
    oracle.call(
        {}, core::DType::f64, {{"x", core::DType::f64, 1}}, {{"y", core::DType::f64, 1}},
        [&](std::size_t, void* to) { *static_cast<double*>(to) = x; },
        [&](std::size_t, const void* from) { y = *static_cast<const double*>(from); });
    if (y != 2 * x)
      base::fail(base::ExitCode::environment, "a reference that doubles made {} of {}", y, x);
    result.references = true;
    add_check(result, "References", "C++ compiler", State::ok,
              fmt::format("{}: a small reference was compiled and gave the right answer",
                          where.empty() ? "found" : where));
  } catch (const base::Error& error) {
    add_check(result, "References", "C++ compiler", State::missing, printable_lines(error.what()),
              "apt install g++ (tasks' references are C++20 with OpenMP)");
  }
}

void check_profilers(DoctorResult& result) {
  const bool cuda = std::any_of(
      result.devices.begin(), result.devices.end(),
      [](const CheckedDevice& device) { return device.info.language == core::Language::cuda; });
  struct Tool {
    const char *name, *use;
  };
  for (const Tool& tool :
       {Tool{"compute-sanitizer", "finds accesses out of bounds and races when certifying"},
        Tool{"cuda-gdb", "says where a kernel hung or failed"},
        Tool{"ncu", "reads performance counters"}, Tool{"nvdisasm", "shows the machine code"},
        Tool{"cuobjdump", "shows what a build contains"}}) {
    const std::string path = device::find_tool(tool.name);
    if (!path.empty())
      add_check(result, "Profilers", tool.name, State::ok, path);
    else if (!cuda)
      add_check(result, "Profilers", tool.name, State::unneeded,
                fmt::format("not here; it {}, on CUDA devices only", tool.use));
    else
      add_check(result, "Profilers", tool.name, State::degraded,
                fmt::format("not here; it {}", tool.use),
                "it comes with the CUDA toolkit: install that, or set CUDA_HOME to where it is");
  }
  if (cuda) check_counters(result);
}

void check_storage(DoctorResult& result) {
  const fs::path home = base::home_folder();
  try {
    base::make_folder(home);
    const fs::path trial = home / fmt::format(".doctor.{}", ::getpid());
    base::write_file_atomically(trial, "writable\n");
    std::error_code ec;
    fs::remove(trial, ec);
    struct statvfs disk {};
    const double free = ::statvfs(home.c_str(), &disk) == 0 ? static_cast<double>(disk.f_bavail) *
                                                                  static_cast<double>(disk.f_frsize)
                                                            : 0;
    const std::string text =
        fmt::format("{} can be written; {} are free", home.string(), format_bytes(free));
    if (free < least_bytes)
      add_check(result, "Storage", "home folder", State::missing, text,
                "free some space, or set HONE_HOME to a folder on another disk");
    else if (free < comfortable_bytes)
      add_check(result, "Storage", "home folder", State::degraded, text,
                "free some space, or set HONE_HOME to a folder on another disk");
    else
      add_check(result, "Storage", "home folder", State::ok, text);
  } catch (const base::Error& error) {
    add_check(result, "Storage", "home folder", State::missing, printable(error.what()),
              "set HONE_HOME to a folder that can be written");
  }
  try {
    store::Archive archive = store::Archive::open();
    const auto counts = archive.counts();
    add_check(result, "Storage", "archive", State::ok,
              fmt::format("{}, version {}: {} of {}", archive.path().string(), archive.version(),
                          base::counted(counts.evaluations, "evaluation"),
                          base::counted(counts.candidates, "candidate")));
  } catch (const base::Error& error) {
    add_check(result, "Storage", "archive", State::missing, printable_lines(error.what()),
              "set HONE_HOME to another folder to begin a new archive");
  }
}

}  // namespace hone::app
