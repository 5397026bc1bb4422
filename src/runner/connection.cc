#include "runner/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "base/error.h"
#include "runner/proc.h"
#include "runner/said.h"
#include "runner/seconds_since.h"
#include "runner/trim_log.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::Failure;
using core::Outcome;

constexpr double open_seconds =
    120;  // a cold GPU driver, a cold OpenCL compiler, a cold Python with torch
constexpr double memory_check_seconds = 0.05;  // between two looks at the worker's memory

}  // namespace

Fault Connection::fault(core::Outcome outcome, const std::string& text) const {
  return {outcome, said(opening_ ? "" : options_.speaker,
                        text)};  // until the device is open no candidate's code has run
}

Fault Connection::ended() {
  constexpr std::size_t most_log = 600;
  const std::string log = process_.take_log();
  const auto end = process_.wait_end();
  const bool was_full = most_resident_ > options_.memory_bytes / 2;
  const std::string memory =
      was_full ? fmt::format("; it had used {} MiB or more of its limit of {} MiB of memory",
                             most_resident_ >> 20, options_.memory_bytes >> 20)
               : "";
  return {Outcome::crashed,
          fmt::format("the runner {}{}{}", end.text, memory,
                      log.empty() ? "" : "; it printed:" + marked(log.substr(0, most_log)))};
}

Fault Connection::too_late(double seconds) {
  constexpr std::size_t most_traceback = 1200;  // its first line is the innermost call
  const std::string stack = options_.python ? trim_stack(process_.abort_and_take_log()) : "";
  process_.kill();
  return {
      Outcome::timed_out,
      fmt::format("no answer within its limit of {:.3g} s; it was killed{}", seconds,
                  stack.empty() ? "" : "; it printed:" + marked(stack.substr(0, most_traceback)))};
}

std::optional<Fault> Connection::too_much_memory() {
  const auto resident = private_resident_bytes(process_.worker());
  most_resident_ = std::max(most_resident_, resident);
  if (resident <= options_.memory_bytes) return std::nullopt;
  process_.kill();
  return Fault{Outcome::crashed,
               fmt::format("it used {} MiB of memory, more than its limit of {} MiB; it was killed",
                           resident >> 20, options_.memory_bytes >> 20)};
}

base::Result<Answer, Fault> Connection::receive(double seconds) {
  const auto start = Clock::now();
  while (!wait_readable(
      process_.socket(),
      std::min(memory_check_seconds, std::max(0.0, seconds - seconds_since(start))))) {
    if (seconds_since(start) >= seconds) return Failure{too_late(seconds)};
    if (auto fault = too_much_memory()) return Failure{*std::move(fault)};
    if (waiting_) waiting_(seconds_since(start));
  }
  auto packet = receive_packet(process_.socket());
  if (!packet) return Failure{ended()};
  auto head = head_of(packet->text);
  if (!head) return Failure{Fault{Outcome::crashed, "the runner's answer makes no sense"}};
  if (head->broken) return Failure{fault(Outcome::crashed, *head->broken)};
  return Answer{std::move(packet->text), *std::move(head), std::move(packet->fds)};
}

bool Connection::is_opening() const { return opening_ && !wait_readable(process_.socket(), 0); }

// The worker itself answers questions only: another answer comes from native code that has found
// the socket.
std::optional<Fault> Connection::unasked_answer() {
  pollfd wanted{process_.socket(), POLLIN, 0};
  if (::poll(&wanted, 1, 0) <= 0 || (wanted.revents & POLLHUP) != 0)
    return std::nullopt;  // sending reports its end
  process_.kill();
  return Fault{Outcome::cheating,
               "the runner gave an answer that it was not asked for: the candidate forges results"};
}

std::optional<Fault> Connection::send(const std::string& text, const std::vector<int>& fds) {
  if (auto fault = unasked_answer()) return fault;
  if (!send_packet(process_.socket(), text, fds)) return ended();
  return std::nullopt;
}

base::Result<Answer, Fault> Connection::ask(const std::string& text, const std::vector<int>& fds,
                                            double seconds) {
  process_.freezer().thaw();
  if (opening_) {
    auto opened = receive(open_seconds);
    if (!opened)
      base::fail(base::ExitCode::environment, "a runner cannot open {}: {}", options_.device,
                 opened.error().text);
    opening_ = false;
  }
  if (auto fault = send(text, fds)) return Failure{*std::move(fault)};
  return receive(seconds);
}

}  // namespace hone::runner
