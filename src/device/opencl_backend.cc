// OpenCL in the table of backends, and the list of its devices.
#include <fmt/format.h>

#include "base/hash.h"
#include "device/backend.h"
#include "device/host_state.h"
#include "device/host_workbench.h"
#include "device/opencl_build.h"
#include "device/opencl_device.h"
#include "device/opencl_library.h"

namespace hone::device {
namespace {

constexpr const char* fix_text =
    "apt install pocl-opencl-icd ocl-icd-libopencl1 (runs OpenCL on the CPU), or your GPU vendor's OpenCL driver";

core::DeviceInfo describe(const OpenClPlace& place, std::size_t index, std::size_t twins) {
  core::DeviceInfo info;
  info.id = fmt::format("opencl:{}", index);
  info.language = core::Language::opencl;
  info.is_cpu = (device_value<cl_device_type>(place.device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  info.name = device_text(place.device, CL_DEVICE_NAME);
  info.driver = device_text(place.device, CL_DRIVER_VERSION);
  info.compiler = opencl_compiler(info.id);
  // OpenCL 1.2 has no UUIDs: what it does tell, and a number where several devices tell the same.
  base::Hasher hasher;
  for (const auto what : {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION})
    hasher.add(platform_text(place.platform, what));
  for (const auto what : {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION})
    hasher.add(device_text(place.device, what));
  hasher.add(std::to_string(twins));
  info.uuid = "opencl-" + hasher.hex().substr(0, 32);
  info.sm_count = device_value<cl_uint>(place.device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.warp_size = std::max<cl_uint>(1, device_value<cl_uint>(place.device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT));
  info.shared_per_block = static_cast<std::int64_t>(device_value<cl_ulong>(place.device, CL_DEVICE_LOCAL_MEM_SIZE));
  info.l2_bytes = info.is_cpu ? last_level_cache_bytes() : 0;
  if (info.l2_bytes == 0)
    info.l2_bytes = static_cast<std::int64_t>(device_value<cl_ulong>(place.device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
  info.max_threads = static_cast<std::int64_t>(device_value<std::size_t>(place.device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  info.memory_bytes = static_cast<std::int64_t>(device_value<cl_ulong>(place.device, CL_DEVICE_GLOBAL_MEM_SIZE));
  return info;
}

BackendReport discover_opencl() {
  BackendReport report{.language = core::Language::opencl};
  const auto places = opencl_devices();
  for (std::size_t index = 0; index < places.size(); ++index) {
    std::size_t twins = 0;
    for (const auto& before : report.devices)
      twins += before.name == device_text(places[index].device, CL_DEVICE_NAME) ? 1 : 0;
    report.devices.push_back(describe(places[index], index, twins));
  }
  report.available = !places.empty();
  if (report.available) return report;
  report.why = opencl().why.empty() ? "the OpenCL loader is here, but no driver with a device" : opencl().why;
  report.fix = fix_text;
  return report;
}

std::unique_ptr<Workbench> workbench(const core::DeviceInfo&) { return open_host_workbench(); }

DeviceState state(const core::DeviceInfo& info, const std::vector<int>& own_pids) {
  if (info.is_cpu) return read_host_state(own_pids);
  return {.missing = "OpenCL does not tell the clock, temperature or users of this device"};
}

}  // namespace

const Backend opencl_backend = {core::Language::opencl, discover_opencl, open_opencl, build_opencl,
                                opencl_compiler,        workbench,       state};

}  // namespace hone::device
