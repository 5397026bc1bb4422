#include "judge/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/words.h"
#include "device/host_flush.h"
#include "runner/contention.h"

namespace hone::judge {

using base::Failure;
using core::Outcome;
using core::ResolvedBuffer;

namespace {

constexpr std::uint64_t look_bytes =
    4096;  // of a result: reading all of it takes longer than a call
// How long an evaluator without the guards would wait for work that goes on after the answer.
constexpr std::chrono::milliseconds longest_queued(100), longest_thread(3000), pause(5);

// Without the guard `freeze`: an evaluator that reads the results some time after the answer leaves
// a late thread the time it needs.
void let_threads_finish(const runner::Runner& runner, int threads_before) {
  for (auto waited = std::chrono::milliseconds(0);
       runner.threads() > threads_before && waited < longest_thread; waited += pause)
    std::this_thread::sleep_for(pause);
}

Finding call_failure(const runner::Fault& fault) {
  constexpr int forged_channel = 20;  // row of docs/trust.md
  switch (fault.outcome) {
    case Outcome::cheating: {
      Finding finding = conviction(fault.outcome, Guard::none, fault.text);
      finding.row = forged_channel;
      return finding;
    }
    case Outcome::wrong:
      return conviction(fault.outcome, Guard::results, fault.text);
    case Outcome::launch_failed:
      return conviction(fault.outcome, Guard::launch_errors, fault.text);
    default:
      return runner_failure(fault);
  }
}

// With the place of the call in its batch.
Finding in_batch(Finding finding, const std::vector<BatchCall>& jobs, std::size_t index) {
  if (jobs.size() > 1)
    finding.text += fmt::format(" (call {} of {} in a batch)", index + 1, jobs.size());
  return finding;
}

std::vector<device::Span> outputs_of(const core::Task& task, const std::vector<BatchCall>& jobs) {
  std::vector<device::Span> outputs;
  for (const BatchCall& job : jobs)
    for (std::size_t i = 0; i < task.outputs.size(); ++i)
      outputs.push_back(job.working->all()[task.inputs.size() + i].data);
  return outputs;
}

runner::AfterAnswer after_answer(bool freeze, bool look_first) {
  using runner::AfterAnswer;
  return !freeze      ? AfterAnswer::runs_on
         : look_first ? AfterAnswer::is_stopping
                      : AfterAnswer::stops;
}

Finding not_alone(std::size_t others, const char* when) {
  return conviction(
      Outcome::cheating, Guard::strangers,
      fmt::format("besides the runner, {} alive in its sandbox {} the call: that is not allowed",
                  base::counted(static_cast<std::int64_t>(others), "process"), when));
}

// The batch as the runner is asked for it.
runner::PrepareRequest request_for(const BoundCandidate& bound, const std::vector<BatchCall>& jobs,
                                   const CallOptions& options, const GuardSet& guards, bool flush) {
  std::vector<device::BindingSet> sets;
  for (const BatchCall& job : jobs) sets.push_back(*job.bindings);
  // Mapped before the contents are there, so that the candidate cannot read them early.
  const bool fresh_addresses =
      guards.on(Guard::fresh_addresses) && (!options.in_place || options.elsewhere);
  return {bound.plan,
          sets,
          fresh_addresses,
          flush,
          options.private_memory,
          options.skip_launch,
          options.marked,
          options.record,
          options.one_by_one};
}

MaybeFinding check_alone(const GuardSet& guards, const runner::Runner& runner, const char* when) {
  if (guards.on(Guard::freeze) && runner.ran_while_frozen())
    return conviction(
        Outcome::cheating, Guard::freeze,
        fmt::format("the runner was stopped {} the call and has been running all the same", when));
  if (!guards.on(Guard::strangers)) return std::nullopt;
  const auto others = runner.other_processes();
  return others.empty() ? std::nullopt : MaybeFinding(not_alone(others.size(), when));
}

}  // namespace

struct Caller::FirstLook {
  std::vector<device::Span> parts;  // a random place in each output
  std::vector<std::uint64_t> part_fingerprints, fingerprints;
  double settled = 0;
};

Caller::Caller(const core::Task& task, const core::Case& which, device::TensorOps& ops,
               BufferSet& working, Secrets& secrets, const GuardSet& guards,
               const core::DeviceInfo& info)
    : task_(task),
      case_(which),
      ops_(ops),
      working_(working),
      secrets_(secrets),
      guards_(guards),
      info_(info),
      device_(core::capabilities(info)),
      results_(task, ops, guards),
      arrival_(ops, secrets, guards, info),
      key_(secrets.seed()),
      flush_(ops, info.l2_bytes) {}

void Caller::take_fingerprints(const Entry& entry) {
  if (!guards_.on(Guard::inputs) || input_fingerprints_.contains(&entry)) return;
  for (const auto& input : entry.inputs->all())
    input_fingerprints_[&entry].push_back(ops_.fingerprint(input.data, key_));
}

void Caller::forget(const Entry& entry) {
  input_fingerprints_.erase(&entry);
  results_.forget(entry);
}

void Caller::forget_all() {
  input_fingerprints_.clear();
  results_.forget_all();
}

base::Result<CallResult, Finding> Caller::call(const BoundCandidate& bound, const Entry& entry,
                                               const CallOptions& options) {
  return call(bound, {{&working_, &bound.bindings, &entry}}, options);
}

base::Result<CallResult, Finding> Caller::call(const BoundCandidate& bound,
                                               const std::vector<BatchCall>& jobs,
                                               const CallOptions& options) {
  auto called = run(bound, jobs, options);
  if (!called) return Failure{in_case(case_.name, called.error())};
  return called;
}

base::Result<CallResult, Finding> Caller::run(const BoundCandidate& bound,
                                              const std::vector<BatchCall>& jobs,
                                              const CallOptions& options) {
  runner::Runner& runner = *bound.runner;
  const bool flush = options.flush && guards_.on(Guard::flush);
  const auto prepared = prepare(bound, request_for(bound, jobs, options, guards_, flush));
  if (!prepared) return Failure{prepared.error()};
  CallResult result;
  result.prepared = *prepared;
  runner::CallWatch watch(runner);  // reads /proc, which nothing that is timed may contain
  if (auto problem = write_inputs(bound, jobs, options, flush && case_.timed))
    return Failure{*std::move(problem)};
  const bool native = device_.native_code || bound.has_host_code;
  const bool freeze = guards_.on(Guard::freeze);
  const int threads_before = freeze ? 0 : runner.threads();
  watch.start();
  // Stopping a process does not stop what it has queued on a device.
  const bool may_be_late = bound.has_host_code && device_.queues_work;
  const bool look_first = may_be_late && guards_.on(Guard::late_work);
  const auto timed = runner.go(options.seconds, after_answer(freeze, look_first),
                               guards_.on(Guard::launch_errors));
  if (!timed) return Failure{call_failure(timed.error())};
  result.timed = *timed;
  if (timed->others > 0 && options.verify && guards_.on(Guard::strangers))
    return Failure{not_alone(timed->others, "after")};
  FirstLook look;
  if (look_first) {
    look = look_at_once(jobs, timed->answered);
    const auto late = runner.finish_stopping();
    if (!late) return Failure{call_failure(late.error())};
    result.timed.judge_seconds += *late;
  }
  watch.finish(result.timed.judge_seconds);
  result.settled = look.settled;
  if (!freeze) let_threads_finish(runner, threads_before);
  if (may_be_late && !look_first) std::this_thread::sleep_for(longest_queued);
  if (!options.verify) return result;
  if (auto problem = check_alone(guards_, runner, "after")) return Failure{*std::move(problem)};
  if (!look_first) look.fingerprints = ops_.fingerprints(outputs_of(task_, jobs), key_);
  if (auto problem = check_canaries(jobs)) return Failure{*std::move(problem)};
  if (auto problem = check_inputs(jobs)) return Failure{*std::move(problem)};
  results_.outputs_held_nan(guards_.on(Guard::poison) &&
                            !bound.has_host_code);  // host code of its own makes its own outputs
  const auto compared = check_results(jobs, look.fingerprints, result.errors);
  if (!compared) return Failure{compared.error()};
  if (auto problem = native ? check_alone(guards_, runner, "after") : std::nullopt)
    return Failure{*std::move(problem)};
  if (look_first)
    if (auto problem = check_late_work(jobs, look, *compared)) return Failure{*std::move(problem)};
  if (options.fingerprint)
    for (const std::uint64_t one : look.fingerprints)
      result.fingerprint = result.fingerprint * 1099511628211u + one;
  return result;
}

// The seconds that it took.
base::Result<double, Finding> Caller::prepare(const BoundCandidate& bound,
                                              runner::PrepareRequest request) const {
  constexpr double prepare_seconds = 30;
  const auto start = Clock::now();
  auto prepared = bound.runner->prepare(request, prepare_seconds);
  if (!prepared && prepared.error().outcome == Outcome::launch_failed &&
      !guards_.on(Guard::launch_errors)) {
    // An evaluator that does not read launch errors goes on with what could be launched.
    request.skip_launch = bound.last_launch;
    prepared = bound.runner->prepare(request, prepare_seconds);
  }
  const double seconds = since(start);
  if (!prepared) return Failure{call_failure(prepared.error())};
  if (guards_.on(Guard::freeze))
    if (const auto fault = bound.runner->freeze()) return Failure{call_failure(*fault)};
  return seconds;
}

// Until the call can begin.
MaybeFinding Caller::write_inputs(const BoundCandidate& bound, const std::vector<BatchCall>& jobs,
                                  const CallOptions& options, bool flush) {
  if (auto problem = arrival_.check_processes(bound)) return problem;
  if (flush && bound.has_host_code) flush_.allocate();
  for (int others = arrival_.begin(bound); others > 0; --others) {
    for (const BatchCall& job : jobs) lay_out(job, job.written_first, options);
    ops_.finish();
    arrival_.wait_for_turn();
  }
  for (const BatchCall& job : jobs) lay_out(job, job.entry, options);
  ops_.finish();
  if (flush) drive_caches_out(bound.has_host_code);
  // A process of the sandbox that runs now has seen the inputs before the clock starts.
  MaybeFinding problem;
  if (device_.native_code || bound.has_host_code)
    problem = check_alone(guards_, *bound.runner, "before");
  auto at_work = arrival_.end();
  return problem ? problem : at_work;
}

// `entry` null: random bytes in place of inputs.
void Caller::lay_out(const BatchCall& job, const Entry* entry, const CallOptions& options) {
  auto& buffers = job.working->all();
  const std::size_t inputs = task_.inputs.size();
  const bool are_there = options.in_place && job.working->inputs_of() == entry;
  job.working->set_inputs_of(entry);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto& buffer = buffers[i];
    if (are_there && buffer.shape.role == ResolvedBuffer::Role::input) continue;
    if (guards_.on(Guard::canary)) job.working->set_canaries(buffer, secrets_.seed());
    if (buffer.shape.role == ResolvedBuffer::Role::input && entry != nullptr)
      ops_.copy(entry->inputs->all()[i].data, buffer.data);
    else if (options.keep_scratch && buffer.shape.role == ResolvedBuffer::Role::scratch)
      continue;
    else if (guards_.on(Guard::poison))
      ops_.poison(buffer.data, buffer.shape.dtype, secrets_.seed());
    // Without the guard: as a careless evaluator leaves it, with the reference's answer in the
    // memory it just freed.
    else if (buffer.shape.role == ResolvedBuffer::Role::output && entry != nullptr &&
             entry->expected)
      ops_.round_to(entry->expected->all()[i - inputs].data, buffer.data, buffer.shape.dtype);
  }
  if (entry != nullptr) take_fingerprints(*entry);
}

