// Clocks, heat, power and other users of a CUDA device, by NVML. The library and the handle are
// kept, so that later readings take microseconds.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "device/cuda_backend.h"

namespace hone::device::cuda {
namespace {

constexpr unsigned most_processes = 256;
constexpr unsigned long long bytes_unknown = ~0ull;

struct Reason {
  unsigned long long bit;
  const char* words;
};
// Idleness (bit 0) is no throttling: the clock rises with the next kernel.
constexpr Reason reasons_known[] = {
    {0x02, "application clocks"},
    {0x04, "the power limit"},
    {0x08, "a hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "heat (software)"},
    {0x40, "heat (hardware)"},
    {0x80, "the power brake (hardware)"},
    {0x100, "the display's clocks"},
};

std::string process_name(unsigned pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  return std::getline(file, name) ? name : "";
}

std::string describe(const NvmlProcess& process) {
  const std::string name = process_name(process.pid);
  std::string text =
      fmt::format("pid {} {}", process.pid, name.empty() ? "(not visible from here)" : name);
  if (process.bytes != bytes_unknown)
    text += fmt::format(" ({:.1f} GiB)", static_cast<double>(process.bytes) / (1 << 30));
  return text;
}

std::vector<std::string> other_users(NvmlDevice device, const std::vector<int>& own_pids) {
  NvmlProcess processes[most_processes];
  unsigned count = most_processes;
  const int result = nvml().processes(device, &count, processes);
  if (result == nvml_error_insufficient_size)
    return {fmt::format("more than {} processes", most_processes)};
  if (result != 0) return {};
  const auto is_own = [&](unsigned pid) {
    return std::find(own_pids.begin(), own_pids.end(), static_cast<int>(pid)) != own_pids.end();
  };
  std::vector<std::string> others;
  bool seen_own = false;
  for (unsigned i = 0; i < count; ++i) {
    seen_own = seen_own || is_own(processes[i].pid);
    if (!is_own(processes[i].pid)) others.push_back(describe(processes[i]));
  }
  // In a pid namespace NVML may tell the pids of the outer one, or none. As many processes as we
  // have ourselves are then ours.
  if (!seen_own && others.size() <= own_pids.size()) return {};
  if (!seen_own && !own_pids.empty())
    return {fmt::format(
        "{} processes, whose pids are not told in this container; at most {} of them are Hone's",
        others.size(), own_pids.size())};
  return others;
}

}  // namespace

std::string throttle_words(unsigned long long reasons) {
  std::string text;
  for (const auto& reason : reasons_known)
    if ((reasons & reason.bit) != 0) text += (text.empty() ? "" : ", ") + std::string(reason.words);
  return text;
}

DeviceState read_cuda_state(const core::DeviceInfo& info, const std::vector<int>& own_pids) {
  DeviceState state;
  const Nvml& api = nvml();
  if (!api.missing.empty()) {
    state.missing = api.missing;
    return state;
  }
  NvmlDevice device = nullptr;
  if (const int result = api.device_by_uuid(info.uuid.c_str(), &device); result != 0) {
    state.missing = fmt::format("NVML does not know {}: {}", info.uuid, api.error_string(result));
    return state;
  }
  unsigned value = 0;
  unsigned long long reasons = 0;
  if (api.clock(device, nvml_clock_sm, &value) == 0) state.sm_clock_mhz = value;
  if (api.clock(device, nvml_clock_memory, &value) == 0) state.memory_clock_mhz = value;
  if (api.temperature(device, nvml_temperature_gpu, &value) == 0) state.temperature_c = value;
  if (api.power(device, &value) == 0) state.power_w = value / 1000.0;
  if (api.throttle_reasons(device, &reasons) == 0) state.throttle = throttle_words(reasons);
  state.other_users = other_users(device, own_pids);
  return state;
}

}  // namespace hone::device::cuda
