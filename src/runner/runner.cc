#include "runner/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <thread>

#include "base/error.h"
#include "runner/proc.h"
#include "runner/seconds_since.h"
#include "runner/wire.h"

namespace hone::runner {
namespace {

using base::Failure;
using base::Fd;
using core::Outcome;
constexpr double housekeeping_seconds = 30;
constexpr double stop_allowance = 2e-4;  // idle threads take about this long to wake up and stop
constexpr const char* no_sense = "the runner's answer makes no sense";

Sandboxed started(const core::DeviceInfo& info, const RunnerOptions& options) {
  Sandboxed process = options.python ? start_python(options.python->python, "worker.py",
                                                    options.sandbox, {options.python->role})
                                     : start_sandboxed(options.sandbox);
  OpenOrder order{device::lasting_id(info), {}, {}};
  if (options.python) {
    order.cpu = info.is_cpu;
    order.threads = std::thread::hardware_concurrency();
  }
  send_packet(process.socket(), to_text(order));
  return process;
}

}  // namespace

Runner::Runner(const core::DeviceInfo& info, const RunnerOptions& options)
    : freeze_(options.freeze),
      connection_(started(info, options), {info.id, options.sandbox.memory_bytes,
                                           options.python.has_value(), options.speaker}) {}

std::string open_problem(const core::DeviceInfo& info, const RunnerOptions& options) {
  try {
    Runner runner(info, options);
    const auto answered =
        runner.drop();  // any question: before it, the answer to "open" is waited for
    return answered ? "" : answered.error().text;
  } catch (const base::Error& error) {
    return error.what();
  }
}

base::Result<std::vector<device::KernelInfo>, Fault> Runner::load(
    const std::string& image, const std::vector<std::string>& kernels, double seconds,
    const Fd* ahead) {
  const Fd file = memory_file(image, "image");
  std::vector<int> files = {file.get()};
  if (ahead != nullptr) files.push_back(ahead->get());
  auto answer = connection_.ask(to_text(LoadOrder{kernels}), files, seconds);
  if (!answer) return Failure{answer.error()};
  if (answer->head.error)
    return Failure{connection_.fault(Outcome::launch_failed, *answer->head.error)};
  try {
    Loaded loaded = loaded_from(answer->text);
    // Names are those that were asked for: figures are told under them.
    std::erase_if(loaded.kernels, [&](const device::KernelInfo& kernel) {
      return std::find(kernels.begin(), kernels.end(), kernel.name) == kernels.end();
    });
    notes_ = std::move(loaded.notes);
    return std::move(loaded.kernels);
  } catch (const base::Error&) {
    return Failure{Fault{Outcome::crashed, no_sense}};
  }
}

base::Result<int, Fault> Runner::share(int own_number, const Fd& fd, std::uint64_t bytes) {
  if (const auto known = shared_.find(own_number); known != shared_.end()) return known->second;
  auto answer = connection_.ask(to_text(BlockOrder{bytes}), {fd.get()}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return shared_[own_number] = answer->head.id;
}

base::Result<bool, Fault> Runner::drop() {
  shared_.clear();
  auto answer = connection_.ask(to_text(DropOrder()), {}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return true;
}

base::Result<int, Fault> Runner::plan(const core::ResolvedPlan& plan) {
  const Fd file = memory_file(to_text(plan), "plan");
  auto answer = connection_.ask(to_text(PlanOrder()), {file.get()}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  return answer->head.id;
}

base::Result<bool, Fault> Runner::prepare(const PrepareRequest& request, double seconds) {
  auto answer = connection_.ask(to_text(request), {}, seconds);
  if (!answer) return Failure{answer.error()};
  if (answer->head.error)
    return Failure{connection_.fault(Outcome::launch_failed, *answer->head.error)};
  return true;
}

base::Result<std::vector<device::Activity>, Fault> Runner::activities() {
  constexpr std::uint64_t most_bytes = 256u << 20;
  auto answer = connection_.ask(to_text(ActivitiesOrder()), {}, housekeeping_seconds);
  if (!answer) return Failure{answer.error()};
  if (answer->head.error)
    return Failure{connection_.fault(Outcome::launch_failed, *answer->head.error)};
  try {
    return activities_from(read_memory_file(answer->fds.at(0), most_bytes));
  } catch (const std::exception&) {
    return Failure{Fault{Outcome::crashed, no_sense}};
  }
}

int Runner::threads() const { return thread_count(pid()); }

std::string Runner::finish_and_log(double seconds) {
  Sandboxed& process = connection_.process();
  process.freezer().thaw();
  send_packet(process.socket(), R"({"op":"end"})");
  std::string log = process.take_log();
  wait_readable(process.socket(), seconds);  // readable when the worker closes its end
  process.wait_end();
  return log + process.take_log();
}

base::Result<double, Fault> Runner::finish_stopping() { return finish_stopping(Clock::now()); }

// A worker that works on after its answer had not finished: its threads count from `since`.
base::Result<double, Fault> Runner::finish_stopping(Clock::time_point since) {
  if (const auto waited = connection_.process().freezer().end_freeze(since))
    return *waited > stop_allowance ? *waited : 0;
  connection_.process().kill();
  return Failure{Fault{Outcome::timed_out, "it did not stop when it was told to; it was killed"}};
}

std::optional<Fault> Runner::freeze() {
  if (freeze_) connection_.process().freezer().begin_freeze();
  const auto stopped = finish_stopping();
  return stopped ? std::nullopt : std::optional(stopped.error());
}

base::Result<Timed, Fault> Runner::go(double seconds, AfterAnswer after, bool fail_on_error) {
  // The clock starts before anything is sent: a worker can have the kernel continue it as soon as a
  // message arrives (F_SETSIG with SIGCONT), and keep this process from running until it has
  // finished.
  const auto start = Clock::now();
  if (auto fault = connection_.send(go_text)) return Failure{*std::move(fault)};
  connection_.process().freezer().thaw();
  auto answer = connection_.receive(seconds);
  const auto answered = Clock::now();
  double judge_seconds = std::chrono::duration<double>(answered - start).count();
  if (!answer) return Failure{answer.error()};
  if (freeze_ && after != AfterAnswer::runs_on) connection_.process().freezer().begin_freeze();
  // Where the device is looked at first, the judge counts them after that.
  const std::size_t others = after == AfterAnswer::stops ? other_processes().size() : 0;
  if (after == AfterAnswer::stops) {
    // With hundreds of threads the count takes milliseconds, which a helper that ends by then would
    // have for itself.
    const double counting = seconds_since(answered);
    const auto late = finish_stopping(answered);
    if (!late) return Failure{late.error()};
    judge_seconds += std::max(*late, counting > stop_allowance ? counting : 0);
  }
  try {
    Timed timed{report_from(answer->text), judge_seconds, answered, others};
    if (!timed.report.ok && fail_on_error)
      return Failure{connection_.fault(answer->head.wrong ? Outcome::wrong : Outcome::launch_failed,
                                       timed.report.error)};
    return timed;
  } catch (const base::Error&) {
    return Failure{Fault{Outcome::crashed, no_sense}};
  }
}

}  // namespace hone::runner
