#pragma once
// What strangers wrote, made safe to print: control characters, bytes that are no UTF-8, and
// characters that cannot be seen or change the direction of the text become visible escapes. Pure
// functions.
#include <string>
#include <string_view>

namespace hone::base {

std::string printable(std::string_view text);        // one line: line ends and tabs are escaped too
std::string printable_lines(std::string_view text);  // line ends and tabs stay

}  // namespace hone::base
