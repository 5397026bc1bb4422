#pragma once
// Whether other programs on this machine were in the way of calls. While a ContentionMeter lives,
// every call that a CallWatch observes on the same thread adds to it: how long threads of the judge
// and of the sandbox stood ready on a run queue without running, and how much processor time they
// and everything else used. The judge asks it before it believes a guard that goes by the clock,
// the self-test before it counts a specimen as missed. Meters may be nested; each belongs to the
// thread that made it.
#include <sys/types.h>
#include <chrono>
#include <optional>
#include <string_view>

namespace hone::runner {

class Runner;

// Sums over calls, in seconds.
struct Contention {
  int calls = 0;      // that were observed; 0: nothing is known, because the kernel does not tell
  double window = 0;  // from a call's beginning to its end, by the judge's clock
  double delay =
      0;  // that threads of the sandbox, and the judge's that called, waited on a run queue
  double own = 0;      // processor time of the judge and of the sandbox
  double outside = 0;  // processor time of everything else, and what a hypervisor took
  int cores = 1;
  double observed =
      0;  // processor time of everything else between the moments at which the kernel was asked
};

// The part of the delay that other programs caused: by their share of the processor time that was
// used, and never more than they used themselves. A candidate that starts more threads than there
// are cores delays itself: without other programs this is 0, however long its threads waited.
double outside_delay(const Contention& contention);
double outside_share(const Contention& contention);  // of the calls' time

// The share of a call's time that other programs may cost it before times prove little. The guards
// that go by the clock tell apart times that differ by a factor of 1.3 on a GPU and 2 on a CPU: a
// tenth cannot hide or feign that. A machine on which nothing else was started uses one or two
// hundredths.
constexpr double busy_share = 0.1;
// Both the delay that other programs caused and the share of all cores that they used must exceed
// it, and they must have used enough to be seen in the ticks of /proc/stat. False where nothing is
// known.
bool is_busy(const Contention& contention);

class ContentionMeter {
 public:
  ContentionMeter();
  ~ContentionMeter();
  ContentionMeter(const ContentionMeter&) = delete;
  ContentionMeter& operator=(const ContentionMeter&) = delete;
  const Contention& so_far() const { return sum_; }

 private:
  friend class CallWatch;
  Contention sum_;
  ContentionMeter* outer_;  // the meter that was in use: calls are added to it as well
};

// What the kernel says at one moment, in seconds since some beginning.
struct ProcessorTimes {
  double now = 0, delay = 0, own = 0, idle = 0;
  int cores = 0;
};
// One call as two such moments show it. The moments lie further apart than the call's ends:
// processor time between them is taken to have been used evenly, so that the call has its share.
struct CallTimes {
  ProcessorTimes before, after;
  double seconds = 0;      // of the call itself
  double judge_delay = 0;  // of the judge's thread, from "go" to the end of the call
};
void add(Contention& sum, const CallTimes& call);

// Observes one call of a runner. /proc is read when the watch is made, which should be before
// inputs are written, and in finish(), which should come after the first look at the results: both
// take a tenth of a millisecond or more, and nothing that is timed may contain them. Does nothing
// where there is no meter.
class CallWatch {
 public:
  explicit CallWatch(const Runner& runner);
  void start();                 // right before "go"; takes a few microseconds
  void finish(double seconds);  // of the call, by the judge's clock

 private:
  std::optional<ProcessorTimes> look() const;
  const Runner& runner_;
  std::optional<ProcessorTimes> before_;
  double judge_delay_ = 0;  // when the call started
};

// The time that the living threads of a process have waited on run queues
// (/proc/PID/task/*/schedstat); nothing where the process is gone or the kernel does not count it.
std::optional<double> run_queue_seconds(pid_t pid);
// Processor time of a process with its ended threads and the children it has waited for.
std::optional<double> processor_seconds(pid_t pid);
// The idle time of all cores in the text of /proc/stat, and how many there are.
struct Idle {
  double seconds = 0;
  int cores = 0;
};
std::optional<Idle> idle_in(std::string_view stat);

}  // namespace hone::runner
