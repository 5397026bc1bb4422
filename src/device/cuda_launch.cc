#include "device/cuda_launch.h"

#include <fmt/format.h>

#include <cstring>

namespace hone::device::cuda {
namespace {

std::string text_of(const core::Dim3& dims) {
  return fmt::format("[{}, {}, {}]", dims[0], dims[1], dims[2]);
}

std::string cluster_complaint(const core::ResolvedLaunch& launch, const core::Dim3& cluster,
                              const LaunchLimits& limits) {
  if (!limits.clusters) return "clusters need a device of compute capability 9.0 or newer";
  for (int i = 0; i < 3; ++i)
    if (cluster[i] < 1) return fmt::format("cluster {} has a dimension below 1", text_of(cluster));
  if (product_of(cluster) > largest_cluster)
    return fmt::format("cluster {} has more than {} blocks", text_of(cluster), largest_cluster);
  for (int i = 0; i < 3; ++i)
    if (launch.grid[i] % cluster[i] != 0)
      return fmt::format("grid {} is not a multiple of cluster {} in every dimension",
                         text_of(launch.grid), text_of(cluster));
  return {};
}

// The driver would refuse all of this too, with one word ("invalid argument"); here it is said
// which number is wrong and what it may be.
std::string complaint_without_name(const core::ResolvedLaunch& launch, const KernelInfo& kernel,
                                   const KernelLimits& more, const LaunchLimits& limits) {
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1)
      return fmt::format("grid {} has a dimension below 1", text_of(launch.grid));
    if (launch.block[i] < 1)
      return fmt::format("block {} has a dimension below 1", text_of(launch.block));
    if (launch.grid[i] > limits.grid[i])
      return fmt::format("grid {} is larger than the device's {}", text_of(launch.grid),
                         text_of(limits.grid));
    if (launch.block[i] > limits.block[i])
      return fmt::format("block {} is larger than the device's {}", text_of(launch.block),
                         text_of(limits.block));
  }
  if (product_of(launch.block) > limits.max_threads)
    return fmt::format("block {} has more than the device's {} threads", text_of(launch.block),
                       limits.max_threads);
  if (kernel.max_threads > 0 && product_of(launch.block) > kernel.max_threads)
    return fmt::format(
        "block {} has more than the {} threads this kernel can run with ({} registers a thread; "
        "see __launch_bounds__)",
        text_of(launch.block), kernel.max_threads, kernel.registers);
  // The driver may not have told, which is -1.
  const std::int64_t fixed = std::max<std::int64_t>(kernel.shared_bytes, 0);
  if (launch.shared < 0 || launch.shared > limits.shared_per_block - fixed)
    return fmt::format(
        "{} bytes of dynamic shared memory and {} static ones are more than the {} a block can "
        "have",
        launch.shared, fixed, limits.shared_per_block);
  if (launch.cooperative && !limits.cooperative) return "the device offers no cooperative launches";
  const bool wants_cluster = launch.cluster[0] != 0, compiled_in = more.compiled_cluster[0] != 0;
  if (wants_cluster && compiled_in && launch.cluster != more.compiled_cluster)
    return fmt::format("cluster {} contradicts the kernel's __cluster_dims__ {}",
                       text_of(launch.cluster), text_of(more.compiled_cluster));
  if (wants_cluster || compiled_in)
    return cluster_complaint(launch, wants_cluster ? launch.cluster : more.compiled_cluster,
                             limits);
  return {};
}

// As wide as the kernel declares it, signed or unsigned: both readings of the parameter are
// allowed.
std::string put_integer(std::int64_t value, std::uint64_t bytes, ArgumentSlot& slot) {
  if (bytes != 0 && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    return fmt::format("is an integer, but the kernel's parameter has {} bytes", bytes);
  if (bytes != 0 && bytes < 8) {
    const int bits = static_cast<int>(8 * bytes);
    if (value < -(std::int64_t{1} << (bits - 1)) || value >= (std::int64_t{1} << bits))
      return fmt::format("is {}, which does not fit the kernel's parameter of {} bytes", value,
                         bytes);
  }
  std::memcpy(slot.bytes.data(), &value,
              sizeof value);  // little-endian: the low bytes come first, whatever the width
  return {};
}

std::string put_bytes(const void* from, std::uint64_t bytes, const char* what,
                      std::uint64_t declared, ArgumentSlot& slot) {
  if (declared != 0 && declared != bytes)
    return fmt::format("is {} of {} bytes, but the kernel's parameter has {}", what, bytes,
                       declared);
  std::memcpy(slot.bytes.data(), from, bytes);
  return {};
}

std::string put(const core::ResolvedArg& arg, std::uint64_t declared,
                std::span<const Address> buffers, std::span<const TensorMapBits> maps,
                ArgumentSlot& slot) {
  using Kind = core::ResolvedArg::Kind;
  const auto index = static_cast<std::size_t>(arg.index);
  switch (arg.kind) {
    case Kind::buffer:
      if (index >= buffers.size()) return "names a buffer that the plan does not have";
      return put_bytes(&buffers[index], sizeof(Address), "an address", declared, slot);
    case Kind::tensormap:
      if (index >= maps.size()) return "names a tensor map that the plan does not have";
      return put_bytes(&maps[index], sizeof(TensorMapBits), "a tensor map", declared, slot);
    case Kind::integer:
      return put_integer(arg.integer, declared, slot);
    case Kind::scalar:
      return put_bytes(arg.bits.data(), core::size_of(arg.dtype), core::name_of(arg.dtype).data(),
                       declared, slot);
    case Kind::local:
      return "is a local buffer, which is OpenCL's: give the bytes as `shared` and use extern "
             "__shared__";
    default:
      return "is for operations; kernels take buffers and numbers";
  }
}

}  // namespace

std::string name_of(const core::ResolvedLaunch& launch) {
  return fmt::format("launch {} ({})", launch.plan_index + 1, launch.kernel);
}

std::string launch_complaint(const core::ResolvedLaunch& launch, const KernelInfo& kernel,
                             const KernelLimits& more, const LaunchLimits& limits) {
  const std::string text = complaint_without_name(launch, kernel, more, limits);
  return text.empty() ? "" : name_of(launch) + ": " + text;
}

base::Result<std::vector<ArgumentSlot>> encode_arguments(
    const core::ResolvedLaunch& launch, const KernelInfo& kernel, std::span<const Address> buffers,
    std::span<const TensorMapBits> tensormaps) {
  // A driver that does not tell parameters gives none; it copies as much as the kernel declares
  // from each slot.
  const bool told = !kernel.parameters.empty() || launch.args.empty();
  if (told && kernel.parameters.size() != launch.args.size())
    return base::Failure{fmt::format("{}: the plan gives {} arguments, the kernel takes {}",
                                     name_of(launch), launch.args.size(),
                                     kernel.parameters.size())};
  std::vector<ArgumentSlot> slots(launch.args.size());
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    const std::string complaint =
        put(launch.args[i], told ? kernel.parameters[i].bytes : 0, buffers, tensormaps, slots[i]);
    if (!complaint.empty())
      return base::Failure{fmt::format("{}: argument {} ({}) {}", name_of(launch), i + 1,
                                       launch.args[i].text, complaint)};
  }
  return slots;
}

}  // namespace hone::device::cuda
