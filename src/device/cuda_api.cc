#include "device/cuda_api.h"

#include <dlfcn.h>
#include <unistd.h>

#include <vector>

#include "base/error.h"
#include "device/cuda_toolkit.h"

namespace hone::device::cuda {
namespace {

// Looks up a table of functions; remembers the first that the library does not have.
struct Loader {
  void* library;
  std::string missing;

  template <typename F>
  // What is needed is there in every driver that Hone supports; what is wanted belongs to newer
  // ones, and is null in others.
  void need(F*& function, const char* symbol) {
    want(function, symbol);
    if (function == nullptr && missing.empty()) missing = symbol;
  }
  template <typename F>
  void want(F*& function, const char* symbol) {
    function = reinterpret_cast<F*>(::dlsym(library, symbol));
  }
};
#define HONE_CUDA_NEED(name, symbol, ...) load.need(table.name, symbol);
#define HONE_CUDA_WANT(name, symbol, ...) load.want(table.name, symbol);

std::string last_dl_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "unknown reason" : text;
}

Driver open_driver() {
  Driver table;
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    table.missing = "the NVIDIA driver's library cannot be opened (" + last_dl_error() + ")";
    return table;
  }
  Loader load{library, {}};
  HONE_CUDA_DRIVER(HONE_CUDA_NEED)
  HONE_CUDA_DRIVER_OPTIONAL(HONE_CUDA_WANT)
  if (!load.missing.empty()) {
    table.missing = "libcuda.so.1 has no symbol " + load.missing +
                    ": the driver is too old (Hone needs one for CUDA 12 or newer)";
    return table;
  }
  const Result result = table.init(0);
  if (result == success) return table;
  const char *name = nullptr, *text = nullptr;
  table.error_name(result, &name);
  table.error_string(result, &text);
  table.missing = fmt::format("cuInit: {} ({})", name == nullptr ? std::to_string(result) : name,
                              text == nullptr ? "no text" : text);
  return table;
}

Nvrtc open_nvrtc() {
  Nvrtc table;
  std::string reasons;
  for (const std::string& path : nvrtc_places()) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      if (reasons.empty()) reasons = last_dl_error();
      continue;
    }
    Loader load{library, {}};
    HONE_CUDA_NVRTC(HONE_CUDA_NEED)
    table.path = path;
    table.missing = load.missing.empty() ? ""
                                         : path + " has no symbol " + load.missing +
                                               ": it is too old (Hone needs NVRTC 12 or newer)";
    return table;
  }
  table.missing = "NVRTC, CUDA's run-time compiler, was not found (" + reasons + ")";
  return table;
}

Nvml open_nvml() {
  Nvml table;
  void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    table.missing = "NVML cannot be opened (" + last_dl_error() + ")";
    return table;
  }
  Loader load{library, {}};
  HONE_CUDA_NVML(HONE_CUDA_NEED)
  HONE_CUDA_NVML_OPTIONAL(HONE_CUDA_WANT)
  if (!load.missing.empty()) {
    table.missing = "libnvidia-ml.so.1 has no symbol " + load.missing + ": the driver is too old";
  } else if (const int result = table.init(); result != 0) {
    table.missing = fmt::format("nvmlInit: {}", table.error_string(result));
  }
  return table;
}

}  // namespace

const char* const driver_fix =
    "install the NVIDIA driver (nvidia-smi must work); in a container pass the GPU through (--gpus "
    "all)";
const char* const nvrtc_fix =
    "install the CUDA toolkit 12 or newer (libnvrtc) and set CUDA_HOME if it is not in "
    "/usr/local/cuda";

const Driver& driver() {
  static const Driver table = open_driver();
  static const pid_t owner = ::getpid();
  if (table.missing.empty() && owner != ::getpid())
    base::fail(base::ExitCode::environment,
               "CUDA was started in process {} and does not survive a fork into {}: start a new "
               "program instead",
               owner, ::getpid());
  return table;
}

const Nvrtc& nvrtc() {
  static const Nvrtc table = open_nvrtc();
  return table;
}

const Nvml& nvml() {
  static const Nvml table = open_nvml();
  return table;
}

const Driver& require_driver() {
  const Driver& table = driver();
  if (!table.missing.empty())
    base::fail(base::ExitCode::environment, "CUDA cannot be used: {}: {}", table.missing,
               driver_fix);
  return table;
}

std::string error_text(Result result) {
  const Driver& table = driver();
  const char *name = nullptr, *text = nullptr;
  if (table.error_name == nullptr || table.error_name(result, &name) != success || name == nullptr)
    return fmt::format("CUDA error {}", result);
  if (table.error_string(result, &text) != success || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

void check(Result result, std::string_view doing) {
  if (result == success) return;
  const char* hint =
      result == error_out_of_memory
          ? ": the device's memory is full; end other programs on it or use smaller cases"
          : "";
  base::fail(base::ExitCode::environment, "CUDA: {}: {}{}", doing, error_text(result), hint);
}

}  // namespace hone::device::cuda
