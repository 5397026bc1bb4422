#pragma once
// The judge's conversation with one worker: each question has one answer. It enforces the time
// limit of every answer and the memory limit while it waits; a worker that exceeds one, ends, or
// sends an answer that was not asked for is killed and becomes a Fault. Owns the worker's process;
// used from one thread.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runner/fault.h"
#include "runner/messages.h"
#include "runner/sandbox.h"

namespace hone::runner {

// As it came over the wire.
struct Answer {
  std::string text;  // a JSON object
  AnswerHead head;
  std::vector<base::Fd> fds;
};

class Connection {
 public:
  struct Options {
    std::string device;              // its id, for messages
    std::uint64_t memory_bytes = 0;  // of private memory
    bool python = false;             // the worker prints a traceback when it is aborted
    std::string speaker;             // see RunnerOptions
  };
  // To a worker that has been told to open its device: its first answer is to that.
  Connection(Sandboxed process, Options options)
      : process_(std::move(process)), options_(std::move(options)) {}

  // Lets the worker go on, asks and waits for the answer. Throws Error where the device could not
  // be opened.
  base::Result<Answer, Fault> ask(const std::string& text, const std::vector<int>& fds,
                                  double seconds);
  // The two halves of asking, without letting the worker go on.
  std::optional<Fault> send(const std::string& text, const std::vector<int>& fds = {});
  base::Result<Answer, Fault> receive(double seconds);

  // A text of the worker's as its own words, with what came of it.
  Fault fault(core::Outcome outcome, const std::string& text) const;

  // Called a few times a second while an answer is waited for, with the seconds so far.
  void while_waiting(std::function<void(double)> tell) { waiting_ = std::move(tell); }

  // Whether the worker still opens its device. Asks nothing.
  bool is_opening() const;

  Sandboxed& process() { return process_; }
  const Sandboxed& process() const { return process_; }

 private:
  std::optional<Fault> unasked_answer();
  Fault ended();
  Fault too_late(double seconds);
  std::optional<Fault> too_much_memory();

  Sandboxed process_;
  Options options_;
  bool opening_ = true;
  std::function<void(double)> waiting_;
  std::uint64_t most_resident_ = 0;  // private memory of the worker, as seen from time to time
};

}  // namespace hone::runner
