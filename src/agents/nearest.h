#pragma once
// Where in a basis the lines of an edit probably were meant to match: for a complaint that a model
// can act on.
#include <string>
#include <string_view>
#include <vector>

namespace hone::agents {

// A sentence and the place itself, with line numbers.
std::string nearest_place(const std::vector<std::string_view>& search,
                          const std::vector<std::string_view>& basis);

}  // namespace hone::agents
