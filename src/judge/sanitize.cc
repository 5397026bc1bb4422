#include "judge/sanitize.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/tools.h"
#include "judge/candidate_trial.h"
#include "judge/lease.h"
#include "judge/since.h"

namespace hone::judge {
namespace {

constexpr double slowdown = 60;  // a checker makes a kernel this much slower, and more

// Why the candidate is not run under a checker; "": it is.
std::string why_not_checked(const Judge& judge, const Ready& ready) {
  if (judge.info().language != core::Language::cuda) return "there is no memory or race checker for this device";
  if (core::has_operations(ready.candidate.plan)) return "the checkers are not for plans with library operations";
  if (ready.candidate.language == core::Language::python)
    return "a checker would take minutes to start a Python with torch";
  if (device::find_tool("compute-sanitizer").empty())
    return "compute-sanitizer was not found (it comes with the CUDA toolkit)";
  return "";
}

base::Result<Ready, Finding> load_under(const std::string& tool, Judge& judge, const Ready& ready) {
  auto options = runner::runner_options(judge.info(), judge.options().unsafe);
  options.sandbox.isolation = runner::Isolation::limits;  // the checker needs to see its target
  options.sandbox.wrapper = {device::find_tool("compute-sanitizer"),
                             "--tool",
                             tool,
                             "--target-processes",
                             "all",
                             "--launch-timeout",
                             "60",
                             "--print-limit",
                             "4",
                             "--report-api-errors",
                             "no"};
  EvaluateOptions evaluate;
  evaluate.point = ready.point;
  core::Evaluation unused;
  return load_with(judge, ready.candidate, evaluate, unused,
                   [&] { return std::make_unique<runner::Runner>(judge.info(), options); });
}

// The smallest case is enough to meet an access out of bounds, and all that a checker's slowness allows.
const core::Case& smallest_of(const core::Task& task, const std::vector<const core::Case*>& cases) {
  return **std::min_element(cases.begin(), cases.end(), [&](const core::Case* a, const core::Case* b) {
    return Pool::entry_bytes(task, *a) < Pool::entry_bytes(task, *b);
  });
}

// One call under one checker. The value: what the checker found, if anything.
base::Result<MaybeFinding, Finding> check_with(const std::string& tool, Judge& judge, Ready& checked,
                                               const core::Case& which, core::Evaluation& evaluation) {
  auto plan =
      core::resolve(checked.candidate.plan, judge.task(), which, checked.point, core::device_symbols(judge.info()));
  if (!plan) return MaybeFinding{};
  const Lease lease(judge.info(), judge.options().progress);
  const auto start = Clock::now();
  auto trial = make_trial(judge, checked, which, *std::move(plan), 1);
  if (!trial) return base::Failure{trial.error()};
  CallOptions options = usual_call(judge);
  options.flush = false;
  options.private_memory = true;
  options.seconds *= slowdown;
  const auto called = (*trial)->call(*(*trial)->known().front(), options);
  add_metric(evaluation, fmt::format("seconds.{}", tool), "s", since(start), which.name);
  const std::string errors = sanitizer_errors(checked.runner->finish_and_log());
  add_metric(evaluation, fmt::format("sanitizer.{}", tool), "1", errors.empty() ? 0.0 : 1.0, which.name);
  if (!errors.empty()) {
    constexpr int race = 34;  // row of docs/trust.md
    Finding finding = conviction(core::Outcome::wrong, Guard::sanitizer, fmt::format("{} says: {}", tool, errors));
    if (tool == "racecheck") finding.row = race;
    return MaybeFinding{in_case(which.name, finding)};
  }
  if (!called)
    add(evaluation, in_case(which.name, label(Guard::sanitizer,
                                              fmt::format("under {} the call failed: {}", tool, called.error().text))));
  return MaybeFinding{};
}

}  // namespace

std::string sanitizer_errors(const std::string& log) {
  // "========= Invalid __global__ write of size 4 bytes" and what follows it, up to the summary.
  std::string out;
  int lines = 0;
  std::size_t at = 0;
  bool inside = false;
  while (at < log.size() && lines < 8) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    std::string line = log.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("========= ")) continue;
    line = line.substr(10);
    const bool starts = line.starts_with("Invalid __") || line.starts_with("Error: ") ||
                        line.starts_with("Misaligned") || line.starts_with("Out-of-range") ||
                        line.starts_with("Warning: Race") || line.starts_with("Uninitialized __") ||
                        line.starts_with("Barrier error");
    // Errors of API calls are ours (asking for one kernel parameter more than there are, say), not the kernel's.
    if (line.starts_with("ERROR SUMMARY") || line.starts_with("Program hit") || line.starts_with("RACECHECK SUMMARY"))
      inside = false;
    else if (starts)
      inside = true;
    if (!inside) continue;
    out += (out.empty() ? "" : "; ") + line;
    ++lines;
  }
  return out;
}

void sanitize(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases, core::Evaluation& evaluation,
              const std::vector<std::string>& checkers, bool go_on) {
  if (const std::string why = why_not_checked(judge, ready); !why.empty())
    return add_metric(evaluation, "sanitizer", "1", std::nullopt, "", why);
  if (cases.empty()) return;
  const core::Case& smallest = smallest_of(judge.task(), cases);
  for (const auto& tool : checkers) {
    judge.options().progress(fmt::format("compute-sanitizer {} on case {}", tool, smallest.name));
    auto checked = load_under(tool, judge, ready);
    if (!checked) {
      add_metric(evaluation, fmt::format("sanitizer.{}", tool), "1", std::nullopt, "", checked.error().text);
      continue;
    }
    const auto found = check_with(tool, judge, *checked, smallest, evaluation);
    if (!found) return add(evaluation, found.error());
    if (!*found) continue;
    add(evaluation, **found);
    if (!go_on) return;
  }
}

}  // namespace hone::judge
