#pragma once
// A run's summary for people (Markdown). For programs: report/summary.h describes it. Pure.
#include <string>

#include "report/chart.h"
#include "report/summary.h"

namespace hone::report {

// `beside`: a control arm, or null. `chart`: the name of the chart's file, "" for none.
std::string summary_markdown(const RunSummary& summary, const RunSummary* beside,
                             const std::string& chart);
Chart summary_chart(const RunSummary& summary, const RunSummary* beside);

// Pieces that `hone runs RUN` shows too.
std::string format_usd(double usd);       // "$0.0123", "$12.35"
std::string format_gain(double percent);  // "saves 12.3 %", "costs 4 %"
std::string prediction_text(const RunSummary& summary,
                            const core::Node& node);  // "20 to 40 %"; "" for none

}  // namespace hone::report