void Caller::drive_caches_out(bool has_host_code) {
  if (device_.native_code) return device::flush_host_caches(info_.l2_bytes);
  // A process with host code of its own could leave the flush out, so the judge does it.
  if (has_host_code) flush_.run();
}

Caller::FirstLook Caller::look_at_once(const std::vector<BatchCall>& jobs,
                                       Clock::time_point answered) {
  constexpr std::uint64_t step = 16;
  FirstLook look;
  ops_.begin_watch();
  look.settled = since(answered);
  const auto outputs = outputs_of(task_, jobs);
  for (device::Span part : outputs) {
    const std::uint64_t bytes = std::min(look_bytes, part.bytes);
    part.offset += secrets_.below((part.bytes - bytes) / step + 1) * step;
    part.bytes = bytes;
    look.parts.push_back(part);
  }
  look.part_fingerprints = ops_.fingerprints(look.parts, key_);
  look.fingerprints = ops_.fingerprints(outputs, key_);
  // What it still works on was not finished.
  if (const double gap = ops_.end_watch(); is_of_another(gap)) look.settled += gap;
  return look;
}

// A result that was known to be right when its fingerprint was taken was not late.
MaybeFinding Caller::check_late_work(const std::vector<BatchCall>& jobs, const FirstLook& look,
                                     bool compared) {
  const bool changed =
      (compared && ops_.fingerprints(outputs_of(task_, jobs), key_) != look.fingerprints) ||
      ops_.fingerprints(look.parts, key_) != look.part_fingerprints;
  if (!changed) return std::nullopt;
  for (const BatchCall& job : jobs) results_.forget_result(*job.entry);
  return conviction(
      Outcome::cheating, Guard::late_work,
      "a result changed after the call had been said to be finished: work went on elsewhere");
}

