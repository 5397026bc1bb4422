#pragma once
// The chapters of a report that follow candidates from one to the next: how the best came to be,
// how often the predictions were right, and what became of advice. Pure.
#include <string>
#include <vector>

#include "report/summary.h"

namespace hone::report {

std::string lineage_markdown(
    const RunSummary& summary);  // each step with its experiment, gain, evidence and diff
std::string predictions_markdown(const RunSummary& summary);  // "" where nothing was predicted
std::string advice_markdown(
    const RunSummary& summary);  // what experiments cited; "" where none was shown
std::string node_names(const std::vector<core::NodeId>& numbers);  // "00001, 00003"

}  // namespace hone::report
