// Compares our declarations of CUDA with the toolkit's own headers, where they are. What does not
// agree does not compile.
#include "device/cuda_api.h"

#include <gtest/gtest.h>

#if __has_include("/usr/local/cuda/include/cudaTypedefs.h")
#include "/usr/local/cuda/include/cudaTypedefs.h"
#include "/usr/local/cuda/include/nvrtc.h"
#define HONE_HAS_CUDA_HEADERS 1
#endif

namespace hone::device::cuda {
namespace {

TEST(CudaApi, KnowsEverySymbolItLoadsOrSaysWhichIsMissing) {
  if (driver().missing.empty()) {
#define HONE_EXPECT(name, symbol, ...) EXPECT_NE(driver().name, nullptr) << symbol;
    HONE_CUDA_DRIVER(HONE_EXPECT)
  } else {
    EXPECT_THROW(require_driver(), std::exception);
  }
  if (nvrtc().missing.empty()) {
    EXPECT_NE(nvrtc().compile, nullptr);
    EXPECT_FALSE(nvrtc().path.empty());
  }
  EXPECT_FALSE(error_text(1).empty());
}

#ifdef HONE_HAS_CUDA_HEADERS

// Two parameter lists agree if every parameter has the same size and is of the same kind: pointer,
// or number of the same signedness.
template <typename A, typename B>
constexpr bool same_kind() {
  const auto number = [](auto* p) {
    using T = std::remove_pointer_t<decltype(p)>;
    return std::is_integral_v<T> || std::is_enum_v<T>;
  };
  return sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
         number(static_cast<A*>(nullptr)) == number(static_cast<B*>(nullptr)) &&
         (std::is_enum_v<A> || std::is_enum_v<B> || std::is_unsigned_v<A> == std::is_unsigned_v<B>);
}
template <typename A, typename B>
struct Agrees : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
requires(sizeof...(A) == sizeof...(B)) struct Agrees<R (*)(A...), S (*)(B...)>
    : std::bool_constant<same_kind<R, S>() && (same_kind<A, B>() && ... && true)> {
};

#define HONE_AGREE(name, theirs) static_assert(Agrees<decltype(Driver::name), theirs>::value, #name)
HONE_AGREE(init, PFN_cuInit_v2000);
HONE_AGREE(driver_version, PFN_cuDriverGetVersion_v2020);
HONE_AGREE(error_name, PFN_cuGetErrorName_v6000);
HONE_AGREE(error_string, PFN_cuGetErrorString_v6000);
HONE_AGREE(device_count, PFN_cuDeviceGetCount_v2000);
HONE_AGREE(device_get, PFN_cuDeviceGet_v2000);
HONE_AGREE(device_name, PFN_cuDeviceGetName_v2000);
HONE_AGREE(device_uuid, PFN_cuDeviceGetUuid_v11040);
HONE_AGREE(device_attribute, PFN_cuDeviceGetAttribute_v2000);
HONE_AGREE(device_memory, PFN_cuDeviceTotalMem_v3020);
HONE_AGREE(context_create, PFN_cuCtxCreate_v3020);
HONE_AGREE(context_destroy, PFN_cuCtxDestroy_v4000);
HONE_AGREE(context_set_current, PFN_cuCtxSetCurrent_v4000);
HONE_AGREE(context_set_limit, PFN_cuCtxSetLimit_v3010);
HONE_AGREE(reset_persisting_l2, PFN_cuCtxResetPersistingL2Cache_v11000);
HONE_AGREE(module_load, PFN_cuModuleLoadDataEx_v2010);
HONE_AGREE(module_unload, PFN_cuModuleUnload_v2000);
HONE_AGREE(module_function, PFN_cuModuleGetFunction_v2000);
HONE_AGREE(function_attribute, PFN_cuFuncGetAttribute_v2020);
HONE_AGREE(function_set_attribute, PFN_cuFuncSetAttribute_v9000);
HONE_AGREE(blocks_per_sm, PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050);
HONE_AGREE(launch, PFN_cuLaunchKernel_v4000);
HONE_AGREE(mem_info, PFN_cuMemGetInfo_v3020);
HONE_AGREE(mem_alloc, PFN_cuMemAlloc_v3020);
HONE_AGREE(mem_free, PFN_cuMemFree_v3020);
HONE_AGREE(host_alloc, PFN_cuMemHostAlloc_v2020);
HONE_AGREE(host_free, PFN_cuMemFreeHost_v2000);
HONE_AGREE(copy_to_device, PFN_cuMemcpyHtoDAsync_v3020);
HONE_AGREE(copy_to_host, PFN_cuMemcpyDtoHAsync_v3020);
HONE_AGREE(copy_on_device, PFN_cuMemcpyDtoDAsync_v3020);
HONE_AGREE(fill_bytes, PFN_cuMemsetD8Async_v3020);
HONE_AGREE(mem_granularity, PFN_cuMemGetAllocationGranularity_v10020);
HONE_AGREE(mem_create, PFN_cuMemCreate_v10020);
HONE_AGREE(mem_release, PFN_cuMemRelease_v10020);
HONE_AGREE(mem_export, PFN_cuMemExportToShareableHandle_v10020);
HONE_AGREE(mem_import, PFN_cuMemImportFromShareableHandle_v10020);
HONE_AGREE(address_reserve, PFN_cuMemAddressReserve_v10020);
HONE_AGREE(address_free, PFN_cuMemAddressFree_v10020);
HONE_AGREE(mem_map, PFN_cuMemMap_v10020);
HONE_AGREE(mem_unmap, PFN_cuMemUnmap_v10020);
HONE_AGREE(mem_set_access, PFN_cuMemSetAccess_v10020);
HONE_AGREE(stream_create, PFN_cuStreamCreate_v2000);
HONE_AGREE(stream_destroy, PFN_cuStreamDestroy_v4000);
HONE_AGREE(stream_synchronize, PFN_cuStreamSynchronize_v2000);
HONE_AGREE(event_create, PFN_cuEventCreate_v2000);
HONE_AGREE(event_destroy, PFN_cuEventDestroy_v4000);
HONE_AGREE(event_record, PFN_cuEventRecord_v2000);
HONE_AGREE(event_query, PFN_cuEventQuery_v2000);
HONE_AGREE(event_elapsed, PFN_cuEventElapsedTime_v2000);
HONE_AGREE(launch_ex, PFN_cuLaunchKernelEx_v11060);
HONE_AGREE(tensor_map_encode, PFN_cuTensorMapEncodeTiled_v12000);
HONE_AGREE(function_parameter, PFN_cuFuncGetParamInfo_v12040);
HONE_AGREE(function_name, PFN_cuFuncGetName_v12030);
HONE_AGREE(function_load, PFN_cuFuncLoad_v12040);
HONE_AGREE(module_function_count, PFN_cuModuleGetFunctionCount_v12040);
HONE_AGREE(module_functions, PFN_cuModuleEnumerateFunctions_v12040);

#define HONE_AGREE_NVRTC(name, theirs) \
  static_assert(Agrees<decltype(Nvrtc::name), decltype(&::theirs)>::value, #name)
HONE_AGREE_NVRTC(version, nvrtcVersion);
HONE_AGREE_NVRTC(error_string, nvrtcGetErrorString);
HONE_AGREE_NVRTC(create, nvrtcCreateProgram);
HONE_AGREE_NVRTC(destroy, nvrtcDestroyProgram);
HONE_AGREE_NVRTC(compile, nvrtcCompileProgram);
HONE_AGREE_NVRTC(log_size, nvrtcGetProgramLogSize);
HONE_AGREE_NVRTC(log, nvrtcGetProgramLog);
HONE_AGREE_NVRTC(ptx_size, nvrtcGetPTXSize);
HONE_AGREE_NVRTC(ptx, nvrtcGetPTX);
HONE_AGREE_NVRTC(cubin_size, nvrtcGetCUBINSize);
HONE_AGREE_NVRTC(cubin, nvrtcGetCUBIN);

static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(AllocationProperties) == sizeof(CUmemAllocationProp));
static_assert(offsetof(AllocationProperties, handle_types) ==
              offsetof(CUmemAllocationProp, requestedHandleTypes));
static_assert(offsetof(AllocationProperties, location) == offsetof(CUmemAllocationProp, location));
static_assert(offsetof(AllocationProperties, win32) ==
              offsetof(CUmemAllocationProp, win32HandleMetaData));
static_assert(offsetof(AllocationProperties, compression) ==
              offsetof(CUmemAllocationProp, allocFlags));
static_assert(sizeof(AccessDescription) == sizeof(CUmemAccessDesc) &&
              offsetof(AccessDescription, flags) == offsetof(CUmemAccessDesc, flags));
static_assert(sizeof(MemoryLocation) == sizeof(CUmemLocation));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute) &&
              offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(offsetof(CUlaunchAttributeValue, cooperative) == 0 &&
              offsetof(CUlaunchAttributeValue, clusterDim) == 0);
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig) &&
              offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(TensorMapBits) == sizeof(CUtensorMap) &&
              alignof(TensorMapBits) >= alignof(CUtensorMap));

