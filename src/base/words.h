#pragma once
// Small matters of English text: counting things in messages, and telling whether two sentences are
// the same to a reader. Pure functions.
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::base {

// "1 case", "2 cases", "0 processes". The plural is the singular with -s, or -es after a hissing
// sound.
std::string counted(std::int64_t count, std::string_view singular);

// The text without differences that no reader sees as one: case, white space and the full stop at
// its end.
std::string normalized(std::string_view text);

}  // namespace hone::base
