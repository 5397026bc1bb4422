#pragma once
// A device as the runner uses it: code, imported memory, one call at a time. One implementation per
// vendor library, all opened at run time, and a fake. Lives in the runner's process, on one thread;
// what it reports is believed only as far as the judge can cross-check it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "core/device_info.h"
#include "core/plan.h"

namespace hone::device {

struct KernelParameter {
  enum class Kind : std::uint8_t {
    unknown,
    buffer,
    local,
    scalar
  };  // unknown: the device does not tell
  Kind kind = Kind::unknown;
  std::uint64_t bytes = 0;  // 0: the device does not tell (local buffers)
  std::string type;         // as the device names it; "" if it does not
  std::string name;
};

struct KernelInfo {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::int64_t registers = -1, local_bytes = -1, shared_bytes = -1, constant_bytes = -1,
               max_threads = -1;  // -1: not told
};

// One binding of the plan's buffers to imported blocks: block and byte offset of the data for each
// ResolvedPlan::buffers entry.
struct BufferBinding {
  int block = 0;
  std::uint64_t offset = 0;
  bool operator==(const BufferBinding&) const = default;
};
using BindingSet = std::vector<BufferBinding>;

struct CallRequest {
  core::ResolvedPlan plan;
  std::vector<BindingSet> sets;  // one: a single call; more: calls back to back
  bool fresh_addresses = true;   // map the blocks anew, somewhere else
  // Drive the caches' contents out just before the clock starts, of each call (on a CPU the judge
  // does that itself). Without it all calls are timed together.
  bool flush = true;
  bool private_memory = false;  // copy in, run on exact-size allocations of its own, copy out (for
                                // sanitizers and profilers)
  int skip_launch =
      -1;  // leave out the launches of this [[launch]] (to see whether it has any effect)
  // For a profiler that watches from outside: the first launch of each of these [[launch]]es lies
  // between the vendor's marks "profile from here" and "to here".
  std::vector<int> marked;
  bool record = false;  // keep what the device and the driver do during the call, for activities()
  // Wait for each launch before the next one, so that a failure names its launch, and print where
  // private memory lies.
  bool one_by_one = false;
};

// One thing that happened during a recorded call, by the vendor's own tracing.
struct Activity {
  enum class Kind : std::uint8_t { kernel, copy, fill, launch_call, sync };
  Kind kind = Kind::kernel;
  double start = 0, end = 0;  // seconds, all by one clock
  int launch = -1;            // of a kernel or a launch call: index of its [[launch]]
  int stream = 0;
  std::string name;  // of a kernel
};

struct CallReport {
  bool ok = false;
  std::string error;  // the device's own words, with the launch that failed
  // First launch's start to last launch's end, by the device's clock; of calls with flushes in
  // between, the sum.
  double device_seconds = 0;
  double wall_seconds =
      0;  // by the runner's clock, from just before the first launch to everything finished
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const core::DeviceInfo& info() const = 0;

  // Loads a built image and looks up the kernels. The failure is the device's own message.
  virtual base::Result<std::vector<KernelInfo>> load(const std::string& image,
                                                     const std::vector<std::string>& kernels) = 0;

  virtual int import_block(base::Fd fd, std::uint64_t bytes) = 0;  // throws Error
  virtual void drop_blocks() = 0;

  // A call in two steps, so that nothing but the call itself lies between "go" and "done": prepare
  // maps memory and encodes arguments.
  virtual base::Result<bool> prepare(const CallRequest& request) = 0;
  virtual CallReport go() = 0;

  // What the last call did, where it was prepared with `record`; or why that is not known, and how
  // to fix it.
  virtual base::Result<std::vector<Activity>> activities() {
    return base::Failure{std::string("this kind of device keeps no record of what it does")};
  }
};

// ---- compiling, which needs no device and happens in a process of its own

struct BuildRequest {
  core::Language language = core::Language::opencl;
  std::string device_id;  // "opencl:0", or a lasting id: whose compiler; CUDA needs only arch
  std::string arch;       // "sm_90a"
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> defines;
  bool line_info =
      false;  // for profilers: which line an instruction came from; the code is the same
  // CUDA: the image is PTX with delays that disturb its schedule (device/ptx_disturb.h), chosen by
  // this; 0: none.
  std::uint32_t disturb = 0;
};

struct BuildResult {
  bool ok = false;
  std::string image;  // what load() takes
  std::string log;    // the compiler's own words, untrimmed
  // Things device code may not have: "a writable global 'counter'", "the device heap (malloc)".
  // Empty: none found.
  std::vector<std::string> forbidden;
  std::vector<std::string> traits;  // of CUDA code: device/ptx_traits.h
};

BuildResult compile(const BuildRequest& request);
// Name and version of the compiler for a language, "" if there is none here; part of the build
// cache's key.
std::string compiler_version(core::Language language, const std::string& device_id);

// ---- what is here

struct BackendReport {
  core::Language language = core::Language::opencl;
  bool available = false;
  std::string why, fix;  // where it is not
  std::vector<core::DeviceInfo> devices;
  std::vector<std::string>
      notes;  // e.g. "NVRTC 13.0 found without a GPU: sources can be compiled, not run"
};
std::vector<BackendReport> discover();  // never throws for what is merely absent

// "cuda:0", "opencl:1", "fake:0", a lasting id, or "" for the best one here (CUDA before OpenCL).
// Throws Error that says what is missing and how to fix it.
core::DeviceInfo find_device(const std::string& id);
std::unique_ptr<Device> open_device(const std::string& id);
// What finds the same device in another process. OpenCL counts the devices in sight, and in a
// sandbox fewer may be.
std::string lasting_id(const core::DeviceInfo& info);

// ---- the state it was measured in

struct DeviceState {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c, power_w;
  std::string throttle;  // reasons in words; "" none or not known
  std::vector<std::string>
      other_users;      // other processes at work on it, "pid 4711 python3 (2.1 GiB)"
  std::string missing;  // why there is nothing of the above
};
DeviceState read_state(const core::DeviceInfo& info, const std::vector<int>& own_pids);

}  // namespace hone::device
