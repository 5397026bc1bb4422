#include "judge/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "core/precision.h"
#include "device/host_flush.h"
#include "judge/wrong_element.h"

namespace hone::judge {

using base::Failure;
using core::Outcome;
using core::ResolvedBuffer;

Caller::Caller(const core::Task& task, const core::Case& which, device::Workbench& bench, BufferSet& working,
               Secrets& secrets, const GuardSet& guards, const core::DeviceInfo& info)
    : task_(task),
      case_(which),
      bench_(bench),
      own_(working),
      working_(&working),
      secrets_(secrets),
      guards_(guards),
      info_(info),
      print_key_(secrets.seed()),
      flush_(bench, info.l2_bytes) {}

CallFailure Caller::failure(Outcome outcome, const std::string& guard, int row, std::string text) const {
  return {outcome, {guard, row, true, case_.name, std::move(text)}};
}

namespace {

constexpr std::uint64_t glimpse_bytes = 4096;
constexpr std::chrono::milliseconds longest_straggler(100);  // that a careless evaluator leaves queued work

// Without the guard: as an evaluator that looks at the results when it comes to it, and leaves a straggler the time it
// needs.
void let_stragglers_finish(const runner::Runner& runner, int threads_before) {
  constexpr std::chrono::milliseconds longest(3000), pause(5);
  for (auto waited = std::chrono::milliseconds(0); runner.threads() > threads_before && waited < longest;
       waited += pause)
    std::this_thread::sleep_for(pause);
}

std::pair<double, std::uint64_t> seconds_of_print(device::Workbench& bench, const device::Span& in, std::uint64_t key) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t print = bench.fingerprint(in, key);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), print};
}

std::string narrower_text(const std::string& output, double rms, double honest, const ErrorPair& tf32,
                          const Bounds& bounds) {
  if (bounds.narrow_by_tf32)
    return fmt::format(
        "{}: the rms error is {:.3g}, the bound {:.3g}; torch is off by {:.3g} with TF32 and {:.3g} without: this is a "
        "narrower precision than TF32",
        output, rms, bounds.narrow, tf32.rms, honest);
  return fmt::format(
      "{}: the rms error is {:.3g}, {:.0f} times the {:.3g} of an honest single-precision kernel; more "
      "than {:.0f} times means a narrower precision",
      output, rms, rms / honest, honest, precision_factor);
}

}  // namespace

double settle_seconds(device::Workbench& bench, device::Span result) {
  result.bytes = std::min(result.bytes, glimpse_bytes);
  return seconds_of_print(bench, result, 0).first;
}

void Caller::lay_out(const Entry& entry, bool keep_scratch) {
  auto& buffers = working_->all();
  const std::size_t inputs = task_.inputs.size();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto& buffer = buffers[i];
    if (guards_.on(Guard::canary)) working_->set_canaries(buffer, secrets_.seed());
    if (buffer.shape.role == ResolvedBuffer::Role::input)
      bench_.copy(entry.inputs->all()[i].data, buffer.data);
    else if (keep_scratch && buffer.shape.role == ResolvedBuffer::Role::scratch)
      continue;
    else if (guards_.on(Guard::poison))
      bench_.poison(buffer.data, buffer.shape.dtype, secrets_.seed());
    // Without the guard: as a careless evaluator leaves it, with the reference's answer in the memory it just freed.
    else if (buffer.shape.role == ResolvedBuffer::Role::output)
      bench_.round_to(entry.expected->all()[i - inputs].data, buffer.data, buffer.shape.dtype);
  }
  look_at(entry);
}

void Caller::look_at(const Entry& entry) {
  if (!guards_.on(Guard::inputs) || input_prints_.contains(&entry)) return;
  for (const auto& input : entry.inputs->all())
    input_prints_[&entry].push_back(bench_.fingerprint(input.data, print_key_));
}

std::vector<device::Span> Caller::outputs_of(const std::vector<Job>& jobs) const {
  std::vector<device::Span> outputs;
  for (const Job& job : jobs)
    for (std::size_t i = 0; i < task_.outputs.size(); ++i)
      outputs.push_back(job.working->all()[task_.inputs.size() + i].data);
  return outputs;
}

std::vector<device::Span> Caller::glimpses_of(std::vector<device::Span> outputs) {
  constexpr std::uint64_t step = 16;
  for (device::Span& output : outputs) {
    const std::uint64_t bytes = std::min(glimpse_bytes, output.bytes);
    output.offset += secrets_.below((output.bytes - bytes) / step + 1) * step;
    output.bytes = bytes;
  }
  return outputs;
}

