#include "device/cuda_backend.h"

#include <fstream>

#include "base/error.h"
#include "device/backend.h"
#include "device/cuda_compile.h"

namespace hone::device {
namespace cuda {
namespace {

// The driver package's version ("580.95.05"); the CUDA version alone does not name it.
std::string driver_release() {
  char text[96] = {};
  if (nvml().missing.empty() && nvml().driver_version(text, sizeof text) == 0) return text;
  std::ifstream file("/proc/driver/nvidia/version");  // NVRM version: NVIDIA UNIX x86_64 Kernel
                                                      // Module  580.95.05  ...
  for (std::string word; file >> word;)
    if (word.size() > 4 && word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos)
      return word;
  return "unknown";
}

core::DeviceInfo describe(int ordinal) {
  const Driver& api = driver();
  DeviceHandle device = 0;
  char name[256] = {};
  std::size_t memory = 0;
  int cuda_version = 0;
  check(api.device_get(&device, ordinal), fmt::format("looking up device {}", ordinal));
  check(api.device_name(name, sizeof name, device), "asking for a device's name");
  check(api.device_memory(&memory, device), "asking for a device's memory");
  check(api.driver_version(&cuda_version), "asking for the driver's version");
  const auto ask = [&](DeviceAttribute which) {
    int value = 0;
    return api.device_attribute(&value, which, device) == success ? std::int64_t{value}
                                                                  : std::int64_t{0};
  };
  core::DeviceInfo info;
  info.id = fmt::format("cuda:{}", ordinal);
  info.language = core::Language::cuda;
  info.name = name;
  info.uuid = uuid_of(device);
  info.driver = fmt::format("{} (CUDA {}.{})", driver_release(), cuda_version / 1000,
                            cuda_version % 1000 / 10);
  info.compiler = compiler_version();
  info.arch = arch_of(static_cast<int>(ask(attribute_compute_major)),
                      static_cast<int>(ask(attribute_compute_minor)));
  info.sm_count = ask(attribute_sm_count);
  info.warp_size = ask(attribute_warp_size);
  info.shared_per_block = ask(attribute_shared_per_block_optin);
  info.l2_bytes = ask(attribute_l2_bytes);
  info.max_threads = ask(attribute_max_threads_per_block);
  info.memory_bytes = static_cast<std::int64_t>(memory);
  // Two transfers a clock (double data rate). H200: 2 * 3.201 GHz * 6144 bits / 8 = 4.9e12.
  info.pin_bandwidth = 2.0 * static_cast<double>(ask(attribute_memory_clock_khz)) * 1000 *
                       static_cast<double>(ask(attribute_memory_bus_bits)) / 8;
  return info;
}

BackendReport discover() {
  BackendReport report{.language = core::Language::cuda};
  const std::string compiler = compiler_version();
  if (const Driver& api = driver(); !api.missing.empty()) {
    report.why = api.missing;
    report.fix = driver_fix;
    if (!compiler.empty())
      report.notes.push_back(fmt::format(
          "{} found ({}) without a GPU: sources can be compiled, not run", compiler, nvrtc().path));
    return report;
  }
  int count = 0;
  if (const Result result = driver().device_count(&count); result != success || count == 0) {
    report.why =
        result == success ? "the driver sees no device" : "counting devices: " + error_text(result);
    report.fix = "check nvidia-smi and CUDA_VISIBLE_DEVICES";
    return report;
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    try {
      report.devices.push_back(describe(ordinal));
    } catch (const base::Error& error) {  // one broken device must not hide the others
      report.notes.push_back(fmt::format("cuda:{} does not answer: {}", ordinal, error.what()));
    }
  }
  report.available = !report.devices.empty();
  if (!report.available) {
    report.why = "no device answers";
    report.fix = "check nvidia-smi";
  }
  if (compiler.empty()) report.notes.push_back(fmt::format("{}: {}", nvrtc().missing, nvrtc_fix));
  return report;
}

}  // namespace

std::string uuid_of(DeviceHandle device) {
  Uuid uuid{};
  check(driver().device_uuid(&uuid, device), "asking for a device's UUID");
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// Hopper and datacentre Blackwell keep instructions (wgmma, tcgen05) behind the architecture's own
// suffix.
std::string arch_of(int major, int minor) {
  return fmt::format("sm_{}{}{}", major, minor, major == 9 || major == 10 ? "a" : "");
}

}  // namespace cuda

const Backend cuda_backend = {
    core::Language::cuda,
    cuda::discover,
    cuda::open_cuda_device,
    cuda::compile,
    [](const std::string&) { return cuda::compiler_version(); },
    cuda::open_cuda_tensor_ops,
    cuda::read_cuda_state,
};

}  // namespace hone::device
