@about@#include "@function@.h"

#include <cmath>
#include <initializer_list>
@driver_include@
namespace {

// Everything before the kernels is the launcher; the kernels' macros cannot reach it.
[[maybe_unused]] inline int64_t hone_min(int64_t a, int64_t b) { return b < a ? b : a; }
[[maybe_unused]] inline int64_t hone_max(int64_t a, int64_t b) { return a < b ? b : a; }
[[maybe_unused]] inline int64_t hone_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
[[maybe_unused]] inline int64_t hone_next_pow2(int64_t a) {
  int64_t p = 1;
  while (p < a) p *= 2;
  return p;
}

// A buffer, as whatever pointer the kernel takes.
struct HonePointer {
  const void* address;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(const_cast<void*>(address));
  }
};

constexpr int64_t hone_alignment = 256;
[[maybe_unused]] inline int64_t hone_padded(int64_t bytes) { return (bytes + hone_alignment - 1) / hone_alignment * hone_alignment; }

[[maybe_unused]] inline int64_t hone_fact(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, attribute, device);
  return value;
}

struct HoneDims {
  int64_t x, y, z;
};

struct HoneLaunch {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attributes[2];
  int64_t blocks_in_cluster;

  // A cluster of {0, 0, 0} is none.
  HoneLaunch(cudaStream_t stream, int64_t shared, HoneDims grid, HoneDims block, HoneDims cluster, bool cooperative) : blocks_in_cluster(cluster.x * cluster.y * cluster.z) {
    config.gridDim = dim3(unsigned(grid.x), unsigned(grid.y), unsigned(grid.z));
    config.blockDim = dim3(unsigned(block.x), unsigned(block.y), unsigned(block.z));
    config.dynamicSmemBytes = size_t(shared);
    config.stream = stream;
    config.attrs = attributes;
    if (blocks_in_cluster > 0) {
      cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = unsigned(cluster.x);
      attribute.val.clusterDim.y = unsigned(cluster.y);
      attribute.val.clusterDim.z = unsigned(cluster.z);
    }
    if (cooperative) {
      cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
    }
  }
  HoneLaunch(const HoneLaunch&) = delete;
};

// Each argument becomes what the kernel declares.
template <typename... Parameters, typename... Arguments>
cudaError_t hone_start(const HoneLaunch& launch, void (*kernel)(Parameters...), Arguments... arguments) {
  constexpr size_t without_asking = 48 << 10;
  constexpr int64_t portable_cluster = 8;
  cudaError_t error = cudaSuccess;
  if (launch.config.dynamicSmemBytes > without_asking)
    error = cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, int(launch.config.dynamicSmemBytes));
  if (error == cudaSuccess && launch.blocks_in_cluster > portable_cluster)
    error = cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (error != cudaSuccess) return error;
  return cudaLaunchKernelEx(&launch.config, kernel, static_cast<Parameters>(arguments)...);
}
@tensormap_code@
// One for each kernel, defined behind the kernels.
@declarations@
}  // namespace

size_t @function@_workspace_bytes(@sizes@) {
  if (@bad_sizes@) return 0;
@constants@@facts@  int64_t hone_bytes = 0;
@workspace_sum@  return size_t(hone_bytes);
}

cudaError_t @function@(@parameters@, void* workspace, cudaStream_t stream) {
  if (@bad_sizes@) return cudaErrorInvalidValue;
@constants@@facts@@scratch@  bool hone_launched = false;
@launches@  return hone_launched ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- the kernels, as they were judged

@defines@@renames@
@source@
// ---- behind the kernels: what launches them

namespace {

@definitions@
}  // namespace
