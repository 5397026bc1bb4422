#include "profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "base/error.h"
#include "judge/lease.h"
#include "judge/sanitize.h"
#include "profile/build_log.h"
#include "profile/call_times.h"
#include "profile/cpu.h"
#include "profile/energy.h"
#include "profile/explain.h"
#include "profile/ncu.h"
#include "profile/ncu_metrics.h"
#include "profile/recorded_call.h"
#include "profile/sass.h"
#include "profile/system.h"
#include "profile/tags.h"
#include "profile/timeline.h"

namespace hone::profile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t hot_lines = 5;
constexpr std::size_t most_launches =
    8;  // that Nsight Compute looks at; each costs a second or two

// One profile in the making. Collectors that fail leave a note, and the rest goes on.
class Profiling {
 public:
  Profiling(judge::Judge& judge, const core::Candidate& candidate, const ProfileOptions& options,
            const core::Evaluation& evaluation)
      : judge_(judge), candidate_(candidate), options_(options), evaluation_(evaluation) {
    profile_.key = evaluation.key;
    point_ = evaluation.key.point;
  }

  core::Profile run();

 private:
  const core::CaseResult* choose_case();
  template <typename Work>
  void part(const char* name, Work work);
  void take(Collected collected);
  judge::Ready ready_again();
  judge::Ready load(std::string& image);
  bool needs_time() const;
  void time(judge::Ready& ready);
  void collect();
  void collect_call();
  void collect_cuda(judge::Ready& ready, const std::string& image);
  void take_kernels(KernelProfile kernels, const core::ResolvedPlan& plan);
  void sanitize(judge::Ready& ready);
  std::vector<int> launches_to_look_at(const core::ResolvedPlan& plan,
                                       std::vector<core::Metric>& left_out) const;
  std::map<int, double> shares(const core::ResolvedPlan& plan) const;
  void explain();

  judge::Judge& judge_;
  const core::Candidate& candidate_;
  const ProfileOptions& options_;
  const core::Evaluation& evaluation_;
  core::Point point_;
  const core::Case* which_ = nullptr;
  std::optional<judge::Lease> lease_;
  double wall_ = 0;
  core::Profile profile_;
  Facts facts_;
};

template <typename Work>
void Profiling::part(const char* name, Work work) {
  const auto start = Clock::now();
  judge_.options().progress(fmt::format("profile: {}", name));
  try {
    work();
  } catch (const base::Error& error) {
    profile_.notes.push_back(fmt::format("The part \"{}\" failed: {}.", name, error.what()));
  }
  profile_.parts.push_back({name, std::chrono::duration<double>(Clock::now() - start).count()});
}

void Profiling::take(Collected collected) {
  for (auto& metric : collected.metrics) {
    metric.case_name = profile_.case_name;
    profile_.metrics.push_back(std::move(metric));
  }
  for (auto& note : collected.notes)
    if (std::find(profile_.notes.begin(), profile_.notes.end(), note) == profile_.notes.end())
      profile_.notes.push_back(std::move(note));
}

// The case asked for, else the timed one that takes longest.
const core::CaseResult* Profiling::choose_case() {
  const core::CaseResult* chosen = nullptr;
  for (const auto& result : evaluation_.cases) {
    if (!options_.case_name.empty() ? result.name != options_.case_name : !result.timed) continue;
    if (chosen == nullptr || result.median > chosen->median) chosen = &result;
  }
  for (const auto& which : judge_.task().cases)
    if (which.name == (chosen != nullptr ? chosen->name : options_.case_name)) which_ = &which;
  return chosen;
}

std::map<int, double> Profiling::shares(const core::ResolvedPlan& plan) const {
  const MetricTable table(profile_.metrics);
  std::map<int, double> seconds;
  double total = 0;
  for (const auto& launch : plan.launches) {
    if (seconds.contains(launch.plan_index)) continue;
    const auto known = table.get(tag::system_launch_seconds, launch.plan_index);
    if (!known) return {};
    total += seconds[launch.plan_index] = *known;
  }
  for (auto& [launch, share] : seconds) share = total > 0 ? share / total : 1;
  return seconds;
}

std::vector<int> Profiling::launches_to_look_at(const core::ResolvedPlan& plan,
                                                std::vector<core::Metric>& left_out) const {
  std::vector<int> all;
  for (const auto& launch : plan.launches)
    if (std::find(all.begin(), all.end(), launch.plan_index) == all.end())
      all.push_back(launch.plan_index);
  const auto share_of = shares(plan);
  const auto share = [&](int launch) { return share_of.empty() ? 1.0 : share_of.at(launch); };
  std::vector<int> by_share = all;
  std::stable_sort(by_share.begin(), by_share.end(),
                   [&](int a, int b) { return share(a) > share(b); });
  std::vector<int> chosen;
  for (const int launch : all) {  // in the order of the plan
    const auto rank = std::find(by_share.begin(), by_share.end(), launch) - by_share.begin();
    if (share(launch) >= least_share && rank < static_cast<std::ptrdiff_t>(most_launches))
      chosen.push_back(launch);
    else
      add_missing_kernel_metrics(
          share(launch) < least_share
              ? fmt::format("the launch has {:.1f} % of the call's kernel time, less than {:.0f} "
                            "%, and was not looked at",
                            100 * share(launch), 100 * least_share)
              : fmt::format("the {} launches with the largest shares were looked at, and this is "
                            "none of them",
                            most_launches),
          launch, left_out);
  }
  return chosen;
}

