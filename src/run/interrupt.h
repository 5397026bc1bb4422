#pragma once
// What SIGINT, SIGTERM and SIGHUP do. They are blocked first thing in main, before any other thread
// exists: libraries start threads of their own, and a signal that one of those could take would end
// the process there and then. Which of the two behaviours follows is chosen once the command is
// known.
#include <atomic>

namespace hone::run {

// Blocks the signals in this thread and in all to come, but for those that the parent process wants
// ignored (nohup).
void hold_signals();

// For commands that have nothing to finish: the first signal ends the process with exit code 130,
// its temporary folders are removed, and its workers end with it.
void leave_when_interrupted();
// For commands that have: the first signal is noted, and the work ends at the next good place
// (Interrupt::requested); the second ends the process at once.
void finish_when_interrupted();

class Interrupt {
 public:
  bool requested() const { return flag(); }
  const std::atomic<bool>& flag() const;  // for code that waits elsewhere
};

}  // namespace hone::run
