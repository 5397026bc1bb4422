#pragma once
// The result of a tuning run for a person: the conclusion first, then what was tried, the
// comparison with the default, and the certified winner. Pure.
#include <string>

#include "app/tune.h"
#include "text/format.h"

namespace hone::cli {

std::string tune_report(const app::TuneResult& result, const text::Screen& screen);

}  // namespace hone::cli
