// The fake in the table of backends. It is there on every machine and used only when asked for.
#include "device/backend.h"
#include "device/fake_device.h"
#include "device/host_tensor_ops.h"

namespace hone::device {
namespace {

BackendReport discover_fake() {
  return {.language = core::Language::fake,
          .available = true,
          .devices = {fake_info(true), fake_info(false), fake_info_with_pins(), second_fake_gpu()}};
}
std::string compiler(const std::string&) { return fake_info().compiler; }
std::unique_ptr<TensorOps> tensor_ops(const core::DeviceInfo&) { return open_host_tensor_ops(); }
DeviceState state(const core::DeviceInfo&, const std::vector<int>&) {
  return {.missing = "the fake has no clock, temperature or users"};
}

}  // namespace

const Backend fake_backend = {core::Language::fake, discover_fake, open_fake, build_fake, compiler,
                              tensor_ops,           state};

}  // namespace hone::device
