#pragma once
// A compiler's log cut down to what helps with the source: errors first, each once, with the lines
// that belong to them; ptxas's messages on wgmma, but not its resource reports. Pure.
#include <string>
#include <string_view>

namespace hone::runner {

// `own`: the name of the source; warnings about other files (the toolkit's headers) are left out.
// "": all are kept.
std::string trim_log(std::string_view log, std::string_view own = "");

// Of the stack that Python prints when it is aborted, the innermost call first: what its author can
// use, without the frames of Hone's own files and of the interpreter's start.
std::string trim_stack(std::string_view log);

}  // namespace hone::runner
