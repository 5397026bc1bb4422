@about@#include "@function@.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace {

const char hone_source[] = @source@;
const char hone_options[] = "-cl-std=CL1.2 -cl-kernel-arg-info@options@";
const char* const hone_kernel_names[] = {@kernel_names@};
constexpr size_t hone_kernel_count = sizeof hone_kernel_names / sizeof hone_kernel_names[0];

[[maybe_unused]] inline int64_t hone_min(int64_t a, int64_t b) { return b < a ? b : a; }
[[maybe_unused]] inline int64_t hone_max(int64_t a, int64_t b) { return a < b ? b : a; }
[[maybe_unused]] inline int64_t hone_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
[[maybe_unused]] inline int64_t hone_next_pow2(int64_t a) {
  int64_t p = 1;
  while (p < a) p *= 2;
  return p;
}

struct HoneBuilt {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  cl_program program = nullptr;  // holds on to the context, so that its address stays its own
  cl_kernel kernels[hone_kernel_count] = {};
};

std::mutex hone_mutex;  // a kernel object takes arguments from one thread at a time
std::vector<HoneBuilt> hone_all_built;
std::string hone_log;

void hone_give_back(HoneBuilt& built) {
  for (cl_kernel kernel : built.kernels)
    if (kernel != nullptr) clReleaseKernel(kernel);
  if (built.program != nullptr) clReleaseProgram(built.program);
}

cl_int hone_build(HoneBuilt& built) {
  const char* text = hone_source;
  const size_t length = sizeof hone_source - 1;
  cl_int error = CL_SUCCESS;
  built.program = clCreateProgramWithSource(built.context, 1, &text, &length, &error);
  if (error != CL_SUCCESS) return error;
  error = clBuildProgram(built.program, 1, &built.device, hone_options, nullptr, nullptr);
  if (error != CL_SUCCESS) {
    size_t size = 0;
    clGetProgramBuildInfo(built.program, built.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    hone_log.assign(size, '\0');
    clGetProgramBuildInfo(built.program, built.device, CL_PROGRAM_BUILD_LOG, size, &hone_log[0], nullptr);
    return error;
  }
  for (size_t i = 0; i < hone_kernel_count && error == CL_SUCCESS; ++i) built.kernels[i] = clCreateKernel(built.program, hone_kernel_names[i], &error);
  return error;
}

cl_int hone_find(cl_command_queue queue, HoneBuilt** found) {
  HoneBuilt built;
  cl_int error = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof built.context, &built.context, nullptr);
  if (error == CL_SUCCESS) error = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof built.device, &built.device, nullptr);
  if (error != CL_SUCCESS) return error;
  for (HoneBuilt& known : hone_all_built)
    if (known.context == built.context && known.device == built.device) return *found = &known, CL_SUCCESS;
  error = hone_build(built);
  if (error != CL_SUCCESS) return hone_give_back(built), error;
  hone_all_built.push_back(built);
  *found = &hone_all_built.back();
  return CL_SUCCESS;
}

