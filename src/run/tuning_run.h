#pragma once
// A tuning run in the archive, held by one process: found again or begun, its settings, and what it
// has measured so far.
#include <map>
#include <string>

#include "base/fd.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "run/tune.h"
#include "search/point_search.h"
#include "store/tuning.h"

namespace hone::run {

// What decides which points are asked in which order. A run is resumed only under the same
// settings.
struct TuningSettings {
  std::uint64_t seed = 1;
  std::string case_name;
  search::PointSearchKind strategy = search::PointSearchKind::exhaustive;
};
std::string to_text(const TuningSettings& settings);
std::optional<TuningSettings> settings_from(
    const std::string& text);  // nothing: not written by this version

struct TuningRun {
  std::string id;
  store::Time created{};
  TuningSettings settings;
  std::map<core::Point, core::Evaluation> known;  // measured before
  base::Fd lock;                                  // one process at a time works on a run
};

// Goes on with the newest unfinished run that fits, or begins one, as the options say. Throws Error
// where that cannot be.
TuningRun open_tuning_run(store::Archive& archive, const core::Task& task,
                          const core::Candidate& candidate, const core::DeviceInfo& info,
                          const TuneOptions& options);

}  // namespace hone::run
