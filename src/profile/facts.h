#pragma once
// What a tool may read: the candidate, the device, and everything that was measured, seen from one
// launch of the plan. Pure data; tools are pure functions of it.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/roofline.h"

namespace hone::profile {

// Metrics by tag and launch. Of line metrics only what accesses move is in it (line.global.*,
// line.shared.*), summed over the launch's lines; for the others see Facts::lines.
class MetricTable {
 public:
  MetricTable() = default;
  explicit MetricTable(const std::vector<core::Metric>& metrics);

  // The value for this launch, else for the whole call.
  std::optional<double> get(std::string_view tag, std::optional<int> launch) const;
  // Why there is none: the collector's reason, or "it was not measured".
  std::string missing(std::string_view tag, std::optional<int> launch) const;
  // Everything under a prefix ("kernel.stall."), by what follows it.
  std::map<std::string, double> under(std::string_view prefix, std::optional<int> launch) const;

 private:
  struct Value {
    std::optional<double> value;
    std::string missing;
  };
  std::map<std::pair<std::string, int>, Value> values_;  // launch -1: the call
};

// Samples of one source line, all reasons.
struct LineSamples {
  int line = 0;
  std::string text;
  double samples = 0;
  std::map<std::string, double> stalls;  // by reason, counts
  std::optional<int> launch;
  double code = 0;  // on a CPU instead of samples: part of the inner loops' instructions
};

struct Facts {
  const core::Task* task = nullptr;
  const core::Case* which = nullptr;
  const core::Candidate* candidate = nullptr;
  core::ResolvedPlan plan;
  core::DeviceInfo device;
  core::Ceilings ceilings;
  core::Roofline roofline;    // of the case
  core::Diagnosis diagnosis;  // stage one
  MetricTable metrics;
  std::vector<LineSamples> lines;  // hottest first
  double seconds = 0;              // of one call
  // The launch that is looked at: its index in the plan, its kernel, and its share of the call's
  // kernel time (equal parts where they were not timed). Absent: a tool for the whole call.
  std::optional<int> launch;
  std::string kernel;
  double share = 1;
  bool share_timed = true;

  std::optional<double> get(std::string_view tag) const { return metrics.get(tag, launch); }
};

}  // namespace hone::profile
