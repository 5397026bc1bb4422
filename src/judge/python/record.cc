#include "judge/python/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "judge/precision/tensor_instructions.h"

namespace hone::judge {

using core::Evaluation;
using core::Outcome;
using Activities = std::vector<device::Activity>;

namespace {

constexpr int calls_library = 37, queued_work = 43;  // rows of docs/trust.md
constexpr std::string_view control_kernel =
    "spin_kernel";  // what torch.cuda._sleep is called on the device

// The candidate's own process records its call, so a record that is missing is as good as none.
Finding not_observed(const std::string& why) {
  return undecided(Guard::activity, "what the device did in a call could not be observed: " + why);
}

Finding did_nothing() {
  Finding finding =
      conviction(Outcome::cheating, Guard::activity,
                 "in a recorded call the device did nothing between the control kernels before and "
                 "after it: the work was done before the call, or elsewhere");
  finding.row = queued_work;
  return finding;
}

double seconds_of(const device::Activity& one) { return std::max(0.0, one.end - one.start); }

// The seconds in which any of them was running.
double busy_seconds(Activities activities) {
  std::sort(activities.begin(), activities.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  double busy = 0, until = 0;
  for (const auto& one : activities) {
    busy += std::max(0.0, one.end - std::max(one.start, until));
    until = std::max(until, one.end);
  }
  return busy;
}

void note_named_precisions(const std::string& case_name, const Activities& activities,
                           Evaluation& evaluation) {
  for (const auto& [type, share] : shares_by_precision(activities))
    add_metric(evaluation, "precision.named_kernels." + type, "1", share, case_name);
}

struct OwnShare {
  double own = 0, all = 0;  // seconds
  std::string library;      // names of the libraries' kernels, as far as they fit in a sentence
};
OwnShare own_share_of(const Activities& activities) {
  constexpr std::size_t longest_name = 48, longest_list = 240;
  OwnShare share;
  for (const auto& one : activities) {
    share.all += seconds_of(one);
    if (!is_library_kernel(one.name)) {
      share.own += seconds_of(one);
      continue;
    }
    const std::string name = base::printable(one.name.substr(0, longest_name));
    if (share.library.find(name) == std::string::npos && share.library.size() < longest_list)
      share.library += (share.library.empty() ? "" : ", ") + name;
  }
  return share;
}

// Where the device was busy for longer than the measured time, the recorded time counts.
void correct_by_record(CandidateTrial& trial, double busy, core::CaseResult& result,
                       Evaluation& evaluation) {
  const std::string why =
      trial.guards().on(Guard::overlap) ? overlap_in_record(result.median, busy) : "";
  if (why.empty()) return;
  add(evaluation, in_case(result.name, label(Guard::overlap, why)));
  result.samples = {busy};
  result.median = busy;
  result.interval = {busy, busy};
}

}  // namespace

std::optional<Activities> between_controls(Activities activities) {
  const auto is_control = [](const device::Activity& one) {
    return one.name.find(control_kernel) != std::string::npos;
  };
  std::stable_sort(activities.begin(), activities.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  const auto first = std::find_if(activities.begin(), activities.end(), is_control);
  const auto last = std::find_if(activities.rbegin(), activities.rend(), is_control).base();
  if (first == activities.end() || last - first < 2) return std::nullopt;
  return Activities(first + 1, last - 1);
}

bool is_library_kernel(std::string_view name) {
  if (name.starts_with("kernel_cutlass_"))
    return false;  // what CuTe DSL calls kernels that are written in it
  constexpr std::string_view known[] = {
      "at::",        "at_cuda",     "cublas",      "cudnn",        "cutlass", "nvjet",
      "xmma",        "splitK",      "gemvx",       "gemv2",        "ampere_", "volta_",
      "implicit_",   "winograd",    "flash_",      "fmha",         "cub::",   "thrust::",
      "triton_poi_", "triton_per_", "triton_red_", "triton_tem_",  "nchwTo",  "nhwcTo",
      "Memcpy",      "Memset",      "dot_kernel",  "reduce_1Block"};
  return std::any_of(std::begin(known), std::end(known), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

namespace {

// The call that is recorded; what stands between the controls.
base::Result<Activities, Finding> record_call(CandidateTrial& trial) {
  const auto& limits = trial.parts().judge.options();
  CallOptions options = usual_call(trial.parts().judge);
  options.seconds = first_call_seconds(limits);
  options.record = true;
  // On inputs that it has not met: the answer cannot be there already.
  const auto inputs = trial.new_input();
  const auto called = trial.call(inputs ? *inputs : *trial.known().front(), options);
  if (inputs) trial.parts().caller.forget(*inputs);
  if (!called &&
      (called.error().outcome == Outcome::cheating || called.error().outcome == Outcome::wrong))
    return base::Failure{called.error()};
  if (!called) return base::Failure{not_observed(called.error().text)};
  const auto activities = trial.parts().bound.runner->activities();
  if (!activities) return base::Failure{not_observed(activities.error().text)};
  auto between = between_controls(*activities);
  if (!between)
    return base::Failure{
        not_observed("the record does not have the control kernels before and after it")};
  if (!(own_share_of(*between).all > 0)) return base::Failure{did_nothing()};
  return *std::move(between);
}

}  // namespace

MaybeFinding note_own_kernels(CandidateTrial& trial, core::CaseResult& result,
                              Evaluation& evaluation) {
  constexpr double worth_saying = 0.5;
  if (!trial.guards().on(Guard::activity)) return std::nullopt;
  const std::string why = trial.parts().judge.python_costs().why_not_recorded(trial.parts().judge);
  if (!why.empty()) {
    add_metric(evaluation, "share.own_kernels", "1", std::nullopt, result.name, why);
    add(evaluation,
        in_case(result.name,
                label(Guard::activity,
                      "what the device does in a call cannot be recorded here: " + why)));
    return std::nullopt;
  }
  const auto activities = record_call(trial);
  if (!activities) return in_case(result.name, activities.error());
  const OwnShare share = own_share_of(*activities);
  add_metric(evaluation, "share.own_kernels", "1", share.own / share.all, result.name);
  note_named_precisions(result.name, *activities, evaluation);
  if (share.own < worth_saying * share.all) {
    Finding finding = label(
        Guard::none, fmt::format("{:.0f} % of the device's time lies in kernels of libraries, by "
                                 "the names that the candidate's process recorded: {}",
                                 100 * (1 - share.own / share.all), share.library));
    finding.row = calls_library;
    add(evaluation, in_case(result.name, finding));
  }
  const double busy = busy_seconds(*activities);
  add_metric(evaluation, "clock.python_device", "s", busy, result.name);
  correct_by_record(trial, busy, result, evaluation);
  return std::nullopt;
}

void note_own_share(CandidateTrial& trial, Evaluation& evaluation) {
  CallOptions options = usual_call(trial.parts().judge);
  options.record = true;
  const auto called = trial.call(*trial.known().front(), options);
  if (!called) return;  // verdicts are made on calls that are not recorded
  const auto activities = trial.parts().bound.runner->activities();
  if (!activities) return;
  const auto& launches = trial.parts().plan.launches;
  const auto is_operation = [&](const device::Activity& one) {
    return one.launch >= 0 &&
           std::any_of(launches.begin(), launches.end(), [&](const auto& launch) {
             return launch.plan_index == one.launch && launch.is_operation;
           });
  };
  double own = 0, all = 0;
  for (const auto& one : *activities) {
    all += seconds_of(one);
    if (!is_operation(one)) own += seconds_of(one);
  }
  const std::string& name = trial.facts().case_name;
  if (all > 0) add_metric(evaluation, "share.own_kernels", "1", own / all, name);
  note_named_precisions(name, *activities, evaluation);
}

}  // namespace hone::judge
