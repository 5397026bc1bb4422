#pragma once
// The command line of a tool that is a program, as it is typed behind --tool or written in the
// configuration. No shell sees it: it is words between blanks; quotes ('...' or "...") and a
// backslash keep blanks inside a word.
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::profile {

base::Result<std::vector<std::string>> program_words(const std::string& command);

// "program:block_size.py" for "python3 tools/block_size.py --strict": what its advice is filed
// under. No built-in tool has a colon in its name.
std::string program_name(const std::string& command);

}  // namespace hone::profile
