#pragma once
// A user's command as a child process: its input on stdin, its stdout kept up to a bound, the end
// of its stderr kept. Its process group is ended with it: when it ends, is cancelled, takes too
// long, or when this process is killed; on request everything else that it started too
// (base/supervisor.h). Values of keys in the environment are taken out of what it prints. Safe from
// many threads.
#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace hone::base {

struct Command {
  std::string line;                                              // for sh -c
  std::string input;                                             // what it reads on stdin
  std::vector<std::pair<std::string, std::string>> environment;  // added to the parent's
  std::chrono::milliseconds limit{};
  std::size_t most_output = 0;  // bytes; more than that ends it
  std::vector<std::string>
      words;  // instead of a line: a program and its arguments, which no shell sees
  // Ends what it started in sessions of their own as well: for programs that only answer.
  // Submitters and models may leave daemons behind, by daemons' usual way.
  bool end_sessions = false;
};

struct CommandEnd {
  enum class Why { exited, signalled, cancelled, timed_out, too_much } why = Why::exited;
  int code = 0;  // exit code or signal
  std::string output, error_tail;
};

// Throws Error where no process can be started at all.
CommandEnd run_command(const Command& command, const std::atomic<bool>& cancel);

// The text with $NAME for the value of every variable of the environment whose name ends in _KEY,
// _TOKEN, _SECRET or _PASSWORD.
std::string without_secrets(std::string text);

}  // namespace hone::base