MaybeFinding Caller::check_canaries(const std::vector<BatchCall>& jobs) {
  if (!guards_.on(Guard::canary)) return std::nullopt;
  std::vector<device::Garbage> canaries;
  for (const BatchCall& job : jobs) job.working->add_canaries(canaries);
  const auto changes = ops_.find_changes(canaries);
  const std::size_t each = canaries.size() / jobs.size();
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (const auto broken =
            jobs[i].working->broken_canary(std::span(changes).subspan(i * each, each));
        !broken.empty())
      return in_batch(conviction(Outcome::wrong, Guard::canary, broken), jobs, i);
  return std::nullopt;
}

MaybeFinding Caller::check_inputs(const std::vector<BatchCall>& jobs) {
  if (!guards_.on(Guard::inputs)) return std::nullopt;
  const std::size_t count = task_.inputs.size();
  std::vector<device::Span> inputs;
  for (const BatchCall& job : jobs)
    for (std::size_t i = 0; i < count; ++i) inputs.push_back(job.working->all()[i].data);
  const auto fingerprints = ops_.fingerprints(inputs, key_);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (fingerprints[i] != input_fingerprints_[jobs[i / count].entry][i % count])
      return in_batch(
          conviction(
              Outcome::cheating, Guard::inputs,
              fmt::format(
                  "the input {} was changed by the call: work on a copy, or write to an output",
                  task_.inputs[i % count].name)),
          jobs, i / count);
  return std::nullopt;
}

MaybeFinding Caller::check_afterwards(const BatchCall& job, const Entry& entry) {
  CallErrors errors;
  const auto fingerprints = ops_.fingerprints(outputs_of(task_, {job}), key_);
  const auto checked = results_.check(entry, *job.working, fingerprints, errors);
  results_.forget(entry);
  return checked ? std::nullopt : MaybeFinding(in_case(case_.name, checked.error()));
}

base::Result<bool, Finding> Caller::check_results(const std::vector<BatchCall>& jobs,
                                                  const std::vector<std::uint64_t>& fingerprints,
                                                  CallErrors& errors) {
  const std::size_t outputs = task_.outputs.size();
  bool compared = false;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!jobs[i].entry->expected) continue;
    const auto one = results_.check(*jobs[i].entry, *jobs[i].working,
                                    std::span(fingerprints).subspan(i * outputs, outputs), errors);
    if (!one) return Failure{in_batch(one.error(), jobs, i)};
    compared = compared || *one;
  }
  return compared;
}

}  // namespace hone::judge
