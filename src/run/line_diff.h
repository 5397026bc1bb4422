#pragma once
// Two texts line by line, as `diff -u` shows them. Pure; any thread.
#include <string>
#include <string_view>

namespace hone::run {

// "" where the texts are equal. `context`: unchanged lines round each change.
std::string unified_diff(std::string_view a, std::string_view b, const std::string& name_a, const std::string& name_b,
                         std::size_t context = 3);

}  // namespace hone::run
