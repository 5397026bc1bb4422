// Stands in for libcuda.so.1 in the tests of the light loader (resources/python/hone_light.py) and
// of shared memory (blocks.py): it has the functions that they call, writes down what it was called
// with, and fails where it is told to. Built a second time with HONE_OLD_DRIVER it lacks what
// drivers before CUDA 12 lack.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct Attribute {
  int id, pad;
  unsigned value[16];
};

struct Config {
  unsigned grid[3], block[3], shared;
  void* queue;
  Attribute* attributes;
  unsigned count;
};

struct Function {
  std::string name;
};

std::string log_text;
std::map<std::string, int> failures;                         // by function
std::map<std::string, std::vector<std::size_t>> parameters;  // bytes of each parameter, by kernel
std::map<std::string, Function> functions;
int context = 0;  // any address will do

// Writes a call down and says what it is to answer.
int called(const std::string& name, const std::string& words = "") {
  log_text += name + (words.empty() ? "" : " ") + words + "\n";
  const auto found = failures.find(name);
  if (found == failures.end()) return 0;
  const int code = found->second;
  if (code < 0) failures.erase(found);  // only this once
  return code < 0 ? -code : code;
}

std::string hex(const void* data, std::size_t bytes) {
  std::string text;
  char digits[3];
  for (std::size_t i = 0; i < bytes; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(data)[i]);
    text += digits;
  }
  return text;
}

std::string numbers(std::initializer_list<unsigned long long> values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

// What a driver does with kernelParams: copies as many bytes as the kernel declares from each
// address.
std::string arguments(const Function* function, void** pointers) {
  std::string text;
  std::size_t index = 0;
  for (const std::size_t bytes : parameters[function->name])
    text += " " + hex(pointers[index++], bytes);
  return text;
}

}  // namespace

extern "C" {

// ---- for the tests

const char* fake_log() { return log_text.c_str(); }
void fake_reset() {
  log_text.clear();
  failures.clear();
  parameters.clear();
}
void fake_fail(const char* function, int code) {
  failures[function] = code;
}  // negative: the next call only
void fake_parameter(const char* kernel, std::size_t bytes) { parameters[kernel].push_back(bytes); }

// ---- the driver

int cuInit(unsigned) { return called("cuInit"); }
int cuGetErrorName(int code, const char** text) {
  *text = code == 1     ? "CUDA_ERROR_INVALID_VALUE"
          : code == 720 ? "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"
                        : nullptr;
  return *text != nullptr ? 0 : 1;
}
int cuGetErrorString(int code, const char** text) {
  *text = code == 1 ? "invalid argument" : nullptr;
  return *text != nullptr ? 0 : 1;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return called("cuDeviceGet", std::to_string(ordinal));
}
int cuDevicePrimaryCtxRetain(void** made, int) {
  *made = &context;
  return called("cuDevicePrimaryCtxRetain");
}
int cuCtxSetCurrent(void* given) {
  return called("cuCtxSetCurrent", given == &context ? "ours" : "another");
}
int cuModuleLoadData(void** module, const void* image) {
  *module = &context;
  return called("cuModuleLoadData", hex(image, 4));
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  functions[name].name = name;
  *function = &functions[name];
  return called("cuModuleGetFunction",
                std::string(name) + (module == &context ? "" : " of another module"));
}
int cuFuncGetAttribute(int* value, int attribute, const Function* function) {
  *value = 100 + attribute;
  return called("cuFuncGetAttribute", function->name + " " + std::to_string(attribute));
}
int cuFuncSetAttribute(const Function* function, int attribute, int value) {
  return called("cuFuncSetAttribute",
                function->name + " " + std::to_string(attribute) + "=" + std::to_string(value));
}
int cuLaunchKernel(const Function* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void* queue, void** pointers,
                   void** extra) {
  return called("cuLaunchKernel", f->name + " grid " + numbers({gx, gy, gz}) + " block " +
                                      numbers({bx, by, bz}) + " shared " + std::to_string(shared) +
                                      " queue " +
                                      std::to_string(reinterpret_cast<std::uintptr_t>(queue)) +
                                      (extra != nullptr ? " extra" : "") + arguments(f, pointers));
}

// Shared memory: allocations are memory files, device addresses are the host's.
int cuMemGetAllocationGranularity(std::size_t* unit, const void*, int) {
  *unit = 65536;
  return called("cuMemGetAllocationGranularity");
}
int cuMemImportFromShareableHandle(std::uint64_t* handle, void* descriptor, int type) {
  *handle = 1000u + static_cast<unsigned>(
                        ::dup(static_cast<int>(reinterpret_cast<std::intptr_t>(descriptor))));
  return called("cuMemImportFromShareableHandle", std::to_string(type));
}
int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t, std::uint64_t,
                        std::uint64_t) {
  void* place =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<std::uintptr_t>(place);
  return called("cuMemAddressReserve");
}
int cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t, std::uint64_t handle,
             std::uint64_t) {
  void* place = ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
                       static_cast<int>(handle - 1000), 0);
  return called("cuMemMap") + (place == MAP_FAILED ? 1 : 0);
}
int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const int* access, std::size_t count) {
  ::mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE);
  return called("cuMemSetAccess",
                numbers({static_cast<unsigned>(access[0]), static_cast<unsigned>(access[1]),
                         static_cast<unsigned>(access[2]), count}));
}
int cuMemUnmap(std::uint64_t address, std::size_t bytes) {
  ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return called("cuMemUnmap");
}
int cuMemAddressFree(std::uint64_t address, std::size_t bytes) {
  ::munmap(reinterpret_cast<void*>(address), bytes);
  return called("cuMemAddressFree");
}
int cuMemRelease(std::uint64_t handle) {
  ::close(static_cast<int>(handle - 1000));
  return called("cuMemRelease");
}

