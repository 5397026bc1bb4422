#pragma once
// The few types and functions of the CUDA driver, NVRTC and NVML that Hone calls, declared here so
// that the build needs no CUDA headers, and the libraries themselves, opened on first use and kept
// for the process. cuda_api_test.cc compares every declaration with the real headers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::device::cuda {

// ---- the driver: libcuda.so.1

using Result = int;  // CUresult
constexpr Result success = 0, error_invalid_value = 1, error_out_of_memory = 2,
                 error_not_initialized = 3, error_no_device = 100, error_not_found = 500,
                 error_not_ready = 600, error_not_supported = 801, error_unsupported_limit = 215;

using DeviceHandle = int;
using Address = unsigned long long;           // CUdeviceptr
using AllocationHandle = unsigned long long;  // CUmemGenericAllocationHandle
struct ContextObject;
struct ModuleObject;
struct FunctionObject;
struct StreamObject;
struct EventObject;
using Context = ContextObject*;
using Module = ModuleObject*;
using Function = FunctionObject*;
using Stream = StreamObject*;
using Event = EventObject*;

struct Uuid {
  char bytes[16];
};

enum DeviceAttribute : int {
  attribute_max_threads_per_block = 1,
  attribute_max_block_x = 2,
  attribute_max_block_y = 3,
  attribute_max_block_z = 4,
  attribute_max_grid_x = 5,
  attribute_max_grid_y = 6,
  attribute_max_grid_z = 7,
  attribute_warp_size = 10,
  attribute_sm_count = 16,
  attribute_memory_clock_khz = 36,
  attribute_memory_bus_bits = 37,
  attribute_l2_bytes = 38,
  attribute_max_threads_per_sm = 39,
  attribute_compute_major = 75,
  attribute_compute_minor = 76,
  attribute_cooperative_launch = 95,
  attribute_shared_per_block_optin = 97,
  attribute_virtual_memory = 102,
  attribute_posix_fd_handles = 103,
  attribute_max_persisting_l2 = 108,
  attribute_cluster_launch = 120,
  attribute_tensor_map = 127,
};

enum FunctionAttribute : int {
  function_max_threads = 0,
  function_shared_bytes = 1,
  function_constant_bytes = 2,
  function_local_bytes = 3,
  function_registers = 4,
  function_max_dynamic_shared = 8,
  function_required_cluster_x = 11,
  function_required_cluster_y = 12,
  function_required_cluster_z = 13,
  function_non_portable_cluster = 14,
};

enum Limit : int { limit_printf_bytes = 1, limit_heap_bytes = 2, limit_persisting_l2 = 6 };

constexpr unsigned context_spin = 0x01,
                   context_keep_local_memory =
                       0x10;  // CU_CTX_SCHED_SPIN, CU_CTX_LMEM_RESIZE_TO_MAX
constexpr unsigned stream_non_blocking = 0x01;
constexpr int jit_error_log_buffer = 5, jit_error_log_bytes = 6;

struct MemoryLocation {
  int type, id;
};
constexpr int location_device = 1;

struct AllocationProperties {
  int type, handle_types;
  MemoryLocation location;
  void* win32;
  unsigned char compression, rdma;
  unsigned short usage;
  unsigned char reserved[4];
};
constexpr int allocation_pinned = 1, handle_posix_fd = 1, granularity_minimum = 0;

struct AccessDescription {
  MemoryLocation location;
  int flags;
};
constexpr int access_read_write = 3;

struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int cooperative;
    struct {
      unsigned x, y, z;
    } cluster;
  } value;
};
constexpr int launch_cooperative = 2, launch_cluster = 4;

struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct alignas(128) TensorMapBits {
  std::uint64_t opaque[16];
};

enum TensorMapType : int {
  tensormap_u8 = 0,
  tensormap_i32 = 3,
  tensormap_i64 = 5,
  tensormap_f16 = 6,
  tensormap_f32 = 7,
  tensormap_f64 = 8,
  tensormap_bf16 = 9,
};

