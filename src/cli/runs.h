#pragma once
// `hone runs` as text: the list of runs, and one tuning run with its points. Pure; the screen
// decides on colours and width.
#include <string>

#include "app/runs.h"
#include "text/format.h"

namespace hone::cli {

std::string runs_text(const std::vector<app::RunLine>& lines, const text::Screen& screen);
std::string tuning_run_text(const app::TuningRunShown& shown, const text::Screen& screen);

}  // namespace hone::cli
