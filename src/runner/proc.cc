#include "runner/proc.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "runner/seconds_since.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;

// The kernel lists children by the thread that made them.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code ec;
  for (const auto& thread : fs::directory_iterator(threads_folder(pid), ec)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

constexpr char no_state = '?';

// The letter in a thread's "stat", as proc(5) lists them. It stands behind the thread's name, which
// the thread chooses: a name may contain parentheses and line ends, and what follows it does not.
char state_of(const fs::path& stat) {
  std::ifstream file(stat);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() ? no_state : text[end + 2];
}

}  // namespace

fs::path threads_folder(pid_t pid) { return fmt::format("/proc/{}/task", pid); }

int thread_count(pid_t pid) {
  std::error_code ec;
  int count = 0;
  for ([[maybe_unused]] const auto& thread : fs::directory_iterator(threads_folder(pid), ec))
    ++count;
  return count;
}

std::vector<pid_t> descendants_of(pid_t pid) {
  std::vector<pid_t> found;
  std::vector<pid_t> open = {pid};
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    for (const pid_t child : children_of(parent)) {
      found.push_back(child);
      open.push_back(child);
    }
  }
  return found;
}

std::uint64_t private_resident_bytes(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  std::uint64_t total = 0, resident = 0, shared = 0;
  if (!(file >> total >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool is_stopped(const fs::path& thread) {
  const char state = state_of(thread / "stat");
  return state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == no_state;
}

bool has_ended(const fs::path& thread) {
  const char state = state_of(thread / "stat");
  return state == 'Z' || state == 'X' || state == no_state;
}

bool wait_until_off_processor(const fs::path& thread, double seconds) {
  const auto start = Clock::now();
  for (std::string waits_for; seconds_since(start) < seconds; ::sched_yield()) {
    std::ifstream file(thread / "syscall");
    if (!(file >> waits_for)) return false;
    if (waits_for != "running") return true;
  }
  return false;
}

std::map<int, std::uint64_t> run_times_of(pid_t pid) {
  std::map<int, std::uint64_t> times;
  std::error_code ec;
  for (const auto& thread : fs::directory_iterator(threads_folder(pid), ec)) {
    std::ifstream file(thread.path() / "schedstat");
    if (std::uint64_t nanoseconds = 0; file >> nanoseconds)
      times[std::stoi(thread.path().filename())] = nanoseconds;
  }
  return times;
}

}  // namespace hone::runner
