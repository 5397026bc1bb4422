#pragma once
// A compiler's log cut down to what helps to fix the source: errors first, each once, with the lines that belong to
// them. Pure.
#include <string>
#include <string_view>

namespace hone::runner {

std::string trim_log(std::string_view log);

}  // namespace hone::runner
