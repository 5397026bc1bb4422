#pragma once
// Ctrl-C as a wish: the first SIGINT (or SIGTERM) is noted and the work ends at the next good place; the second ends
// the process at once. One object in a process, made before any other thread, so that no thread of ours is ever
// interrupted in a system call.
#include <atomic>

namespace hone::run {

// For commands that have nothing to finish: the first SIGINT, SIGTERM or SIGHUP ends the process with exit code 130,
// its temporary folders go, and its workers go with it. Instead of an Interrupt, and like it before any other thread.
void leave_when_interrupted();

class Interrupt {
 public:
  Interrupt();
  bool requested() const;
  const std::atomic<bool>& flag() const;  // for those who wait elsewhere
};

}  // namespace hone::run
