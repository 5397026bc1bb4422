#include "device/device.h"

#include "base/error.h"
#include "device/backend.h"
#include "device/tensor_ops.h"

namespace hone::device {
namespace {

// In order of preference when the user names no device. The fake is only used when asked for.
constexpr const Backend* backends[] = {&cuda_backend, &opencl_backend, &fake_backend};

const Backend& backend_of(core::Language language) {
  for (const Backend* backend : backends)
    if (backend->language == language) return *backend;
  base::fail(base::ExitCode::bad_input, "there is no backend for {}", core::name_of(language));
}

}  // namespace

std::vector<BackendReport> discover() {
  std::vector<BackendReport> reports;
  for (const Backend* backend : backends)
    if (backend->language != core::Language::fake) reports.push_back(backend->discover());
  return reports;
}

core::DeviceInfo find_device(const std::string& id) {
  std::string seen;
  for (const Backend* backend : backends) {
    const std::string name(core::name_of(backend->language)), prefix = name + ":";
    const bool lasting = id.starts_with(name + "-");
    if (id.empty() ? backend->language == core::Language::fake
                   : !id.starts_with(prefix) && !lasting)
      continue;
    const BackendReport report = backend->discover();
    for (const auto& info : report.devices)
      if (id.empty() || info.id == id || info.uuid == id) return info;
    for (const auto& info : report.devices) seen += fmt::format("\n  {}  {}", info.id, info.name);
    if (report.devices.empty())
      seen +=
          fmt::format("\n  {}: {} ({})", core::name_of(backend->language), report.why, report.fix);
  }
  if (id.empty()) base::fail(base::ExitCode::environment, "there is no device to run on:{}", seen);
  if (seen.empty())
    base::fail(base::ExitCode::usage,
               "--device {}: a device is named like cuda:0 or opencl:0 (hone doctor lists them)",
               id);
  if (id.find(':') == std::string::npos)
    base::fail(base::ExitCode::environment,
               "this device cannot be used inside the sandbox: its driver does not find it there. "
               "What is found:{}",
               seen);
  base::fail(base::ExitCode::environment, "there is no device {} here:{}", id, seen);
}

std::string lasting_id(const core::DeviceInfo& info) {
  return info.language == core::Language::opencl ? info.uuid : info.id;
}

std::unique_ptr<Device> open_device(const std::string& id) {
  const core::DeviceInfo info = find_device(id);
  return backend_of(info.language).open(info);
}

BuildResult compile(const BuildRequest& request) {
  return backend_of(request.language).compile(request);
}

std::string compiler_version(core::Language language, const std::string& device_id) {
  return backend_of(language).compiler_version(device_id);
}

std::unique_ptr<TensorOps> open_tensor_ops(const core::DeviceInfo& info) {
  return backend_of(info.language).tensor_ops(info);
}

DeviceState read_state(const core::DeviceInfo& info, const std::vector<int>& own_pids) {
  return backend_of(info.language).state(info, own_pids);
}

}  // namespace hone::device