template <typename T>
T hone_fact(cl_command_queue queue, cl_device_info what) {
  cl_device_id device = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  T value{};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

// Parts of a workspace begin where the device lets a buffer begin.
[[maybe_unused]] int64_t hone_padded(cl_command_queue queue, int64_t bytes) {
  const int64_t alignment = std::max<int64_t>(1, hone_fact<cl_uint>(queue, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
  return (bytes + alignment - 1) / alignment * alignment;
}

// One launch: arguments first, then the call. Each waits for the one before it, so that any kind of queue will do.
class HoneCall {
 public:
  HoneCall(cl_command_queue queue, HoneBuilt& built, cl_uint wait_count, const cl_event* wait_list) : queue_(queue), built_(built), wait_count_(wait_count), wait_list_(wait_list) {}
  HoneCall(const HoneCall&) = delete;
  ~HoneCall() {
    for (cl_mem part : parts_) clReleaseMemObject(part);
    if (last_ != nullptr) clReleaseEvent(last_);
  }

  cl_mem take(cl_mem workspace, int64_t bytes) {
    const cl_buffer_region region{size_t(offset_), size_t(bytes)};
    offset_ += bytes;
    cl_int error = CL_SUCCESS;
    cl_mem part = workspace == nullptr ? nullptr : clCreateSubBuffer(workspace, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    if (part == nullptr) return note(error != CL_SUCCESS ? error : CL_INVALID_MEM_OBJECT), nullptr;
    parts_.push_back(part);
    return part;
  }

  void start(size_t kernel) {
    kernel_ = built_.kernels[kernel];
    index_ = 0;
  }
  void buffer(cl_mem value) { note(clSetKernelArg(kernel_, index_++, sizeof value, &value)); }
  void local(int64_t bytes) { note(clSetKernelArg(kernel_, index_++, size_t(bytes), nullptr)); }
  template <typename T>
  void scalar(T value) {
    note(clSetKernelArg(kernel_, index_++, sizeof value, &value));
  }
  // As wide as the kernel declares it.
  void integer(int64_t value) {
    char type[64] = "";
    size_t width = 0;
    if (clGetKernelArgInfo(kernel_, index_, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr) == CL_SUCCESS)
      width = width_of(type);
    cl_int error = CL_INVALID_ARG_SIZE;
    for (const size_t tried : {size_t(8), size_t(4), size_t(2), size_t(1)})
      if (error == CL_INVALID_ARG_SIZE && (width == 0 || width == tried)) error = set_low_bytes(value, tried);
    ++index_;
    note(error);
  }
  cl_int launch(int64_t gx, int64_t gy, int64_t gz, int64_t bx, int64_t by, int64_t bz) {
    if (gx < 1 || gy < 1 || gz < 1 || bx < 1 || by < 1 || bz < 1) note(CL_INVALID_GLOBAL_WORK_SIZE);
    const size_t global[3] = {size_t(gx * bx), size_t(gy * by), size_t(gz * bz)}, group[3] = {size_t(bx), size_t(by), size_t(bz)};
    cl_event done = nullptr;
    if (error_ == CL_SUCCESS) note(clEnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, global, group, last_ ? 1 : wait_count_, last_ ? &last_ : wait_list_, &done));
    if (last_ != nullptr) clReleaseEvent(last_);
    last_ = done;
    launched_ = true;
    return error_;
  }
  cl_int finish(cl_event* event) {
    if (error_ == CL_SUCCESS && !launched_) return CL_INVALID_VALUE;
    if (error_ == CL_SUCCESS && event != nullptr) {
      *event = last_;
      last_ = nullptr;
    }
    return error_;
  }

 private:
  void note(cl_int error) {
    if (error_ == CL_SUCCESS) error_ = error;
  }
  static size_t width_of(const char* type) {
    struct Row {
      const char* name;
      size_t bytes;
    };
    static const Row rows[] = {{"long", 8}, {"ulong", 8}, {"unsigned long", 8}, {"int", 4}, {"uint", 4}, {"unsigned int", 4}, {"short", 2}, {"ushort", 2}, {"unsigned short", 2}, {"char", 1}, {"uchar", 1}, {"unsigned char", 1}};
    for (const Row& row : rows)
      if (std::strcmp(row.name, type) == 0) return row.bytes;
    return 0;  // a typedef: the widths are tried
  }
  cl_int set_low_bytes(int64_t value, size_t bytes) {
    const cl_long wide = value;
    const cl_int middle = static_cast<cl_int>(value);
    const cl_short narrow = static_cast<cl_short>(value);
    const cl_char byte = static_cast<cl_char>(value);
    const void* from = bytes == 8 ? static_cast<const void*>(&wide) : bytes == 4 ? static_cast<const void*>(&middle) : bytes == 2 ? static_cast<const void*>(&narrow) : &byte;
    return clSetKernelArg(kernel_, index_, bytes, from);
  }

  cl_command_queue queue_;
  HoneBuilt& built_;
  cl_uint wait_count_;
  const cl_event* wait_list_;
  cl_kernel kernel_ = nullptr;
  cl_uint index_ = 0;
  cl_event last_ = nullptr;
  cl_int error_ = CL_SUCCESS;
  bool launched_ = false;
  int64_t offset_ = 0;
  std::vector<cl_mem> parts_;
};

}  // namespace

size_t @function@_workspace_bytes([[maybe_unused]] cl_command_queue queue@comma_sizes@) {
  if (@bad_sizes@) return 0;
@constants@@facts@  int64_t hone_bytes = 0;
@workspace_sum@  return size_t(hone_bytes);
}

cl_int @function@(cl_command_queue queue, @parameters@, [[maybe_unused]] cl_mem workspace, cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
  if (@bad_sizes@) return CL_INVALID_VALUE;
@constants@@facts@  const std::lock_guard<std::mutex> hone_lock(hone_mutex);
  HoneBuilt* hone_built = nullptr;
  if (const cl_int error = hone_find(queue, &hone_built); error != CL_SUCCESS) return error;
  HoneCall launch(queue, *hone_built, wait_count, wait_list);
@scratch@@launches@  return launch.finish(event);
}

const char* @function@_build_log() { return hone_log.c_str(); }

void @function@_release() {
  const std::lock_guard<std::mutex> hone_lock(hone_mutex);
  for (HoneBuilt& built : hone_all_built) hone_give_back(built);
  hone_all_built.clear();
}
