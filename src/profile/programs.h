#pragma once
// Tools that are programs: a command line that gets the facts as JSON on its standard input and answers advice as JSON
// (docs/adding-a-tool.md). One that hangs, crashes, talks nonsense or too much is reported and skipped.
#include <chrono>
#include <string>
#include <vector>

#include "profile/tool.h"

namespace hone::profile {

inline constexpr int program_protocol = 1;
inline constexpr std::chrono::milliseconds program_limit{10000};  // it reads a page of numbers

std::string facts_json(const Facts& facts);
// Appends what the program says, or why it is left out.
void run_program(const std::string& command, const std::string& facts_text, const Facts& facts, StageTwo& result,
                 std::chrono::milliseconds limit = program_limit);
// "coalescing.py" for "python3 tools/coalescing.py --strict": what the advice is filed under.
std::string program_name(const std::string& command);

}  // namespace hone::profile
