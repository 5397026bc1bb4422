#pragma once
// What is known of a device without running anything on it.
#include <cstdint>
#include <map>
#include <string>

#include "base/expr.h"
#include "base/fields_fwd.h"
#include "core/candidate.h"

namespace hone::core {

struct DeviceInfo {
  std::string id;  // "cuda:0", "opencl:0", "fake:0": what --device takes
  Language language = Language::opencl;
  bool is_cpu = false;  // device code is native code here
  std::string name, uuid, driver,
      compiler;      // uuid and driver name the device and its software across processes
  std::string arch;  // "sm_90a"; "" where there is none
  std::int64_t sm_count = 1, warp_size = 1, shared_per_block = 0, l2_bytes = 0, max_threads = 1,
               memory_bytes = 0;
  double pin_bandwidth = 0;  // bytes a second by the memory's pins; 0: not known
};

// What differs between kinds of device. Code outside device/ asks for one of these and does not ask
// what the device is.
struct Capabilities {
  bool native_code =
      false;  // device code is native code of the host: it can keep state and start threads
  bool device_clock =
      false;  // events on the device time a call; without them the judge's clock does
  bool queues_work = false;      // work can go on on the device after the host's call has returned
  bool records_kernels = false;  // the kernels of a call can be recorded with their times
};
Capabilities capabilities(const DeviceInfo& info);

// The clock that times calls. Times by device events repeat within a percent; times by the host's
// clock hold what the machine does beside the call, threads that are woken up above all.
enum class ClockKind : std::uint8_t { device, host };
ClockKind clock_of(const DeviceInfo& info);

base::Bindings device_symbols(const DeviceInfo& info);

// Whether source of this kind runs on the device: its own language does, and Python does on a GPU
// of CUDA and on a CPU.
bool can_run(Language language, const DeviceInfo& info);

// Rates this very device reached when Hone measured it: bytes or operations a second. Absent: not
// measured, or not offered.
struct Ceilings {
  double read = 0, write = 0, copy = 0;  // copy counts bytes read and written
  std::map<std::string, double> flops;   // by kind: "f32", "f64", "bf16", "f16", "tf32"
  double groups = 0,
         calls = 0;  // on a CPU: empty work-groups of a launch, calls of an empty kernel
};

void describe(base::Fields& fields, DeviceInfo& device);
void describe(base::Fields& fields, Ceilings& ceilings);

}  // namespace hone::core
