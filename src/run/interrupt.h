#pragma once
// Ctrl-C as a wish: the first SIGINT (or SIGTERM) is noted and the work ends at the next good place; the second ends
// the process at once. One object in a process, made before any other thread, so that no thread of ours is ever
// interrupted in a system call.
namespace hone::run {

class Interrupt {
 public:
  Interrupt();
  bool requested() const;
};

}  // namespace hone::run