base::Result<CallResult, CallFailure> Caller::call(const Bound& bound, const Entry& entry, const CallOptions& options) {
  return call(bound, {{&own_, &bound.bindings, &entry}}, options);
}

base::Result<CallResult, CallFailure> Caller::call(const Bound& bound, const std::vector<Job>& jobs,
                                                   const CallOptions& options) {
  constexpr double prepare_seconds = 30;
  runner::Runner& runner = *bound.runner;
  std::vector<device::BindingSet> sets;
  for (const Job& job : jobs) sets.push_back(*job.bindings);
  runner::PrepareRequest request{bound.plan,
                                 sets,
                                 guards_.on(Guard::fresh_addresses),
                                 options.flush && guards_.on(Guard::flush),
                                 options.private_memory,
                                 options.skip_launch,
                                 options.marked,
                                 options.record};
  const auto fault = [&](const runner::Fault& f) {
    if (f.outcome == Outcome::cheating) return Failure{failure(f.outcome, "", 20, f.text)};
    if (f.outcome == Outcome::wrong) return Failure{failure(f.outcome, "results", 18, f.text)};
    if (f.outcome == Outcome::launch_failed) return Failure{failure(f.outcome, "launch-errors", 2, f.text)};
    return Failure{failure(f.outcome, "limits", 40, f.text)};
  };
  // Mapped before the contents are there, so that nobody can look at them early.
  auto prepared = runner.prepare(request, prepare_seconds);
  if (!prepared && prepared.error().outcome == Outcome::launch_failed && !guards_.on(Guard::launch_errors)) {
    request.skip_launch =
        bound.last_launch;  // as an evaluator that does not look does: it goes on with what could be launched
    prepared = runner.prepare(request, prepare_seconds);
  }
  if (!prepared) return fault(prepared.error());
  if (guards_.on(Guard::freeze))
    if (const auto problem = runner.freeze()) return fault(*problem);
  for (const Job& job : jobs) {
    working_ = job.working;
    lay_out(*job.entry, options.keep_scratch);
  }
  bench_.finish();
  if (request.flush && info_.is_cpu && case_.timed) device::flush_host_caches(info_.l2_bytes);
  // Where host code is the candidate's, its own process may leave that out.
  if (request.flush && bound.hostile && !info_.is_cpu && case_.timed) flush_.run();
  // Whoever runs now has seen the inputs before the clock.
  const bool native = info_.is_cpu || bound.hostile;
  if (auto problem = native ? check_alone(runner, "before") : std::nullopt) return Failure{*std::move(problem)};
  const int threads_before = guards_.on(Guard::freeze) ? 0 : runner.threads();
  const auto timed = runner.go(options.seconds, guards_.on(Guard::freeze), guards_.on(Guard::launch_errors));
  if (!timed) return fault(timed.error());
  // A stopped process does not stop what it has queued on a GPU.
  const bool may_be_late = bound.hostile && !info_.is_cpu;
  const bool in_time = may_be_late && guards_.on(Guard::late_work);
  const auto outputs = outputs_of(jobs);
  std::vector<device::Span> glimpses;
  std::vector<std::uint64_t> prints, first_prints;
  CallResult result;
  result.timed = *timed;
  if (in_time) {
    glimpses = glimpses_of(outputs);
    const auto [seconds, print] = seconds_of_print(bench_, glimpses.front(), print_key_);
    result.settled = seconds;
    first_prints = bench_.fingerprints(std::span(glimpses).subspan(1), print_key_);
    first_prints.insert(first_prints.begin(), print);
    prints = bench_.fingerprints(outputs, print_key_);
  }
  if (!guards_.on(Guard::freeze)) let_stragglers_finish(runner, threads_before);
  if (may_be_late && !guards_.on(Guard::late_work)) std::this_thread::sleep_for(longest_straggler);
  if (!options.verify) return result;
  if (auto problem = check_alone(runner, "after")) return Failure{*std::move(problem)};
  if (!in_time) prints = bench_.fingerprints(outputs, print_key_);
  if (auto problem = check_canaries(jobs)) return Failure{*std::move(problem)};
  if (auto problem = check_inputs(jobs)) return Failure{*std::move(problem)};
  const auto compared = check_results(jobs, prints, result);
  if (!compared) return Failure{compared.error()};
  if (auto problem = native ? check_alone(runner, "after") : std::nullopt) return Failure{*std::move(problem)};
  // What was known to be right when its print was taken was not late.
  if (in_time && ((*compared && bench_.fingerprints(outputs, print_key_) != prints) ||
                  bench_.fingerprints(glimpses, print_key_) != first_prints)) {
    for (const Job& job : jobs) right_.erase(job.entry);
    return Failure{failure(Outcome::cheating, "late-work", 16,
                           "a result changed after the call had been said to be finished: work went on elsewhere")};
  }
  if (options.print)
    for (const std::uint64_t print : prints) result.fingerprint = result.fingerprint * 1099511628211u + print;
  return result;
}

