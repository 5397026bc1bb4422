#pragma once
// What the processes of hone that hone itself starts have in common (run/fresh_process.h).
#include <string>
#include <vector>

#include "run/fresh_process.h"

namespace hone::app {

// In such a process: without the one that waits for it, it is of no use.
void die_with_parent();
// What it has to be told of this one's resources.
std::vector<std::string> options_of_resources();
// What it said when it failed, without the "hone: " that will be put in front again.
std::string error_of(const run::Finished& finished);

constexpr int signalled = 128;  // exit codes from here on: a signal ended it

}  // namespace hone::app
