#pragma once
// How long a reference may take. Each call on one case has a limit of its own, because a reference
// is a person's code that may loop for ever; an examination that asks for many calls sets a
// deadline for all of them beside it. A call that takes longer is an Error of its own kind, so that
// the examination can go on with what is left. While one is waited for, `say` is told so now and
// then.
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "core/task.h"

namespace hone::runner {

inline constexpr const char* reference_limit_variable = "HONE_REFERENCE_LIMIT";

class TooSlow : public base::Error {
 public:
  TooSlow(const std::string& what, bool deadline)
      : Error(base::ExitCode::bad_input, what), deadline_(deadline) {}
  bool deadline() const {
    return deadline_;
  }  // the time for everything was up, not the call's own limit

 private:
  bool deadline_;
};

struct ReferenceLimit {
  using Clock = std::chrono::steady_clock;
  double call_seconds = 120;
  std::optional<Clock::time_point> deadline;
  std::function<void(const std::string&)> say;  // may be empty

  double at_most(double seconds) const;  // fewer where the deadline is nearer, and not below 0
  double seconds_left() const { return at_most(call_seconds); }
  bool over() const { return deadline && Clock::now() >= *deadline; }
  [[noreturn]] void fail(const std::string& what) const;  // `what` did not finish; throws TooSlow

  // For a wait of so many seconds at the most that calls it again and again with the seconds so
  // far: says after five seconds and then every ten that `what` is still running. Empty where there
  // is no listener.
  std::function<void(double)> teller(const std::string& what, double seconds) const;
};

// wait_readable() in slices, between which `tell` hears how long it has been.
bool wait_and_tell(int socket, double seconds, const std::function<void(double)>& tell);

// 120 s, or what $HONE_REFERENCE_LIMIT says. Problems of others (KernelBench, GPU MODE) have the
// sizes that they have, and what does not fit into the device's memory in double precision runs on
// the CPU: 600 s.
ReferenceLimit reference_limit(const core::Task& task);

}  // namespace hone::runner
