#include "device/host_state.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

namespace hone::device {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double busy_share =
    0.2;  // of one core: less does not move a measurement that is interleaved
constexpr double shortest_window = 0.1;  // seconds; the kernel counts processor time in hundredths
constexpr std::size_t most_named = 5;

struct Process {
  int parent = 0;
  double seconds = 0;  // of processor time
  std::string name;
};

std::optional<double> number_in(const fs::path& file) {
  std::ifstream in(file);
  double value;
  return in >> value ? std::optional(value) : std::nullopt;
}

// "4711 (a name) S 1 ...": the name may hold anything, so fields are counted from the last
// parenthesis.
std::optional<Process> read_process(const fs::path& folder) {
  std::ifstream in(folder / "stat");
  std::string text;
  std::getline(in, text, '\0');
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  Process process{.name = text.substr(open + 1, close - open - 1)};
  std::istringstream fields(text.substr(close + 1));
  std::string state, skipped;
  fields >> state >> process.parent;
  for (int field = 5; field < 14; ++field)
    fields >> skipped;  // utime and stime are fields 14 and 15
  double user = 0, system = 0;
  if (!(fields >> user >> system)) return std::nullopt;
  process.seconds = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return process;
}

std::map<int, Process> read_processes() {
  std::map<int, Process> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (auto process = read_process(entry.path()))
      all.emplace(std::stoi(name), std::move(*process));
  }
  return all;
}

bool is_own(int pid, const std::map<int, Process>& all, const std::set<int>& own) {
  for (int depth = 0; pid > 0 && depth < 64; ++depth) {  // up the chain of parents
    if (own.contains(pid)) return true;
    const auto process = all.find(pid);
    if (process == all.end()) return false;
    pid = process->second.parent;
  }
  return false;
}

std::vector<std::string> other_users(const std::vector<int>& own_pids) {
  static std::mutex guard;
  static std::map<int, Process> before;
  static Clock::time_point when;
  static std::vector<std::string> answer;
  const std::lock_guard lock(guard);
  const auto now = Clock::now();
  const double window = std::chrono::duration<double>(now - when).count();
  if (!before.empty() && window < shortest_window) return answer;
  auto all = read_processes();
  std::set<int> own(own_pids.begin(), own_pids.end());
  own.insert(::getpid());
  std::vector<std::pair<double, std::string>> busy;
  for (const auto& [pid, process] : all) {
    const auto known = before.find(pid);
    if (known == before.end()) continue;
    const double share = (process.seconds - known->second.seconds) / window;
    if (share > busy_share && !is_own(pid, all, own))
      busy.emplace_back(
          share, fmt::format("pid {} {} ({:.0f} % of a core)", pid, process.name, 100 * share));
  }
  std::sort(busy.rbegin(), busy.rend());
  answer.clear();
  for (std::size_t index = 0; index < std::min(busy.size(), most_named); ++index)
    answer.push_back(busy[index].second);
  before = std::move(all);
  when = now;
  return answer;
}

std::optional<double> clock_mhz() {
  double sum = 0;
  int cores = 0;
  for (;; ++cores) {
    const auto kilohertz =
        number_in(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", cores));
    if (!kilohertz) break;
    sum += *kilohertz / 1000;
  }
  if (cores == 0) {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("cpu MHz"))
        if (const std::size_t colon = line.find(':'); colon != std::string::npos)
          sum += std::strtod(line.c_str() + colon + 1, nullptr), ++cores;
  }
  return cores > 0 ? std::optional(sum / cores) : std::nullopt;
}

std::optional<double> temperature() {
  std::optional<double> highest;
  for (int zone = 0;; ++zone) {
    const auto milli = number_in(fmt::format("/sys/class/thermal/thermal_zone{}/temp", zone));
    if (!milli) return highest;
    highest = std::max(highest.value_or(*milli / 1000), *milli / 1000);
  }
}

}  // namespace

DeviceState read_host_state(const std::vector<int>& own_pids) {
  DeviceState state{.sm_clock_mhz = clock_mhz(),
                    .temperature_c = temperature(),
                    .other_users = other_users(own_pids)};
  if (!state.sm_clock_mhz && !state.temperature_c)
    state.missing = "this system shows neither the processors' clock nor their temperature";
  return state;
}

std::int64_t last_level_cache_bytes() {
  std::int64_t level = 0, bytes = 0;
  for (int index = 0;; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const auto here = number_in(folder + "level"),
               kibibytes = number_in(folder + "size");  // "32768K"
    if (!here || !kibibytes) break;
    if (*here > static_cast<double>(level))
      level = static_cast<std::int64_t>(*here),
      bytes = static_cast<std::int64_t>(*kibibytes) * 1024;
  }
  if (bytes > 0) return bytes;
  for (int name : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long size = ::sysconf(name); size > 0) return size;
  return 0;
}

}  // namespace hone::device
