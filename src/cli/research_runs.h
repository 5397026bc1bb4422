#pragma once
// `hone runs RUN` of a run of models, as text.
#include <string>

#include "report/summary.h"
#include "text/format.h"

namespace hone::cli {

std::string research_run_text(const report::RunSummary& summary, const text::Screen& screen);

}  // namespace hone::cli