// name in our words, symbol in the library, type. Versioned symbols are the ABI that the headers of
// CUDA 12 and 13 stand for.
#define HONE_CUDA_DRIVER(X)                                                                        \
  X(init, "cuInit", Result(unsigned))                                                              \
  X(driver_version, "cuDriverGetVersion", Result(int*))                                            \
  X(error_name, "cuGetErrorName", Result(Result, const char**))                                    \
  X(error_string, "cuGetErrorString", Result(Result, const char**))                                \
  X(device_count, "cuDeviceGetCount", Result(int*))                                                \
  X(device_get, "cuDeviceGet", Result(DeviceHandle*, int))                                         \
  X(device_name, "cuDeviceGetName", Result(char*, int, DeviceHandle))                              \
  X(device_uuid, "cuDeviceGetUuid_v2", Result(Uuid*, DeviceHandle))                                \
  X(device_attribute, "cuDeviceGetAttribute", Result(int*, int, DeviceHandle))                     \
  X(device_memory, "cuDeviceTotalMem_v2", Result(std::size_t*, DeviceHandle))                      \
  X(context_create, "cuCtxCreate_v2", Result(Context*, unsigned, DeviceHandle))                    \
  X(context_destroy, "cuCtxDestroy_v2", Result(Context))                                           \
  X(context_set_current, "cuCtxSetCurrent", Result(Context))                                       \
  X(context_set_limit, "cuCtxSetLimit", Result(int, std::size_t))                                  \
  X(reset_persisting_l2, "cuCtxResetPersistingL2Cache", Result())                                  \
  X(module_load, "cuModuleLoadDataEx", Result(Module*, const void*, unsigned, int*, void**))       \
  X(module_unload, "cuModuleUnload", Result(Module))                                               \
  X(module_function, "cuModuleGetFunction", Result(Function*, Module, const char*))                \
  X(function_attribute, "cuFuncGetAttribute", Result(int*, int, Function))                         \
  X(function_set_attribute, "cuFuncSetAttribute", Result(Function, int, int))                      \
  X(blocks_per_sm, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                  \
    Result(int*, Function, int, std::size_t))                                                      \
  X(launch, "cuLaunchKernel",                                                                      \
    Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, \
           void**, void**))                                                                        \
  X(mem_info, "cuMemGetInfo_v2", Result(std::size_t*, std::size_t*))                               \
  X(mem_alloc, "cuMemAlloc_v2", Result(Address*, std::size_t))                                     \
  X(mem_free, "cuMemFree_v2", Result(Address))                                                     \
  X(host_alloc, "cuMemHostAlloc", Result(void**, std::size_t, unsigned))                           \
  X(host_free, "cuMemFreeHost", Result(void*))                                                     \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", Result(Address, const void*, std::size_t, Stream))     \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", Result(void*, Address, std::size_t, Stream))             \
  X(copy_on_device, "cuMemcpyDtoDAsync_v2", Result(Address, Address, std::size_t, Stream))         \
  X(fill_bytes, "cuMemsetD8Async", Result(Address, unsigned char, std::size_t, Stream))            \
  X(mem_granularity, "cuMemGetAllocationGranularity",                                              \
    Result(std::size_t*, const AllocationProperties*, int))                                        \
  X(mem_create, "cuMemCreate",                                                                     \
    Result(AllocationHandle*, std::size_t, const AllocationProperties*, unsigned long long))       \
  X(mem_release, "cuMemRelease", Result(AllocationHandle))                                         \
  X(mem_export, "cuMemExportToShareableHandle",                                                    \
    Result(void*, AllocationHandle, int, unsigned long long))                                      \
  X(mem_import, "cuMemImportFromShareableHandle", Result(AllocationHandle*, void*, int))           \
  X(address_reserve, "cuMemAddressReserve",                                                        \
    Result(Address*, std::size_t, std::size_t, Address, unsigned long long))                       \
  X(address_free, "cuMemAddressFree", Result(Address, std::size_t))                                \
  X(mem_map, "cuMemMap",                                                                           \
    Result(Address, std::size_t, std::size_t, AllocationHandle, unsigned long long))               \
  X(mem_unmap, "cuMemUnmap", Result(Address, std::size_t))                                         \
  X(mem_set_access, "cuMemSetAccess",                                                              \
    Result(Address, std::size_t, const AccessDescription*, std::size_t))                           \
  X(stream_create, "cuStreamCreate", Result(Stream*, unsigned))                                    \
  X(stream_destroy, "cuStreamDestroy_v2", Result(Stream))                                          \
  X(stream_synchronize, "cuStreamSynchronize", Result(Stream))                                     \
  X(event_create, "cuEventCreate", Result(Event*, unsigned))                                       \
  X(event_destroy, "cuEventDestroy_v2", Result(Event))                                             \
  X(event_record, "cuEventRecord", Result(Event, Stream))                                          \
  X(event_query, "cuEventQuery", Result(Event))                                                    \
  X(event_elapsed, "cuEventElapsedTime", Result(float*, Event, Event))

// Newer than CUDA 11: null where the driver lacks them, and Hone does without or says so.
#define HONE_CUDA_DRIVER_OPTIONAL(X)                                                              \
  X(launch_ex, "cuLaunchKernelEx", Result(const LaunchConfig*, Function, void**, void**))         \
  X(tensor_map_encode, "cuTensorMapEncodeTiled",                                                  \
    Result(TensorMapBits*, int, std::uint32_t, void*, const std::uint64_t*, const std::uint64_t*, \
           const std::uint32_t*, const std::uint32_t*, int, int, int, int))                       \
  X(function_parameter, "cuFuncGetParamInfo",                                                     \
    Result(Function, std::size_t, std::size_t*, std::size_t*))                                    \
  X(function_name, "cuFuncGetName", Result(const char**, Function))                               \
  X(function_load, "cuFuncLoad", Result(Function))                                                \
  X(module_function_count, "cuModuleGetFunctionCount", Result(unsigned*, Module))                 \
  X(module_functions, "cuModuleEnumerateFunctions", Result(Function*, unsigned, Module))          \
  X(profiler_start, "cuProfilerStart", Result())                                                  \
  X(profiler_stop, "cuProfilerStop", Result())

