#include "runner/contention.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/fd.h"
#include "runner/runner.h"

namespace hone::runner {
namespace {

thread_local ContentionMeter* meter_in_use = nullptr;

double ticks_a_second() { return static_cast<double>(::sysconf(_SC_CLK_TCK)); }

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Of children that have ended and were waited for.
double seconds_of_children(pid_t pid) {
  constexpr int fields_between =
      13;  // from the state, the first field after the name, to the children's user time
  const std::string text = text_of(fmt::format("/proc/{}/stat", pid));
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < fields_between; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / ticks_a_second();
}

// Read beside calls that are timed, so the file stays open: one system call.
double run_queue_seconds_of_this_thread() {
  thread_local const base::Fd file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  char text[64] = {};
  if (!file || ::pread(file.get(), text, sizeof text - 1, 0) <= 0) return 0;
  unsigned long long ran = 0, waited = 0;
  return std::sscanf(text, "%llu %llu", &ran, &waited) == 2 ? 1e-9 * static_cast<double>(waited)
                                                            : 0;
}

}  // namespace

double outside_delay(const Contention& contention) {
  const double used = contention.own + contention.outside;
  // /proc/stat counts in hundredths of a second, so that what is left for others may come out below
  // nothing.
  if (contention.calls == 0 || used <= 0 || contention.outside <= 0) return 0;
  return std::min(contention.delay * contention.outside / used, contention.outside);
}

double outside_share(const Contention& contention) {
  return contention.window > 0 ? outside_delay(contention) / contention.window : 0;
}

bool is_busy(const Contention& contention) {
  constexpr double several_ticks = 0.05;  // seconds; /proc/stat counts in hundredths
  const double all_cores = contention.cores * contention.window;
  return outside_delay(contention) > busy_share * contention.window &&
         contention.outside > busy_share * all_cores &&
         std::max(contention.outside, contention.observed) > several_ticks;
}

void add(Contention& sum, const CallTimes& call) {
  const ProcessorTimes &before = call.before, &after = call.after;
  const double between = after.now - before.now;
  if (between <= 0) return;
  const double part = std::min(1.0, call.seconds / between), own = after.own - before.own;
  ++sum.calls;
  sum.cores = after.cores;
  sum.window += call.seconds;
  const double outside =
      after.cores * between - (after.idle - before.idle) - own;  // below 0 where ticks fall so
  sum.own += part * own;
  sum.outside += part * outside;
  sum.observed += outside;
  // Threads that ended take theirs along.
  sum.delay += std::max(0.0, after.delay - before.delay) + std::max(0.0, call.judge_delay);
}

ContentionMeter::ContentionMeter() : outer_(meter_in_use) { meter_in_use = this; }

ContentionMeter::~ContentionMeter() { meter_in_use = outer_; }

std::optional<double> run_queue_seconds(pid_t pid) {
  std::uint64_t sum = 0;
  bool any = false;
  std::error_code ec;
  for (const auto& thread :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), ec)) {
    std::ifstream file(thread.path() / "schedstat");
    std::uint64_t ran = 0, waited = 0;
    if (!(file >> ran >> waited)) continue;
    sum += waited;
    any = true;
  }
  return any ? std::optional(1e-9 * static_cast<double>(sum)) : std::nullopt;
}

std::optional<double> processor_seconds(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec) +
         seconds_of_children(pid);
}

std::optional<Idle> idle_in(std::string_view stat) {
  std::istringstream lines{std::string(stat)};
  Idle idle;
  bool found = false;
  for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
    if (!line.starts_with("cpu ")) {
      ++idle.cores;
      continue;
    }
    std::istringstream fields(line);
    std::string name;
    double user = 0, nice = 0, system = 0, unused = 0, waiting = 0;
    if (!(fields >> name >> user >> nice >> system >> unused >> waiting)) return std::nullopt;
    idle.seconds = (unused + waiting) / ticks_a_second();
    found = true;
  }
  return found && idle.cores > 0 ? std::optional(idle) : std::nullopt;
}

CallWatch::CallWatch(const Runner& runner) : runner_(runner) {
  if (meter_in_use != nullptr) before_ = look();
}

void CallWatch::start() {
  if (before_) judge_delay_ = run_queue_seconds_of_this_thread();
}

void CallWatch::finish(double seconds) {
  if (!before_ || meter_in_use == nullptr) return;
  const double judge_delay = run_queue_seconds_of_this_thread() - judge_delay_;
  const auto after = look();
  if (!after) return;  // the process died in the call, and with it what it had used
  for (ContentionMeter* meter = meter_in_use; meter != nullptr; meter = meter->outer_)
    add(meter->sum_, {*before_, *after, seconds, judge_delay});
}

std::optional<ProcessorTimes> CallWatch::look() const {
  const auto idle = idle_in(text_of("/proc/stat"));
  const auto judge = processor_seconds(::getpid()), worker = processor_seconds(runner_.pid());
  const auto waited = run_queue_seconds(runner_.pid());
  if (!idle || !judge || !worker || !waited) return std::nullopt;
  ProcessorTimes times;
  times.now =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  times.idle = idle->seconds;
  times.cores = idle->cores;
  times.delay = *waited;
  times.own = *judge + *worker;
  for (const pid_t pid : runner_.other_processes()) {
    times.delay += run_queue_seconds(pid).value_or(0);
    times.own += processor_seconds(pid).value_or(0);
  }
  return times;
}

}  // namespace hone::runner