std::optional<CallFailure> Caller::check_alone(const runner::Runner& runner, const char* when) const {
  if (guards_.on(Guard::freeze) && runner.ran_while_frozen())
    return failure(Outcome::cheating, "freeze", 17,
                   fmt::format("the runner was stopped {} the call and has been running all the same", when));
  if (guards_.on(Guard::strangers))
    if (const auto strangers = runner.strangers(); !strangers.empty())
      return failure(Outcome::cheating, "strangers", 17,
                     fmt::format("{} process(es) besides the runner are alive in its sandbox {} the call",
                                 strangers.size(), when));
  return std::nullopt;
}

CallFailure Caller::in_row(CallFailure problem, const std::vector<Job>& jobs, std::size_t index) {
  if (jobs.size() > 1) problem.evidence.text += fmt::format(" (call {} of {} in a row)", index + 1, jobs.size());
  return problem;
}

std::optional<CallFailure> Caller::check_canaries(const std::vector<Job>& jobs) {
  if (!guards_.on(Guard::canary)) return std::nullopt;
  std::vector<device::Garbage> canaries;
  for (const Job& job : jobs) job.working->add_canaries(canaries);
  const auto changes = bench_.find_changes(canaries);
  const std::size_t each = canaries.size() / jobs.size();
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (const auto broken = jobs[i].working->broken_canary(std::span(changes).subspan(i * each, each)); !broken.empty())
      return in_row(failure(Outcome::wrong, "canary", 35, broken), jobs, i);
  return std::nullopt;
}

std::optional<CallFailure> Caller::check_inputs(const std::vector<Job>& jobs) {
  if (!guards_.on(Guard::inputs)) return std::nullopt;
  const std::size_t count = task_.inputs.size();
  std::vector<device::Span> inputs;
  for (const Job& job : jobs)
    for (std::size_t i = 0; i < count; ++i) inputs.push_back(job.working->all()[i].data);
  const auto prints = bench_.fingerprints(inputs, print_key_);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (prints[i] != input_prints_[jobs[i / count].entry][i % count])
      return in_row(failure(Outcome::cheating, "inputs", 4,
                            fmt::format("the input {} was changed by the call", task_.inputs[i % count].name)),
                    jobs, i / count);
  return std::nullopt;
}

base::Result<bool, CallFailure> Caller::check_results(const std::vector<Job>& jobs,
                                                      const std::vector<std::uint64_t>& prints, CallResult& result) {
  const std::size_t outputs = task_.outputs.size();
  bool compared = false;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    working_ = jobs[i].working;
    const auto one = check_result(*jobs[i].entry, std::span(prints).subspan(i * outputs, outputs), result);
    if (!one) return Failure{in_row(one.error(), jobs, i)};
    compared = compared || *one;
  }
  return compared;
}

// Every byte of every result counts, in its fingerprint, whose key is a secret. One that was found right on these
// inputs is right again; only others are held against the truth.
base::Result<bool, CallFailure> Caller::check_result(const Entry& entry, std::span<const std::uint64_t> prints,
                                                     CallResult& result) {
  auto& right = right_[&entry];
  const bool known = std::equal(prints.begin(), prints.end(), right.begin(), right.end(),
                                [](std::uint64_t print, const Right& one) { return print == one.print; });
  if (!known) {
    right.clear();
    std::vector<Right> compared;
    for (std::size_t i = 0; i < prints.size(); ++i) {
      compared.push_back({prints[i], {}});
      if (auto problem = check_output(i, entry, compared.back().error)) return Failure{*std::move(problem)};
    }
    if (auto problem = check_officially(entry)) return Failure{*std::move(problem)};
    right = std::move(compared);
  }
  if (!task_.own_check || task_.own_check->unique)
    for (std::size_t i = 0; i < right.size(); ++i) note_error(right[i].error, entry.honest_rms[i], result);
  return !known;
}