void Profiling::take_kernels(KernelProfile kernels, const core::ResolvedPlan& plan) {
  take(std::move(kernels.collected));
  facts_.lines = std::move(kernels.lines);
  std::stable_sort(facts_.lines.begin(), facts_.lines.end(),
                   [](const auto& a, const auto& b) { return a.samples > b.samples; });
  profile_.hot_lines = hottest(facts_.lines, shares(plan), hot_lines);
}

void Profiling::collect_cuda(judge::Ready& ready, const std::string& image) {
  // What needs no device runs beside what waits for one.
  auto machine_code =
      std::async(std::launch::async, [&] { return collect_sass(image, facts_.plan); });
  auto with_lines = std::async(
      std::launch::async, [&] { return build_for(judge_, candidate_, point_, options_.source); });
  std::optional<KernelProfiler> profiler;
  part("start", [&] { profiler.emplace(judge_, options_.source); });
  std::optional<ProfilingSetup> setup;
  part("system", [&] {
    setup.emplace(judge_, candidate_, point_, *which_, facts_.plan);
    take(collect_system(*setup, ready));
  });
  auto built = with_lines.get();
  if (!built) profile_.notes.push_back(fmt::format("Lines are not known: {}.", built.error()));
  const bool counted = setup && profiler && built;
  std::vector<int> launches;
  std::vector<core::Metric> left_out;
  if (counted)
    part("kernel", [&] {
      launches = launches_to_look_at(setup->plan, left_out);
      profiler->measure(*setup, *built, launches);
    });
  else
    add_missing_kernel_metrics(built ? "the profiler did not start" : built.error(), std::nullopt,
                               profile_.metrics);
  if (setup && options_.energy)
    part("energy", [&] { take(collect_energy(*setup, image, profile_.seconds)); });
  lease_.reset();  // what is left is reading, and others may have the device
  if (counted)
    part("counters", [&] { take_kernels(profiler->read(*setup, *built, launches), setup->plan); });
  take({std::move(left_out), {}});
  part("sass", [&] { take(machine_code.get()); });
}

void Profiling::sanitize(judge::Ready& ready) {
  core::Evaluation checked;
  judge::sanitize(judge_, ready, judge_.cases(""), checked, judge::all_checkers, true);
  Collected collected{checked.metrics, {}};
  for (const auto& evidence : checked.evidence) collected.notes.push_back(evidence.text);
  take(std::move(collected));
}

// Everything else is measured now, and the shares of a time from another day would be of nothing.
bool Profiling::needs_time() const {
  return profile_.seconds <= 0 || (options_.evaluation && !options_.timed_just_now);
}

void Profiling::time(judge::Ready& ready) {
  constexpr double noteworthy = 0.1;  // of the recorded time
  const auto start = Clock::now();
  const double recorded = profile_.seconds;
  const auto timed = call_times(judge_, ready, *which_, facts_.plan);
  if (!timed)
    base::fail(base::ExitCode::environment, "case {} could not be timed: {}", which_->name,
               timed.error());
  profile_.seconds = timed->seconds;
  wall_ = timed->wall;
  if (recorded <= 0)
    profile_.notes.push_back(
        fmt::format("The task only checks case {}, so the judge has no time of it; here it was "
                    "timed by {} calls.",
                    which_->name, timed->calls));
  else if (std::abs(timed->seconds - recorded) > noteworthy * recorded)
    profile_.notes.push_back(
        fmt::format("The recorded time of case {} is {:.4g} ms. Now it took {:.4g} ms in {} calls, "
                    "and that time is the one explained here.",
                    which_->name, 1e3 * recorded, 1e3 * timed->seconds, timed->calls));
  profile_.parts.push_back(
      {"time of the case", std::chrono::duration<double>(Clock::now() - start).count()});
}

// The candidate that was accepted, loaded once more, and its plan for the case.
judge::Ready Profiling::ready_again() {
  judge::EvaluateOptions evaluate;
  evaluate.point = point_;
  core::Evaluation unused;
  auto ready = judge::load(judge_, candidate_, evaluate, unused);
  if (!ready)
    base::fail(base::ExitCode::environment, "{} was accepted and cannot be loaded again: {}",
               candidate_.name, ready.error().text);
  auto plan = judge::fitted_plan(judge_, *ready, *which_);
  if (!plan) base::fail(base::ExitCode::bad_input, "{}", plan.error());
  facts_.plan = *std::move(plan);
  return std::move(*ready);
}

