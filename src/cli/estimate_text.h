#pragma once
// What a run would cost, for `hone run --dry-run`: a table of the roles that ask models, and what
// the estimate rests on. Pure; the screen decides on colours and width.
#include <string>

#include "app/estimate.h"
#include "text/format.h"

namespace hone::cli {

std::string estimate_text(const app::RunEstimate& estimate, const text::Screen& screen);

}  // namespace hone::cli
