#pragma once
// Which line of a candidate is line 1. A launch plan that is put in front of a person's file must
// not move that file's lines, so a directive follows the plan, which compilers and debuggers obey.
// Whatever finds or quotes a line by its number looks in counted_text().
#include <string>
#include <string_view>

namespace hone::core {

// It says itself what it is for, because it is in recorded and exported sources too.
inline constexpr std::string_view line_restart =
    "#line 1  // the plan above was the task's: lines are counted from here\n";

// What lines are counted in: the text after `line_restart`, or all of it where that is not there.
// Points into the source.
std::string_view counted_text(std::string_view source);

// The source without the directive, for a file that has other code behind it, whose lines it would
// move.
std::string without_line_restart(std::string_view source);

}  // namespace hone::core