#ifndef HONE_OLD_DRIVER
int cuFuncGetParamInfo(const Function* function, std::size_t index, std::size_t* offset,
                       std::size_t* size) {
  const auto& sizes = parameters[function->name];
  if (const auto found = failures.find("cuFuncGetParamInfo"); found != failures.end())
    return found->second;
  if (index >= sizes.size()) return 1;
  *offset = 0;
  *size = sizes[index];
  return 0;
}
int cuLaunchKernelEx(const Config* c, const Function* f, void** pointers, void**) {
  std::string words = f->name + " grid " + numbers({c->grid[0], c->grid[1], c->grid[2]}) +
                      " block " + numbers({c->block[0], c->block[1], c->block[2]}) + " shared " +
                      std::to_string(c->shared) + " queue " +
                      std::to_string(reinterpret_cast<std::uintptr_t>(c->queue));
  for (unsigned i = 0; i < c->count; ++i) {
    const Attribute& a = c->attributes[i];
    words +=
        " attribute " + std::to_string(a.id) + "=" + numbers({a.value[0], a.value[1], a.value[2]});
  }
  return called("cuLaunchKernelEx", words + arguments(f, pointers));
}
int cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* address,
                           const std::uint64_t* dims, const std::uint64_t* strides,
                           const std::uint32_t* box, const std::uint32_t* steps, int interleave,
                           int swizzle, int l2, int fill) {
  std::string words = "type " + std::to_string(type) + " at " +
                      std::to_string(reinterpret_cast<std::uintptr_t>(address));
  for (std::uint32_t i = 0; i < rank; ++i)
    words += " [" + numbers({dims[i], i + 1 < rank ? strides[i] : 0, box[i], steps[i]}) + "]";
  words += reinterpret_cast<std::uintptr_t>(map) % 64 == 0 ? "" : " misaligned";
  std::memset(map, 0x5a, 128);
  return called("cuTensorMapEncodeTiled", words + " interleave " + std::to_string(interleave) +
                                              " swizzle " + std::to_string(swizzle) + " l2 " +
                                              std::to_string(l2) + " fill " + std::to_string(fill));
}
#endif
}