#define HONE_SAME(ours, theirs) \
  static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs), #ours)
HONE_SAME(success, CUDA_SUCCESS);
HONE_SAME(error_invalid_value, CUDA_ERROR_INVALID_VALUE);
HONE_SAME(error_out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
HONE_SAME(error_not_initialized, CUDA_ERROR_NOT_INITIALIZED);
HONE_SAME(error_no_device, CUDA_ERROR_NO_DEVICE);
HONE_SAME(error_not_found, CUDA_ERROR_NOT_FOUND);
HONE_SAME(error_not_ready, CUDA_ERROR_NOT_READY);
HONE_SAME(error_not_supported, CUDA_ERROR_NOT_SUPPORTED);
HONE_SAME(error_unsupported_limit, CUDA_ERROR_UNSUPPORTED_LIMIT);
HONE_SAME(attribute_max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
HONE_SAME(attribute_max_block_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
HONE_SAME(attribute_max_block_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
HONE_SAME(attribute_max_block_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
HONE_SAME(attribute_max_grid_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
HONE_SAME(attribute_max_grid_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
HONE_SAME(attribute_max_grid_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
HONE_SAME(attribute_warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
HONE_SAME(attribute_sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
HONE_SAME(attribute_memory_clock_khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
HONE_SAME(attribute_memory_bus_bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
HONE_SAME(attribute_l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
HONE_SAME(attribute_max_threads_per_sm, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
HONE_SAME(attribute_compute_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
HONE_SAME(attribute_compute_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
HONE_SAME(attribute_cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
HONE_SAME(attribute_shared_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
HONE_SAME(attribute_virtual_memory, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
HONE_SAME(attribute_posix_fd_handles,
          CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED);
HONE_SAME(attribute_max_persisting_l2, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
HONE_SAME(attribute_cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
HONE_SAME(attribute_tensor_map, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED);
HONE_SAME(function_max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
HONE_SAME(function_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
HONE_SAME(function_constant_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
HONE_SAME(function_local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
HONE_SAME(function_registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
HONE_SAME(function_max_dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
HONE_SAME(function_required_cluster_x, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
HONE_SAME(function_required_cluster_y, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
HONE_SAME(function_required_cluster_z, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
HONE_SAME(function_non_portable_cluster, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
HONE_SAME(limit_printf_bytes, CU_LIMIT_PRINTF_FIFO_SIZE);
HONE_SAME(limit_heap_bytes, CU_LIMIT_MALLOC_HEAP_SIZE);
HONE_SAME(limit_persisting_l2, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
HONE_SAME(context_spin, CU_CTX_SCHED_SPIN);
HONE_SAME(context_keep_local_memory, CU_CTX_LMEM_RESIZE_TO_MAX);
HONE_SAME(stream_non_blocking, CU_STREAM_NON_BLOCKING);
HONE_SAME(jit_error_log_buffer, CU_JIT_ERROR_LOG_BUFFER);
HONE_SAME(jit_error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
HONE_SAME(location_device, CU_MEM_LOCATION_TYPE_DEVICE);
HONE_SAME(allocation_pinned, CU_MEM_ALLOCATION_TYPE_PINNED);
HONE_SAME(handle_posix_fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
HONE_SAME(granularity_minimum, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
HONE_SAME(access_read_write, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
HONE_SAME(launch_cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
HONE_SAME(launch_cluster, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
HONE_SAME(tensormap_u8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
HONE_SAME(tensormap_i32, CU_TENSOR_MAP_DATA_TYPE_INT32);
HONE_SAME(tensormap_i64, CU_TENSOR_MAP_DATA_TYPE_INT64);
HONE_SAME(tensormap_f16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
HONE_SAME(tensormap_f32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
HONE_SAME(tensormap_f64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
HONE_SAME(tensormap_bf16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
// tiled_map() counts on the order of these.
HONE_SAME(2, CU_TENSOR_MAP_INTERLEAVE_32B);
HONE_SAME(3, CU_TENSOR_MAP_SWIZZLE_128B);
HONE_SAME(3, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
HONE_SAME(1, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);

TEST(CudaApi, AgreesWithTheToolkitsHeaders) { SUCCEED() << "checked while compiling"; }

#else

TEST(CudaApi, AgreesWithTheToolkitsHeaders) {
  GTEST_SKIP() << "no CUDA headers in /usr/local/cuda/include";
}

#endif

}  // namespace
}  // namespace hone::device::cuda
