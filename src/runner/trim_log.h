#pragma once
// A compiler's log cut down to what helps with the source: errors first, each once, with the lines that belong to them;
// ptxas's messages on wgmma, but not its resource reports. Pure.
#include <string>
#include <string_view>

namespace hone::runner {

// `own`: the name of the source; warnings about other files (the toolkit's headers) are left out. "": all are kept.
std::string trim_log(std::string_view log, std::string_view own = "");

}  // namespace hone::runner
