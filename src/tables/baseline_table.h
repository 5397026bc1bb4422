#pragma once
// What torch takes on each problem, as tables: for people, and in Markdown, device by device. Pure
// functions.
#include <string>
#include <vector>

#include "tables/baselines.h"
#include "text/format.h"

namespace hone::tables {

std::string baselines_text(const std::vector<BaselineLine>& lines, const text::Screen& screen);
// `command` is what made the lines.
std::string baselines_markdown(const std::vector<BaselineLine>& lines, const std::string& command);

}  // namespace hone::tables
