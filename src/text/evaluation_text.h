#pragma once
// What the judge found, for people. Used by every command that shows an evaluation, so that all
// show it alike.
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "text/format.h"

namespace hone::text {

std::string format_point(const core::Point& point);  // "BLOCK=256 VEC=4"; "" for none
std::string paint_outcome(core::Outcome outcome, const Screen& screen);
// All of an evaluation for a person: the outcome, why, a table with a bar for each case, what it
// cost.
std::string evaluation_report(const core::Evaluation& evaluation, const core::DeviceInfo& info,
                              const Screen& screen);
// A line for each piece of evidence, and one that says where the rows which they name are
// described; part of the report.
std::string evidence_lines(const std::vector<core::Evidence>& evidence);
// "accepted, 1.15 ms", or only "wrong": what was not accepted has no time.
std::string verdict_text(const core::Evaluation& evaluation, const Screen& screen);

// Blocks of whole lines, each indented by two spaces; "" where there is nothing to say.
std::string evidence_text(const std::vector<core::Evidence>& evidence, const Screen& screen);
// With a bar to the ceiling on a terminal. `brief`: without what few readers ask for.
std::string case_table(const core::Evaluation& evaluation, const Screen& screen,
                       bool brief = false);
std::string metric_table(const std::vector<core::Metric>& metrics, const Screen& screen);

}  // namespace hone::text
