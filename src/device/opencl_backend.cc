// OpenCL in the table of backends, and the list of its devices.
#include <fmt/format.h>

#include "device/backend.h"
#include "device/host_state.h"
#include "device/host_tensor_ops.h"
#include "device/opencl_build.h"
#include "device/opencl_device.h"
#include "device/opencl_library.h"

namespace hone::device {
namespace {

constexpr const char* fix_text =
    "apt install pocl-opencl-icd ocl-icd-libopencl1 (runs OpenCL on the CPU), or your GPU vendor's "
    "OpenCL driver";

core::DeviceInfo describe(const std::vector<OpenClPlace>& places, std::size_t index) {
  const OpenClPlace& place = places[index];
  core::DeviceInfo info;
  info.id = fmt::format("opencl:{}", index);
  info.language = core::Language::opencl;
  info.is_cpu =
      (device_value<cl_device_type>(place.device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  info.name = device_text(place.device, CL_DEVICE_NAME);
  info.driver = device_text(place.device, CL_DRIVER_VERSION);
  info.compiler = opencl_compiler(info.id);
  info.uuid = opencl_identity(places, index);
  info.sm_count = device_value<cl_uint>(place.device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.warp_size = std::max<cl_uint>(
      1, device_value<cl_uint>(place.device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT));
  info.shared_per_block =
      static_cast<std::int64_t>(device_value<cl_ulong>(place.device, CL_DEVICE_LOCAL_MEM_SIZE));
  info.l2_bytes = info.is_cpu ? last_level_cache_bytes() : 0;
  if (info.l2_bytes == 0)
    info.l2_bytes = static_cast<std::int64_t>(
        device_value<cl_ulong>(place.device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
  info.max_threads = static_cast<std::int64_t>(
      device_value<std::size_t>(place.device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  info.memory_bytes =
      static_cast<std::int64_t>(device_value<cl_ulong>(place.device, CL_DEVICE_GLOBAL_MEM_SIZE));
  return info;
}

BackendReport discover_opencl() {
  BackendReport report{.language = core::Language::opencl};
  const auto places = opencl_devices();
  for (std::size_t index = 0; index < places.size(); ++index)
    report.devices.push_back(describe(places, index));
  report.available = !places.empty();
  if (report.available) return report;
  report.why = opencl().why.empty() ? "the OpenCL loader is here, but no driver with a device"
                                    : opencl().why;
  report.fix = fix_text;
  return report;
}

std::unique_ptr<TensorOps> tensor_ops(const core::DeviceInfo&) { return open_host_tensor_ops(); }

DeviceState state(const core::DeviceInfo& info, const std::vector<int>& own_pids) {
  if (info.is_cpu) return read_host_state(own_pids);
  return {.missing = "OpenCL does not tell the clock, temperature or users of this device"};
}

}  // namespace

const Backend opencl_backend = {core::Language::opencl, discover_opencl, open_opencl, build_opencl,
                                opencl_compiler,        tensor_ops,      state};

}  // namespace hone::device
