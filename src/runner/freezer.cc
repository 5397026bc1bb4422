#include "runner/freezer.h"

#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "runner/proc.h"
#include "runner/seconds_since.h"

namespace hone::runner {
namespace {

namespace fs = std::filesystem;

// A loaded machine takes milliseconds. A thread that waits for its vforked child stops only when
// that child ends.
constexpr double most_stop_seconds = 5;
// What a stopped thread may be seen to have run since. Where the kernel does not tell that it has
// left its processor, what it ran before is counted at the next tick only: two ticks of the slowest
// clock.
constexpr std::uint64_t stopping_nanoseconds = 100'000, uncounted_nanoseconds = 20'000'000;

}  // namespace

std::optional<double> Freezer::freeze() {
  const auto start = Clock::now();
  begin_freeze();
  return end_freeze(start);
}

void Freezer::begin_freeze() {
  if (frozen_ || process_ <= 0) return;
  if (::kill(process_, SIGSTOP) != 0) return;  // it has ended: the next message to it will fail
  frozen_ = is_stopping_ = true;
}

std::optional<double> Freezer::end_freeze(Clock::time_point since) {
  if (!std::exchange(is_stopping_, false)) return 0;
  const auto waited = wait_until_stopped(since);
  if (!waited) return std::nullopt;
  // Of each thread where the kernel does not tell when it has left its processor; else of all of
  // them together.
  tolerated_nanoseconds_ = stopping_nanoseconds;
  std::error_code ec;
  run_times_ = run_times_of(process_);
  for (const auto& thread : fs::directory_iterator(threads_folder(process_), ec)) {
    const int id = std::stoi(thread.path().filename());
    if (has_ended(thread.path()))  // it may be shown for a while
      run_times_.erase(id);
    else if (!wait_until_off_processor(thread.path(), most_stop_seconds))
      tolerated_nanoseconds_ += uncounted_nanoseconds;
  }
  for (const auto& [thread, nanoseconds] : run_times_of(process_))
    if (const auto one = run_times_.find(thread); one != run_times_.end())
      one->second = nanoseconds;
  return waited;
}

std::optional<double> Freezer::wait_until_stopped(Clock::time_point since) const {
  double waited = 0;
  // All threads are looked at once more after a wait: a thread can start others until it stops.
  for (bool all_stopped = false; !all_stopped;) {
    all_stopped = true;
    std::error_code ec;
    for (const auto& thread : fs::directory_iterator(threads_folder(process_), ec)) {
      if (is_stopped(thread.path())) continue;
      all_stopped = false;
      while (!is_stopped(thread.path())) {
        ::kill(
            process_,
            SIGSTOP);  // the worker, or a process that it started, may have sent SIGCONT in between
        ::sched_yield();
        if (seconds_since(since) > most_stop_seconds) return std::nullopt;
      }
      waited = seconds_since(since);
    }
  }
  return waited;
}

bool Freezer::ran_while_frozen() const {
  if (!frozen_) return false;
  const auto now = run_times_of(process_);
  if (now.empty()) return false;  // it has been killed, or the kernel does not count
  std::uint64_t all = 0;
  std::size_t found = 0;
  for (const auto& [thread, nanoseconds] : now) {
    const auto before = run_times_.find(thread);
    if (before == run_times_.end()) {
      if (has_ended(threads_folder(process_) / std::to_string(thread))) continue;  // it had before
      return true;
    }
    ++found;
    all += std::max(nanoseconds, before->second) - before->second;
  }
  // A stopped thread cannot end.
  return found < run_times_.size() || all > tolerated_nanoseconds_;
}

void Freezer::thaw() {
  is_stopping_ = false;
  if (!std::exchange(frozen_, false)) return;
  ::kill(process_, SIGCONT);
}

}  // namespace hone::runner
