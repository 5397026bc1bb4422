#pragma once
// The worker, which runs inside the sandbox. Its parent tells it what to do, one message at a time:
// run a candidate, or compile one, compile and run a C++ reference, run a tool on a file, or become
// a Python. The judge trusts nothing that it answers beyond what the judge can check. One thread,
// in a process of its own.
#include <string_view>

namespace hone::runner {

// The one argument with which a program that starts workers is started again as one. A program
// that does not look for it starts itself without end.
inline constexpr std::string_view worker_role = "sandboxed";

int worker_main();  // returns the exit code

}  // namespace hone::runner
