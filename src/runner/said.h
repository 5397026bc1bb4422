#pragma once
// The words of a process that runs a candidate, shown as its own and never as the judge's: named,
// bounded, every line marked, control characters made visible. Whatever a worker sends as text
// passes through here. Pure functions.
#include <string>
#include <string_view>

namespace hone::runner {

constexpr std::size_t most_said = 6000;  // bytes: a traceback with a compiler's log in it
constexpr std::string_view candidates_process = "the candidate's process";

// "SPEAKER says: TEXT", or with each line marked where there are several. Without a speaker the
// text is from a worker that runs no candidate, and stays as it is.
std::string said(std::string_view speaker, std::string_view text, std::size_t most = most_said);
// What follows the colon.
std::string marked(std::string_view text, std::size_t most = most_said);

}  // namespace hone::runner