// ---- the compiler: libnvrtc

struct ProgramObject;
using Program = ProgramObject*;

#define HONE_CUDA_NVRTC(X)                                                                \
  X(version, "nvrtcVersion", int(int*, int*))                                             \
  X(error_string, "nvrtcGetErrorString", const char*(int))                                \
  X(create, "nvrtcCreateProgram",                                                         \
    int(Program*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(destroy, "nvrtcDestroyProgram", int(Program*))                                        \
  X(compile, "nvrtcCompileProgram", int(Program, int, const char* const*))                \
  X(log_size, "nvrtcGetProgramLogSize", int(Program, std::size_t*))                       \
  X(log, "nvrtcGetProgramLog", int(Program, char*))                                       \
  X(ptx_size, "nvrtcGetPTXSize", int(Program, std::size_t*))                              \
  X(ptx, "nvrtcGetPTX", int(Program, char*))                                              \
  X(cubin_size, "nvrtcGetCUBINSize", int(Program, std::size_t*))                          \
  X(cubin, "nvrtcGetCUBIN", int(Program, char*))

// ---- the state: libnvidia-ml.so.1

struct NvmlDeviceObject;
using NvmlDevice = NvmlDeviceObject*;
struct NvmlProcess {
  unsigned pid;
  unsigned long long bytes;  // all ones: not known
  unsigned gpu_instance, compute_instance;
};
constexpr int nvml_clock_sm = 1, nvml_clock_memory = 2, nvml_temperature_gpu = 0,
              nvml_error_insufficient_size = 7;

#define HONE_CUDA_NVML(X)                                                       \
  X(init, "nvmlInit_v2", int())                                                 \
  X(error_string, "nvmlErrorString", const char*(int))                          \
  X(driver_version, "nvmlSystemGetDriverVersion", int(char*, unsigned))         \
  X(device_by_uuid, "nvmlDeviceGetHandleByUUID", int(const char*, NvmlDevice*)) \
  X(clock, "nvmlDeviceGetClockInfo", int(NvmlDevice, int, unsigned*))           \
  X(temperature, "nvmlDeviceGetTemperature", int(NvmlDevice, int, unsigned*))   \
  X(power, "nvmlDeviceGetPowerUsage", int(NvmlDevice, unsigned*))               \
  X(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons",              \
    int(NvmlDevice, unsigned long long*))                                       \
  X(processes, "nvmlDeviceGetComputeRunningProcesses_v3", int(NvmlDevice, unsigned*, NvmlProcess*))

// What a profile asks besides: null where the driver lacks them, and the energy is then not told.
#define HONE_CUDA_NVML_OPTIONAL(X)                                                             \
  X(total_energy, "nvmlDeviceGetTotalEnergyConsumption", int(NvmlDevice, unsigned long long*)) \
  X(power_limit, "nvmlDeviceGetEnforcedPowerLimit", int(NvmlDevice, unsigned*))                \
  X(max_clock, "nvmlDeviceGetMaxClockInfo", int(NvmlDevice, int, unsigned*))

template <typename Signature>
using Pointer = Signature*;
#define HONE_CUDA_FIELD(name, symbol, ...) Pointer<__VA_ARGS__> name = nullptr;

struct Driver {
  std::string missing;  // why it cannot be used; "" if it can
  HONE_CUDA_DRIVER(HONE_CUDA_FIELD)
  HONE_CUDA_DRIVER_OPTIONAL(HONE_CUDA_FIELD)
};
struct Nvrtc {
  std::string missing, path;  // path: of the library
  HONE_CUDA_NVRTC(HONE_CUDA_FIELD)
};
struct Nvml {
  std::string missing;
  HONE_CUDA_NVML(HONE_CUDA_FIELD)
  HONE_CUDA_NVML_OPTIONAL(HONE_CUDA_FIELD)
};

// Opened and initialised once; `missing` says why not. driver() throws Error in a process that was
// forked from one that had used CUDA: the library does not survive that (fork and exec is fine).
const Driver& driver();
const Nvrtc& nvrtc();
const Nvml& nvml();

// The driver or an Error that says why there is none and how to fix it.
const Driver& require_driver();
extern const char* const driver_fix;
extern const char* const nvrtc_fix;

// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
std::string error_text(Result result);

// Throws Error "doing what: CUDA_ERROR_..." unless the call succeeded: for the environment, never
// for a candidate's fault.
void check(Result result, std::string_view doing);

// A row of driver calls of which the first failure counts: step("mapping a block", d.mem_map(...))
// && step(...).
class Steps {
 public:
  bool operator()(std::string_view doing, Result result) {
    if (result == success) return true;
    if (error_.empty()) error_ = std::string(doing) + ": " + error_text(result);
    return false;
  }
  const std::string& error() const { return error_; }

 private:
  std::string error_;
};

}  // namespace hone::device::cuda
