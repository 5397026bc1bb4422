#pragma once
// The rates this very device reaches when nothing else is asked of it: measured once for a device and its driver by the
// programs in resources/ceilings, kept in the home folder. They are reported beside a candidate's time, never judged.
// Used from one thread.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/device_info.h"

namespace hone::judge {

// One way that was tried: a kernel of resources/ceilings in one shape.
struct CeilingProbe {
  std::string kind;    // "read", "write", "copy", "groups", "calls", or a kind of arithmetic: "f32"
  std::string kernel;  // "read_runs"
  std::string shape;   // "16 × 1": blocks and threads
  double rate = 0;     // bytes, operations, groups or calls a second, the best repetition
};

struct CeilingRecord {
  core::Ceilings best;
  std::vector<CeilingProbe> probes;
  std::vector<std::string> problems;  // what could not be measured, and why
  std::vector<std::string> others;    // who else was at work on the device meanwhile: it can do better than this
  double seconds = 0;                 // that measuring took
  bool starts = true;  // what starting costs was asked for as well: files of the first version do not say
};

struct CeilingOptions {
  bool unsafe = false;  // as for candidates
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Measures now, under the device's lease. Throws Error where the device cannot be used at all.
CeilingRecord measure_ceilings(const core::DeviceInfo& info, const CeilingOptions& options);

// The better of two records, kind by kind.
void keep_the_better(CeilingRecord& record, const CeilingRecord& earlier);

std::filesystem::path ceilings_place(const core::DeviceInfo& info);
// What was kept; nothing if there is no file, or none that can be read.
std::optional<CeilingRecord> kept_ceilings(const core::DeviceInfo& info);
void keep_ceilings(const core::DeviceInfo& info, const CeilingRecord& record);  // throws Error where the disk refuses

// The ceilings for a judge: kept ones, or measured and kept where there are none and `measure_if_missing` says so.
// A device that cannot be measured has none.
core::Ceilings ceilings_of(const core::DeviceInfo& info, bool measure_if_missing, const CeilingOptions& options = {});

}  // namespace hone::judge
