#include "judge/room.h"

#include "base/error.h"
#include "device/host_tensor_ops.h"
#include "judge/pool.h"

namespace hone::judge {
namespace {

// Everywhere but on CUDA the device's memory is the host's.
bool shares_memory(const core::DeviceInfo& info) { return info.language != core::Language::cuda; }

}  // namespace

std::uint64_t torch_bytes(const core::Task& task, const core::Case& which) {
  // Results in double precision, and what torch keeps beside them on the way: a rough figure, with
  // which a case that does not fit is refused before it is tried.
  constexpr std::uint64_t intermediate = 3;
  if (!task.reference_py) return 0;
  const TaskShapes shapes = task_shapes(task, which);
  std::uint64_t bytes = 0;
  for (const auto& buffer : shapes.inputs)
    bytes += buffer.bytes / core::size_of(buffer.dtype) * sizeof(double);
  for (const auto& buffer : shapes.outputs)
    bytes += intermediate * (buffer.bytes / core::size_of(buffer.dtype)) * sizeof(double);
  return bytes;
}

Need need_of(const core::Task& task, const core::Case& which) {
  const TaskShapes shapes = task_shapes(task, which);
  const std::uint64_t entry = Pool::entry_bytes(task, which);
  Need need{BufferSet::footprint(shapes.inputs) + BufferSet::footprint(shapes.outputs) + entry, 0};
  if (task.reference_py) {
    need.device += torch_bytes(task, which);
    return need;
  }
  if (which.device_reference) return need;
  need.host =
      entry;  // the reference is given copies, and makes of every element a double of its own
  for (const auto* buffers : {&shapes.inputs, &shapes.outputs})
    for (const auto& buffer : *buffers)
      need.host += buffer.bytes / core::size_of(buffer.dtype) * sizeof(double);
  return need;
}

bool fits(const Need& need, const core::DeviceInfo& info, device::TensorOps& ops) {
  if (shares_memory(info)) return need.device + need.host <= ops.free_bytes();
  return need.device <= ops.free_bytes() && need.host <= device::available_host_bytes();
}

void fail_for_room(const Need& need, const core::Case& which, const core::DeviceInfo& info,
                   device::TensorOps& ops) {
  constexpr double mib = 1 << 20;
  const std::string needs =
      shares_memory(info)
          ? fmt::format("{:.0f} MiB of memory, its reference included",
                        static_cast<double>(need.device + need.host) / mib)
          : fmt::format(
                "{:.0f} MiB of memory on the device, and {:.0f} MiB beside it for its reference",
                static_cast<double>(need.device) / mib, static_cast<double>(need.host) / mib);
  std::string there = fmt::format("{:.0f} MiB are free on {}",
                                  static_cast<double>(ops.free_bytes()) / mib, info.id);
  if (!shares_memory(info))
    there += fmt::format(", {:.0f} MiB on this machine",
                         static_cast<double>(device::available_host_bytes()) / mib);
  base::fail(base::ExitCode::environment,
             "case {} needs {}; {}. Choose a smaller case with --case, make this one smaller, end "
             "other programs, or use a device with more memory",
             which.name, needs, there);
}

}  // namespace hone::judge
