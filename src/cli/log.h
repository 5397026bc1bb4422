#pragma once
// `hone log` as text.
#include <string>

#include "app/log.h"
#include "text/evaluation_table.h"
#include "text/format.h"

namespace hone::cli {

std::string log_text(const app::LogRequest& request, const app::LogResult& result,
                     const text::Screen& screen);

// For `hone runs`, as long as it is no function of app/.
using text::evaluation_table;

}  // namespace hone::cli
