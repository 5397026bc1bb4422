#include "judge/judge.h"

#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "core/roofline.h"
#include "judge/certify.h"
#include "judge/judge_case.h"
#include "judge/lease.h"
#include "judge/room.h"
#include "judge/sanitize.h"

namespace hone::judge {

using base::ExitCode;
using core::Evaluation;
using core::Outcome;

namespace {

// Evaluations after which the pool of inputs is drawn anew.
constexpr int pool_lifetime = 64;
constexpr const char* given_up = "given up: hopelessly slower than the best so far";

}  // namespace

void convict(Evaluation& evaluation, Outcome outcome, core::Evidence evidence) {
  evaluation.outcome = outcome;
  evidence.convicts = true;
  evaluation.evidence.push_back(std::move(evidence));
}

void give_up(Evaluation& evaluation, const std::string& case_name) {
  convict(evaluation, Outcome::rejected, {"", 0, true, case_name, given_up});
}

bool was_given_up(const Evaluation& evaluation) {
  return std::any_of(evaluation.evidence.begin(), evaluation.evidence.end(),
                     [](const core::Evidence& e) { return e.convicts && e.text == given_up; });
}

void label(Evaluation& evaluation, const std::string& guard, int row, const std::string& case_name, std::string text) {
  evaluation.evidence.push_back({guard, row, false, case_name, std::move(text)});
}

Judge::Judge(const core::Task& task, const core::DeviceInfo& info, JudgeOptions options)
    : task_(task),
      info_(info),
      options_(std::move(options)),
      bench_(device::open_workbench(info_)),
      secrets_(options_.guards.on(Guard::secret_seeds)),
      truth_(task_, info_, *bench_, options_.unsafe) {
  constexpr double without_limit = 3600;
  if (!options_.guards.on(Guard::limits)) options_.call_seconds = without_limit;
  load_honest_errors();
}

Judge::~Judge() = default;

std::vector<const core::Case*> Judge::cases(const std::string& only) const {
  std::vector<const core::Case*> mine;
  bool named = false;
  for (const auto& which : task_.cases) {
    if (!only.empty() && which.name != only) continue;
    named = true;
    if (!core::is_for(which, info_)) continue;
    if (which.timed || options_.guards.on(Guard::odd_sizes)) mine.push_back(&which);
  }
  // Small checks first: what is wrong is found before anything is timed.
  std::stable_sort(mine.begin(), mine.end(),
                   [](const core::Case* a, const core::Case* b) { return !a->timed && b->timed; });
  if (!only.empty() && !named) base::fail(ExitCode::bad_input, "task {} has no case '{}'", task_.name, only);
  if (mine.empty())
    base::fail(ExitCode::bad_input, "task {} has no case for {} ({})", task_.name, info_.id,
               info_.is_cpu ? "a CPU" : "a GPU");
  return mine;
}

void Judge::make_room(const core::Case& which) {
  if (pools_.contains(which.name)) return;  // it did fit
  const Need need = need_of(task_, which);
  if (fits(need, info_, *bench_)) return;
  see_off();
  if (fits(need, info_, *bench_)) return;
  give_up_spares();
  own_inputs_.clear();
  pools_.clear();
  if (!fits(need, info_, *bench_)) fail_for_room(need, which, info_, *bench_);
}

Pool& Judge::pool(const core::Case& which) {
  auto& slot = pools_[which.name];
  if (!slot) slot = std::make_unique<Pool>(task_, which, *bench_, truth_, secrets_, options_.guards, honest_);
  return *slot;
}

Evaluation Judge::evaluate(const core::Candidate& candidate, const EvaluateOptions& options) {
  const auto start = Clock::now();
  const double reference_before = truth_.seconds(), kernels_before = kernel_seconds_;
  if (++evaluations_ % pool_lifetime == 0) {
    pools_.clear();
    own_inputs_.clear();
  }
  Evaluation evaluation;
  const auto mine = cases(options.case_name);
  if (candidate.language != core::Language::python) give_up_spares();
  for (const core::Case* which : mine) make_room(*which);
  auto ready = make_ready(candidate, options, evaluation);
  evaluation.metrics.push_back({"seconds.ready", "s", since(start), "", "", {}, {}});
  see_off();
  if (ready) {
    truth_.get_ready();
    const auto asked = Clock::now();
    const Lease lease(info_, options_.progress);
    evaluation.metrics.push_back({"seconds.waited", "s", since(asked), "", "", {}, {}});
    note_state(evaluation, "before");
    evaluation.outcome = Outcome::accepted;
    for (const core::Case* which : mine)
      if (!check_case(*ready, *which, options, evaluation)) break;
    if (evaluation.outcome == Outcome::accepted && options.depth == core::Depth::certify)
      certify(*this, *ready, mine, evaluation);
    note_state(evaluation, "after");
  }
  if (evaluation.outcome == Outcome::accepted && options.depth == core::Depth::certify &&
      options_.guards.on(Guard::sanitizer))
    sanitize(*this, *ready, mine, evaluation);
  std::vector<double> medians;
  for (const auto& result : evaluation.cases)
    if (result.timed) medians.push_back(result.median);
  if (evaluation.outcome == Outcome::accepted && !medians.empty()) evaluation.geomean = core::geometric_mean(medians);
  note_own_check(evaluation);
  evaluation.seconds_reference = truth_.seconds() - reference_before;
  evaluation.seconds_kernels = kernel_seconds_ - kernels_before;
  evaluation.seconds_total = since(start);
  save_honest_errors();
  if (ready && options_.one_by_one)
    leaving_ = std::async(std::launch::async, [runner = std::move(ready->runner)]() mutable { runner.reset(); });
  return evaluation;
}

void Judge::see_off() {
  if (leaving_.valid()) leaving_.get();
}

// How the problem's own evaluator would rank it, and what its answers were held against.
void Judge::note_own_check(Evaluation& evaluation) const {
  if (!task_.own_check || evaluation.outcome != Outcome::accepted) return;
  if (!task_.own_check->unique)
    label(evaluation, "tolerance", 0, "",
          "this problem has no one right answer: its own check_implementation alone decided whether results are right");
  else if (!task_.own_check->in_double)
    label(
        evaluation, "precision", 0, "",
        "the reference cannot be run in double precision: results were held against it as it is, and nothing is known "
        "of the precision that they were computed in");
  std::vector<double> means;
  for (const auto& which : task_.cases)
    for (const auto& result : evaluation.cases)
      if (which.timed && result.name == which.name && !result.samples.empty())
        means.push_back(std::accumulate(result.samples.begin(), result.samples.end(), 0.0) /
                        static_cast<double>(result.samples.size()));
  const std::string& rule = task_.own_check->ranking;
  if (means.empty() || !evaluation.key.cases.empty()) return;  // of some cases only, it would be another score
  const double score = rule == "last" ? means.back()
                       : rule == "mean"
                           ? std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size())
                           : core::geometric_mean(means);
  evaluation.metrics.push_back({task_.own_check->name + ".score." + rule, "s", score, "", "", {}, {}});
}

void Judge::note_state(Evaluation& evaluation, const char* when) {
  std::vector<int> own = runner::own_workers();
  own.push_back(::getpid());
  const auto state = device::read_state(info_, own);
  const auto add = [&](const char* tag, const char* hint, const std::optional<double>& value) {
    evaluation.metrics.push_back(
        {fmt::format("{}.{}", tag, when), hint, value, value ? "" : state.missing, "", {}, {}});
  };
  add("clock.sm", "MHz", state.sm_clock_mhz);
  add("clock.memory", "MHz", state.memory_clock_mhz);
  add("temperature", "C", state.temperature_c);
  add("power", "W", state.power_w);
  if (!state.throttle.empty())
    label(evaluation, "", 0, "", fmt::format("{} the measurement the device was throttled: {}", when, state.throttle));
  for (const auto& user : state.other_users)
    label(evaluation, "", 0, "", fmt::format("{} the measurement somebody else was using the device: {}", when, user));
}

}  // namespace hone::judge
