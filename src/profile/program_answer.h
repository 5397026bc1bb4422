#pragma once
// What a tool that is a program answered, from its text to advice. It is a stranger's text:
// whatever is not as docs/profiling.md has it is refused with a sentence that says what.
#include "base/result.h"
#include "profile/facts.h"

namespace hone::profile {

// Lines that one advice may name: it points at places, and all of them go into prompts.
inline constexpr std::size_t most_advice_lines = 16;

// Its advice, filed under `tool`; or why there is none.
base::Result<std::vector<core::Advice>> read_answer(const std::string& text, const Facts& facts,
                                                    const std::string& tool);

}  // namespace hone::profile
