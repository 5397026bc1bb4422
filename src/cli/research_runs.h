#pragma once
// `hone runs RUN` of a run of models, as text: its facts, its candidates and what was spent. Pure
// but for the recorded baselines, which are read from the home folder.
#include <string>

#include "report/summary.h"
#include "text/format.h"

namespace hone::cli {

std::string research_run_text(const report::RunSummary& summary, const text::Screen& screen);

}  // namespace hone::cli
