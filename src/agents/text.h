#pragma once
// Small things done to texts on their way into prompts and out of replies. All texts are UTF-8 or
// hostile; nothing here minds.
#include <string>
#include <string_view>
#include <vector>

namespace hone::agents {

std::string_view trimmed(std::string_view text);
std::string lower(std::string_view text);
std::vector<std::string_view> lines_of(
    std::string_view text);  // without their ends; a last empty line counts not
std::string without_carriage_returns(std::string_view text);
bool is_word(char c);  // part of an identifier

// At most `limit` bytes, cut at a line's end if one is near, else between characters, and saying
// how much is missing.
std::string shortened(std::string_view text, std::size_t limit);
// In one line of at most `limit` bytes, for tables.
std::string in_one_line(std::string_view text, std::size_t limit);
// A fenced block, with a fence longer than any in the code.
std::string fenced(std::string_view code, std::string_view language);

// A node's number as models see it: five digits.
std::string node_id(int number);

}  // namespace hone::agents
