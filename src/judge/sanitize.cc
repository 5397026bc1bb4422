#include "judge/sanitize.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "device/ptx_traits.h"
#include "device/tools.h"
#include "judge/candidate_trial.h"
#include "judge/lease.h"
#include "judge/since.h"
#include "judge/witness.h"
#include "runner/reference_limit.h"

namespace hone::judge {
namespace {

constexpr double slowdown = 60;  // a checker makes a kernel this much slower, and more
constexpr double full_search = 5, short_search = 0.6;  // seconds of calls
constexpr std::string_view racecheck = "racecheck";

// The smallest case is enough to meet an access out of bounds, and all that a checker's slowness
// allows.
const core::Case& smallest_of(const core::Task& task, const std::vector<const core::Case*>& cases) {
  return **std::min_element(cases.begin(), cases.end(),
                            [&](const core::Case* a, const core::Case* b) {
                              return Pool::entry_bytes(task, *a) < Pool::entry_bytes(task, *b);
                            });
}

// A checker keeps a record of every word of shared memory of every block, on the host.
std::uint64_t memory_for_checkers() {
  constexpr std::uint64_t least = 8ull << 30, most = 64ull << 30;
  const auto all = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES))) *
                   static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  return std::clamp(all / 2, least, most);
}

Finding race_finding(const core::Case& which, Finding finding) {
  finding.row = race_row;
  return in_case(which.name, std::move(finding));
}

// One run of all checkers on one case.
class Checking {
 public:
  Checking(Judge& judge, const Ready& ready, const core::Case& which, core::Evaluation& evaluation)
      : judge_(judge), ready_(ready), which_(which), evaluation_(evaluation) {}

  // They open the device beside one another: that takes longer than most calls.
  void start(const std::vector<std::string>& tools) {
    for (const auto& tool : tools) started_[tool] = start_under(tool, judge_);
  }

  // True: something convicts.
  bool run(const std::string& tool) {
    try {
      return run_here(tool);
    } catch (const runner::TooSlow&) {  // the time for everything was up
      throw;
    } catch (const base::Error&
                 error) {  // a checker that does not work here costs its word, not the verdict
      add_metric(evaluation_, fmt::format("sanitizer.{}", tool), "1", std::nullopt, "",
                 error.what());
      return false;
    }
  }

 private:
  bool run_here(const std::string& tool) {
    judge_.options().progress(fmt::format("compute-sanitizer {} on case {}", tool, which_.name));
    auto loaded = load_checked(judge_, ready_.candidate, ready_.point, std::move(started_[tool]));
    if (!loaded) {
      add_metric(evaluation_, fmt::format("sanitizer.{}", tool), "1", std::nullopt, "",
                 loaded.error().text);
      return false;
    }
    const auto checked =
        call_checked(judge_, *loaded, which_, judge_.options().call_seconds * slowdown);
    if (!checked) {
      add(evaluation_, checked.error());
      return true;
    }
    add_metric(evaluation_, fmt::format("seconds.{}", tool), "s", checked->seconds, which_.name);
    note(tool, checked->report);
    const bool convicted = tool == racecheck ? judge_races(*loaded, checked->report)
                                             : judge_errors(tool, checked->report);
    if (!convicted && !checked->failure.empty())
      add(evaluation_,
          in_case(which_.name, label(Guard::sanitizer, fmt::format("under {} the call failed: {}",
                                                                   tool, checked->failure))));
    return convicted;
  }

  void note(const std::string& tool, const CheckerReport& report) {
    const std::string tag = fmt::format("sanitizer.{}", tool);
    if (!report.errors.empty() || report.complete)
      add_metric(evaluation_, tag, "1", report.errors.empty() ? 0.0 : 1.0, which_.name);
    else
      add_metric(evaluation_, tag, "1", std::nullopt, which_.name,
                 report.broken.empty() ? "it ended without a summary" : report.broken);
  }

  bool judge_errors(const std::string& tool, const CheckerReport& report) {
    if (report.errors.empty()) return false;
    add(evaluation_,
        in_case(which_.name, conviction(core::Outcome::wrong, Guard::sanitizer,
                                        fmt::format("{} says: {}", tool, report.errors))));
    return true;
  }

  // Where it reports something, a witness is looked for at length; where it cannot see, shortly.
  bool judge_races(const Ready& checked, const CheckerReport& report) {
    const std::string blind = device::not_modelled(checked.traits);
    const bool unfenced = device::has_trait(checked.traits, device::trait::no_proxy_fence);
    const bool has_reported = !report.errors.empty() || unfenced;
    WitnessSearch search;
    if (has_reported || !blind.empty())
      search = find_witness(judge_, ready_, which_,
                            {has_reported ? full_search : short_search, !report.errors.empty()},
                            evaluation_);
    if (search.found) {
      Finding found = *search.found;
      if (!report.errors.empty()) found.text += ". racecheck says: " + report.errors;
      add(evaluation_, found);
      return true;
    }
    if (!report.errors.empty() || !report.complete)
      add(evaluation_,
          race_finding(which_, label(Guard::sanitizer, race_label(report, search.text, blind))));
    if (unfenced)
      add(evaluation_,
          race_finding(which_,
                       label(Guard::sanitizer,
                             fmt::format("Shared memory that threads write may be read by the "
                                         "asynchronous proxy (a bulk copy or wgmma), and there is "
                                         "no fence.proxy.async: what is read may be old then. {}",
                                         search.text))));
    return false;
  }

