#pragma once
// `hone recheck` as text.
#include <string>

#include "app/recheck.h"
#include "text/format.h"

namespace hone::cli {

std::string recheck_text(const app::RecheckResult& result, const text::Screen& screen);

}  // namespace hone::cli
