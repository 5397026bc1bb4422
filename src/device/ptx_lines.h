#pragma once
// ptxas names lines of the PTX in its messages ("warpgroup.arrive is injected in around line 47").
// PTX that was compiled with line information says which line of the source each of them came from.
// Pure.
#include <string>
#include <string_view>

namespace hone::device {

bool names_ptx_lines(std::string_view log);
// The log with the source's lines in place of the PTX's, as "near candidate.cu(9)"; the innermost
// line of the source itself counts where code was inlined from a header.
std::string with_source_lines(std::string_view log, std::string_view ptx,
                              std::string_view source_name);

}  // namespace hone::device
