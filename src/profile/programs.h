#pragma once
// Tools that are programs: a command line that gets the facts as JSON on its standard input and
// answers advice as JSON (docs/profiling.md). One that hangs, crashes, talks nonsense or too
// much is reported and skipped.
#include <chrono>
#include <string>

#include "profile/tool.h"

namespace hone::profile {

inline constexpr int program_protocol = 1;
inline constexpr std::chrono::milliseconds program_limit{10000};  // it reads a page of numbers

std::string facts_json(const Facts& facts);
// Appends what the program says, or why it is left out. The command is split into words by
// program_words.h.
void run_program(const std::string& command, const std::string& facts_text, const Facts& facts,
                 StageTwo& result, std::chrono::milliseconds limit = program_limit);

}  // namespace hone::profile
