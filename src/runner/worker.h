#pragma once
// The worker: what runs inside the sandbox. It compiles, or runs a candidate, or runs a C++ reference; its parent tells
// it which, one message at a time. Nothing it says is believed beyond what the judge can check.
namespace hone::runner {

int worker_main();

}  // namespace hone::runner