// Loads the candidate in a runner: it says what its kernels are, and the first collector uses it.
judge::Ready Profiling::load(std::string& image) {
  judge::Ready ready = ready_again();
  std::string log;
  if (auto built = build_for(judge_, candidate_, point_, false)) {  // from the cache
    image = built->result.image;
    log = built->result.log;
  }
  take(collect_build(ready.kernels, facts_.plan, log));
  take(collect_launches(facts_.plan));
  return ready;
}

// Nothing here could be built and run alone: what is known is what a call did as a whole.
void Profiling::collect_call() {
  const bool python = candidate_.language == core::Language::python;
  const auto start = Clock::now();
  judge::Ready ready = ready_again();
  profile_.parts.push_back({"load", std::chrono::duration<double>(Clock::now() - start).count()});
  judge_.truth().get_ready();
  lease_.emplace(judge_.info(), judge_.options().progress);
  if (needs_time()) time(ready);
  take(from_evaluation(evaluation_, profile_.case_name));
  part("system", [&] { take(collect_recorded(judge_, ready, *which_, facts_.plan)); });
  if (python) facts_.plan.launches = launches_in(profile_.metrics);
  const std::string what = python ? "a candidate in Python" : "a plan with operations of torch's";
  add_missing_kernel_metrics(fmt::format("{} is not run under a profiler", what), std::nullopt,
                             profile_.metrics);
  profile_.notes.push_back(
      fmt::format("This is {}: counters of its kernels, their machine code and hot lines of the "
                  "source are not measured. As a device candidate whose plan has kernels alone "
                  "(docs/python.md), even one for a part of the work, they are.",
                  what));
  if (options_.energy || options_.sanitize)
    profile_.notes.emplace_back(
        "Energy and checkers are for plans of kernels alone, and were left out.");
  lease_.reset();
}

void Profiling::collect() {
  if (only_recorded(candidate_)) return collect_call();
  std::string image;
  std::optional<judge::Ready> ready;
  const auto start = Clock::now();
  ready = load(image);
  profile_.parts.push_back({"build", std::chrono::duration<double>(Clock::now() - start).count()});
  judge_.truth().get_ready();
  lease_.emplace(judge_.info(), judge_.options().progress);
  if (needs_time()) time(*ready);
  if (judge_.info().language == core::Language::cuda) collect_cuda(*ready, image);
  if (core::capabilities(judge_.info()).native_code &&
      judge_.info().language == core::Language::opencl)
    part("cpu", [&] { take(collect_cpu(judge_, *ready, *which_, facts_.plan)); });
  if (options_.energy && judge_.info().language != core::Language::cuda)
    profile_.notes.emplace_back(
        "The energy of a call is not known: only NVIDIA's devices tell it (by NVML).");
  lease_.reset();
  if (options_.sanitize) part("sanitize", [&] { sanitize(*ready); });
}

void Profiling::explain() {
  facts_.task = &judge_.task();
  facts_.which = which_;
  facts_.candidate = &candidate_;
  facts_.device = judge_.info();
  facts_.ceilings = judge_.options().ceilings;
  if (core::capabilities(judge_.info()).native_code && !only_recorded(facts_))
    facts_.lines = lines_in(profile_.metrics, candidate_.source);
  profile::explain(facts_, options_.programs, options_.records, profile_);
}

core::Profile Profiling::run() {
  const auto* timed = choose_case();
  if (which_ == nullptr)
    base::fail(base::ExitCode::bad_input, "task {} has no {}: name another one", judge_.task().name,
               options_.case_name.empty()
                   ? "timed case for this device"
                   : fmt::format("case '{}' for this device", options_.case_name));
  profile_.case_name = which_->name;
  profile_.seconds = timed != nullptr ? timed->median : 0;
  wall_ = timed != nullptr ? timed->wall_median : 0;
  const auto add = [&](std::string_view tag, double value) {
    take({{{std::string(tag),
            "s",
            value > 0 ? std::optional(value) : std::nullopt,
            value > 0 ? "" : "the evaluation did not time this case",
            "",
            {},
            {}}},
          {}});
  };
  take(collect_device(judge_.info(), judge_.options().ceilings));
  collect();
  add(tag::time_call, profile_.seconds);
  add(tag::time_wall, wall_);
  part("tools", [&] { explain(); });
  return std::move(profile_);
}

}  // namespace

base::Result<core::Profile, core::Evaluation> profile(judge::Judge& judge,
                                                      const core::Candidate& candidate,
                                                      const ProfileOptions& options) {
  const auto start = Clock::now();
  std::optional<core::Evaluation> evaluation = options.evaluation;
  if (!evaluation) {
    judge::EvaluateOptions evaluate;
    evaluate.case_name = options.case_name;
    evaluate.point = options.point;
    evaluation = judge.evaluate(candidate, evaluate);  // its times are of now
  }
  if (evaluation->outcome != core::Outcome::accepted) return base::Failure{*std::move(evaluation)};
  if (!options.evaluation || evaluation->key.point.empty())
    evaluation->key.point =
        options.point.empty() ? core::default_point(candidate.plan) : options.point;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  auto profile = Profiling(judge, candidate, options, *evaluation).run();
  profile.parts.insert(profile.parts.begin(), {"time", seconds});
  return profile;
}

}  // namespace hone::profile
