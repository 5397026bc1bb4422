#include "judge/sanitize.h"

#include <fmt/format.h>

#include <chrono>

#include "device/tools.h"
#include "judge/lease.h"

namespace hone::judge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double slowdown = 60;  // a checker makes a kernel this much slower, and more

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
  if (judge.info().language != core::Language::cuda) {
    evaluation.metrics.push_back(
        {"sanitizer", "1", std::nullopt, "there is no memory or race checker for this device", "", {}, {}});
    return;
  }
  if (core::has_operations(ready.candidate.plan)) {
    evaluation.metrics.push_back(
        {"sanitizer", "1", std::nullopt, "the checkers are not for plans with library operations", "", {}, {}});
    return;
  }
  if (ready.candidate.language == core::Language::python) {
    evaluation.metrics.push_back(
        {"sanitizer", "1", std::nullopt, "a checker would take minutes to start a Python with torch", "", {}, {}});
    return;
  }
  const std::string checker = device::find_tool("compute-sanitizer");
  if (checker.empty()) {
    evaluation.metrics.push_back({"sanitizer",
                                  "1",
                                  std::nullopt,
                                  "compute-sanitizer was not found (it comes with the CUDA toolkit)",
                                  "",
                                  {},
                                  {}});
    return;
  }
  // The smallest case is enough to meet an access out of bounds, and all that a checker's slowness allows.
  const core::Case* smallest = nullptr;
  std::uint64_t fewest = 0;
  for (const core::Case* which : cases)
    if (const auto bytes = Pool::entry_bytes(judge.task(), *which); smallest == nullptr || bytes < fewest) {
      smallest = which;
      fewest = bytes;
    }
  if (smallest == nullptr) return;
  for (const auto& tool : checkers) {
    judge.options().progress(fmt::format("compute-sanitizer {} on case {}", tool, smallest->name));
    auto options = runner::runner_options(judge.info(), judge.options().unsafe);
    options.sandbox.isolation = runner::Isolation::limits;  // the checker needs to see its target
    options.sandbox.wrapper = {checker, "--tool",        tool, "--target-processes",  "all", "--launch-timeout",
                               "60",    "--print-limit", "4",  "--report-api-errors", "no"};
    EvaluateOptions evaluate;
    evaluate.point = ready.point;
    core::Evaluation scratch;
    auto checked = judge.make_ready_with(ready.candidate, evaluate, scratch, options);
    if (!checked) {
      evaluation.metrics.push_back({fmt::format("sanitizer.{}", tool),
                                    "1",
                                    std::nullopt,
                                    scratch.evidence.empty() ? "it could not be started" : scratch.evidence.back().text,
                                    "",
                                    {},
                                    {}});
      continue;
    }
    auto plan =
        core::resolve(ready.candidate.plan, judge.task(), *smallest, ready.point, core::device_symbols(judge.info()));
    if (!plan) return;
    const Lease lease(judge.info(), judge.options().progress);
    const auto start = Clock::now();
    BufferSet working(judge.bench(), plan->buffers);
    Caller caller(judge.task(), *smallest, judge.bench(), working, judge.secrets(), judge.options().guards,
                  judge.info());
    auto bound = judge.bind(*checked, *plan, working);
    if (!bound) return convict(evaluation, bound.error().outcome, bound.error().evidence);
    const auto called = caller.call(*bound, *judge.pool(*smallest).plain(1).front(),
                                    {false, true, -1, judge.options().call_seconds * slowdown});
    evaluation.metrics.push_back({fmt::format("seconds.{}", tool),
                                  "s",
                                  std::chrono::duration<double>(Clock::now() - start).count(),
                                  "",
                                  smallest->name,
                                  {},
                                  {}});
    const std::string errors = sanitizer_errors(checked->runner->finish_and_log());
    evaluation.metrics.push_back(
        {fmt::format("sanitizer.{}", tool), "1", errors.empty() ? 0.0 : 1.0, "", smallest->name, {}, {}});
    if (!errors.empty()) {
      const bool race = tool == "racecheck";
      convict(evaluation, core::Outcome::wrong,
              {"sanitizer", race ? 34 : 35, true, smallest->name, fmt::format("{} says: {}", tool, errors)});
      if (!go_on) return;
    } else if (!called) {
      label(evaluation, "sanitizer", 35, smallest->name,
            fmt::format("under {} the call failed: {}", tool, called.error().evidence.text));
    }
  }
}

}  // namespace hone::judge
