#pragma once
// A run's story for people (Markdown) and for programs (JSON). The same facts in both; pure.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/chart.h"
#include "report/story.h"

namespace hone::report {

// `beside`: a control arm, or null. `chart`: the name of the chart's file, "" for none.
std::string story_markdown(const Story& story, const Story* beside, const std::string& chart);
nlohmann::json story_json(const Story& story, const Story* beside);
Chart story_chart(const Story& story, const Story* beside);

// Pieces that `hone runs RUN` shows too.
std::string format_usd(double usd);       // "$0.0123", "$12.35"
std::string format_gain(double percent);  // "saves 12.3 %", "costs 4 %"
std::string prediction_text(const Story& story,
                            const core::Node& node);  // "20 to 40 %"; "" for none

}  // namespace hone::report
