#pragma once
// From Nsight Compute's own names to the tags of profile/tags.h: what is asked for, and what it
// comes to. Pure functions.
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "profile/facts.h"
#include "profile/line_map.h"
#include "profile/ncu_csv.h"

namespace hone::profile {

// For --metrics: exactly what the tags need. Whole sections bring three times as much and cost a
// replay of the kernel for each few counters more.
std::vector<std::string> ncu_metric_names();

// Metrics kernel.* of one launch; a tag whose numbers are not there is without value, with the
// reason.
void add_kernel_metrics(const NcuLaunch& read, int launch, std::vector<core::Metric>& metrics);
// All tags that every kernel has, without values, for all launches or for one.
void add_missing_kernel_metrics(const std::string& why, std::optional<int> launch,
                                std::vector<core::Metric>& metrics);

// Samples by the candidate's own lines (0: code from elsewhere), hottest first. `source` is the
// candidate's.
std::vector<LineSamples> samples_by_line(const NcuListing& listing, const LineMap& lines,
                                         const std::string& source, int launch);
// Metrics line.*: samples and stalls of every line that has any, and what its accesses move.
void add_line_metrics(const NcuListing& listing, const LineMap& lines, int launch,
                      std::vector<core::Metric>& metrics);

// The hottest lines of all launches together. `weights` are the launches' shares of the call's
// time: the sampler takes as many samples of a short kernel as of a long one.
std::vector<core::HotLine> hottest(const std::vector<LineSamples>& lines,
                                   const std::map<int, double>& weights, std::size_t most);

}  // namespace hone::profile