// The problem's own check on the bytes that lie here now. Where there is one right answer, the judge's comparison sees
// every call, and this one each input once; otherwise it is all there is.
std::optional<CallFailure> Caller::check_officially(const Entry& entry) {
  if (!entry.official || !guards_.on(Guard::tolerance)) return std::nullopt;
  if (!asked_.insert(&entry).second && task_.own_check->unique) return std::nullopt;
  const auto first = working_->all().begin() + static_cast<std::ptrdiff_t>(task_.inputs.size());
  const auto refusal = entry.official({first, first + static_cast<std::ptrdiff_t>(task_.outputs.size())});
  if (!refusal) return std::nullopt;
  return failure(Outcome::wrong, "tolerance", 36,
                 fmt::format("the problem's own check_implementation refuses the result{}{}",
                             refusal->empty() ? "" : ": ", *refusal));
}

std::optional<CallFailure> Caller::check_output(std::size_t index, const Entry& entry, ErrorPair& error) {
  const auto& output = task_.outputs[index];
  const Guarded& actual = working_->all()[task_.inputs.size() + index];
  const Guarded& expected = entry.expected->all()[index];
  const double honest = entry.honest_rms[index];
  const ErrorPair tf32 = entry.tf32.empty() ? ErrorPair{} : entry.tf32[index];
  const Bounds bounds = bounds_for(output, honest, tf32);
  const auto distance = bench_.distance(actual.data, output.dtype, expected.data, entry.scales[index], bounds.max);
  const auto place = [&](std::int64_t at) { return describe_element(bench_, actual, expected, at); };
  const auto by_tf32 = [](bool it_is, double off) {
    return it_is ? fmt::format(" (torch with TF32 is off by {:.3g})", off) : "";
  };
  if (distance.nonfinite > 0 && guards_.on(Guard::finite))
    return failure(
        Outcome::wrong, "finite", 6,
        fmt::format("{}: {} of {} elements are not finite where the truth is. {}", output.name, distance.nonfinite,
                    actual.shape.bytes / core::size_of(output.dtype), place(distance.first_bad)));
  if (task_.own_check && !task_.own_check->unique) return std::nullopt;  // its own check decides
  const std::int64_t too_far = distance.bad - distance.nonfinite;
  if (too_far > 0 && guards_.on(Guard::tolerance))
    return failure(
        Outcome::wrong, "tolerance", 36,
        fmt::format("{}: {} of {} elements are wrong; the largest scaled error is {:.3g}, the bound {:.3g}{}{}. {}",
                    output.name, too_far, actual.shape.bytes / core::size_of(output.dtype), distance.max, bounds.max,
                    by_tf32(bounds.max_by_tf32, tf32.max), variant_note(entry.variant), place(distance.first_bad)));
  if (honest > 0 && distance.rms > bounds.narrow && !core::any_precision(task_) && guards_.on(Guard::precision))
    return failure(Outcome::wrong, "precision", 26,
                   narrower_text(output.name, distance.rms, honest, tf32, bounds) + variant_note(entry.variant));
  if (core::is_float(output.dtype) && distance.rms > bounds.rms && guards_.on(Guard::tolerance))
    return failure(Outcome::wrong, "tolerance", 27,
                   fmt::format("{}: the rms of the scaled errors is {:.3g}, the bound {:.3g}{}{}. {}", output.name,
                               distance.rms, bounds.rms, by_tf32(bounds.rms_by_tf32, tf32.rms),
                               variant_note(entry.variant), place(distance.worst)));
  if (honest > 0 && distance.rms > std::max(bounds.narrow, narrowest_ * honest) && guards_.on(Guard::precision)) {
    narrowest_ = distance.rms / honest;
    narrow_ = narrower_text(output.name, distance.rms, honest, tf32, bounds) + variant_note(entry.variant);
  }
  error = {distance.max, distance.rms};
  return std::nullopt;
}

void Caller::note_error(const ErrorPair& error, double honest, CallResult& result) {
  result.errors.push_back(error);
  result.error_max = std::max(result.error_max, error.max);
  if (error.rms < result.error_rms) return;
  result.error_rms = error.rms;
  result.honest_rms = honest;
}

}  // namespace hone::judge
