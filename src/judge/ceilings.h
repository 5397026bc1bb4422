#pragma once
// The rates that a device reaches at most: memory bandwidth, arithmetic, starts of empty kernels.
// They are measured once for a device and its driver, by the programs in resources/ceilings, and
// saved in Hone's home folder. Candidates' times are reported relative to them, and where a
// device's pin bandwidth is not known, the physical floor is derived from them (floors.h). Used
// from one thread.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/device_info.h"

namespace hone::judge {

// One measurement: a kernel of resources/ceilings with one launch shape.
struct CeilingProbe {
  std::string kind;    // "read", "write", "copy", "groups", "calls", or a kind of arithmetic: "f32"
  std::string kernel;  // "read_runs"
  std::string shape;   // "16 × 1": blocks and threads of a block
  double rate = 0;     // bytes, operations, groups or calls a second in the best repetition
};
void describe(base::Fields& fields, CeilingProbe& probe);  // in JSON: see base/fields.h

struct CeilingRecord {
  core::Ceilings best;
  std::vector<CeilingProbe> probes;
  std::vector<std::string> problems;  // what could not be measured, and why
  std::vector<std::string>
      other_users;     // processes that used the device meanwhile: the rates may be too low
  double seconds = 0;  // that measuring took
  bool has_start_rates =
      true;  // false: read from a file of version 1, which has no `groups` and `calls`
};

struct CeilingOptions {
  bool unsafe = false;  // see JudgeOptions
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Measures now, under the device's lease. Throws Error where the device cannot be used at all.
CeilingRecord measure_ceilings(const core::DeviceInfo& info, const CeilingOptions& options);

// Raises each rate of `record` to that of `earlier` where that is higher.
void merge_best_rates(CeilingRecord& record, const CeilingRecord& earlier);

std::filesystem::path ceilings_path(const core::DeviceInfo& info);
// The saved record; nothing if there is no file or it cannot be read.
std::optional<CeilingRecord> saved_ceilings(const core::DeviceInfo& info);
void save_ceilings(const core::DeviceInfo& info,
                   const CeilingRecord& record);  // throws Error if the disk refuses

// Whether rates are missing, or may be too low because other programs used the device then, and do
// not now.
bool is_worth_measuring_again(const CeilingRecord& saved, bool native_code, bool others_now);

// The ceilings for a judge: the saved ones; if there are none, or they are worth measuring again,
// and `measure_if_missing` is true, they are measured and saved now. All zero for a device that
// cannot be measured.
core::Ceilings ceilings_of(const core::DeviceInfo& info, bool measure_if_missing,
                           const CeilingOptions& options = {});

}  // namespace hone::judge
