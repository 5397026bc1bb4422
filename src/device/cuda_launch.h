#pragma once
// A resolved launch as CUDA wants it: limits checked, arguments encoded, tensor maps turned
// innermost first. Pure functions, so that everything a candidate can get wrong here is tested
// without a device. Every complaint names the launch and the fix.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/plan.h"
#include "device/cuda_api.h"
#include "device/device.h"

namespace hone::device::cuda {

struct LaunchLimits {
  std::int64_t max_threads = 1024, sm_count = 1, shared_per_block = 0;
  core::Dim3 grid{2147483647, 65535, 65535}, block{1024, 1024, 64};
  bool clusters = false, cooperative = false;
};

// What the driver tells about one loaded kernel besides KernelInfo.
struct KernelLimits {
  core::Dim3 compiled_cluster{0, 0, 0};  // __cluster_dims__; 0: none
};

// Products of up to five numbers of a plan exceed 64 bits.
__extension__ using Wide = __int128;
inline Wide product_of(const core::Dim3& dims) { return Wide{dims[0]} * dims[1] * dims[2]; }

constexpr std::int64_t portable_cluster = 8,
                       largest_cluster =
                           16;  // blocks; more than 8 only where the device happens to allow it

std::string name_of(const core::ResolvedLaunch& launch);  // "launch 2 (row_max)"
// "" if the launch may be tried.
std::string launch_complaint(const core::ResolvedLaunch& launch, const KernelInfo& kernel,
                             const KernelLimits& more, const LaunchLimits& limits);

// One argument's bytes; as large and as aligned as the largest kind, a tensor map.
struct alignas(128) ArgumentSlot {
  std::array<unsigned char, 128> bytes{};
};
base::Result<std::vector<ArgumentSlot>> encode_arguments(const core::ResolvedLaunch& launch,
                                                         const KernelInfo& kernel,
                                                         std::span<const Address> buffers,
                                                         std::span<const TensorMapBits> tensormaps);

// The arguments of cuTensorMapEncodeTiled: dimensions innermost first, strides in bytes and without
// the innermost.
struct TiledMap {
  int type = 0, rank = 0;
  std::array<std::uint64_t, 5> dims{}, strides{};
  std::array<std::uint32_t, 5> box{}, element_strides{};
  int interleave = 0, swizzle = 0, l2 = 0, fill = 0;
};
base::Result<TiledMap> tiled_map(const core::ResolvedTensorMap& map,
                                 const core::ResolvedBuffer& buffer);

}  // namespace hone::device::cuda