  Judge& judge_;
  const Ready& ready_;
  const core::Case& which_;
  core::Evaluation& evaluation_;
  std::map<std::string, std::unique_ptr<runner::Runner>> started_;
};

}  // namespace

std::string why_not_checked(const Judge& judge, const core::Candidate& candidate) {
  if (judge.info().language != core::Language::cuda)
    return "there is no memory or race checker for this device";
  if (core::has_operations(candidate.plan))
    return "the checkers are not for plans with library operations";
  if (candidate.language == core::Language::python)
    return "a checker would take minutes to start a Python with torch";
  if (device::find_tool("compute-sanitizer").empty())
    return "compute-sanitizer was not found (it comes with the CUDA toolkit)";
  return "";
}

std::future<void> build_ahead(const Judge& judge, const core::Candidate& candidate,
                              const core::Point& point) {
  if (!judge.options().guards.on(Guard::sanitizer) || !why_not_checked(judge, candidate).empty())
    return {};
  return std::async(std::launch::async, [&judge, candidate, point] {
    const JudgeOptions& options = judge.options();
    for (const BuildVariant& variant :
         {BuildVariant{.line_info = true}, BuildVariant{.disturb = disturbing_seed}})
      try {
        core::Evaluation unused;
        (void)build_image(candidate, point, judge.info(), options.guards, options.build_seconds,
                          unused, variant);
      } catch (const base::Error&) {  // it is built again where it is needed, and the error is told
                                      // there
      }
  });
}

std::unique_ptr<runner::Runner> start_under(const std::string& tool, const Judge& judge) {
  auto options = runner::runner_options(judge.info(), judge.options().unsafe);
  options.sandbox.isolation = runner::Isolation::limits;  // the checker needs to see its target
  options.sandbox.memory_bytes = memory_for_checkers();
  options.sandbox.wrapper = {device::find_tool("compute-sanitizer"),
                             "--tool",
                             tool,
                             "--target-processes",
                             "all",
                             "--launch-timeout",
                             "60",
                             "--print-limit",
                             "4",
                             "--show-backtrace",
                             "no",
                             "--report-api-errors",
                             "no"};
  return std::make_unique<runner::Runner>(judge.info(), options);
}

base::Result<Ready, Finding> load_checked(Judge& judge, const core::Candidate& candidate,
                                          const core::Point& point,
                                          std::unique_ptr<runner::Runner> runner) {
  EvaluateOptions options;
  options.point = point;
  options.variant.line_info = true;
  core::Evaluation unused;
  return load_with(judge, candidate, options, unused, [&] { return std::move(runner); });
}

base::Result<Checked, Finding> call_checked(Judge& judge, Ready& checked, const core::Case& which,
                                            double seconds) {
  auto plan = core::resolve(checked.candidate.plan, judge.task(), which, checked.point,
                            core::device_symbols(judge.info()));
  if (!plan) return Checked{};
  const Lease lease(judge.info(), judge.options().progress, judge.options().deadline);
  const auto start = Clock::now();
  auto trial = make_trial(judge, checked, which, *std::move(plan), 1);
  if (!trial) return base::Failure{trial.error()};
  CallOptions options = usual_call(judge);
  options.flush = false;
  options.private_memory = true;
  options.one_by_one = true;
  options.seconds = seconds;
  const auto called = (*trial)->call(*(*trial)->known().front(), options);
  const std::string log = checked.runner->finish_and_log();
  return Checked{read_checker_log(log, {checked.candidate.name, checked.candidate.source}),
                 called ? "" : called.error().text, since(start)};
}

std::string race_label(const CheckerReport& report, const std::string& search,
                       const std::string& not_modelled) {
  std::string text =
      report.errors.empty()
          ? fmt::format("racecheck did not look at everything, so it says nothing about races{}{}",
                        report.broken.empty() ? "" : ": ", report.broken)
          : fmt::format("racecheck reports, and no witness was found (so this decides nothing): {}",
                        report.errors);
  if (!search.empty()) text += ". " + search;
  if (!not_modelled.empty())
    text += fmt::format(". racecheck does not model what this kernel has: {}", not_modelled);
  return text;
}

void sanitize(Judge& judge, const Ready& ready, const std::vector<const core::Case*>& cases,
              core::Evaluation& evaluation, const std::vector<std::string>& checkers, bool go_on) {
  if (const std::string why = why_not_checked(judge, ready.candidate); !why.empty())
    return add_metric(evaluation, "sanitizer", "1", std::nullopt, "", why);
  if (cases.empty()) return;
  Checking checking(judge, ready, smallest_of(judge.task(), cases), evaluation);
  checking.start(checkers);
  for (const auto& tool : checkers)
    if (checking.run(tool) && !go_on) return;
}

void check_races(Judge& judge, const core::Candidate& candidate, const EvaluateOptions& options,
                 core::Evaluation& evaluation) {
  if (!judge.options().guards.on(Guard::sanitizer) || !why_not_checked(judge, candidate).empty())
    return;
  const Ready subject{candidate, judge.key_for(candidate, options).point, nullptr, {}, {}, {}};
  sanitize(judge, subject, judge.cases(options.case_name), evaluation, {std::string(racecheck)});
  if (evaluation.outcome != core::Outcome::accepted) evaluation.geomean.reset();
}

}  // namespace hone::judge
