#pragma once
// The worker, which runs inside the sandbox. Its parent tells it what to do, one message at a time:
// run a candidate, or compile one, compile and run a C++ reference, run a tool on a file, or become
// a Python. The judge trusts nothing that it answers beyond what the judge can check. One thread,
// in a process of its own.
namespace hone::runner {

int worker_main();  // returns the exit code

}  // namespace hone::runner
