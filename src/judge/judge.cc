#include "judge/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "core/roofline.h"
#include "judge/arguments.h"
#include "judge/certify.h"
#include "judge/floors.h"
#include "judge/lease.h"
#include "judge/room.h"
#include "runner/trim_log.h"
#include "task/plan_parser.h"

namespace hone::judge {

using base::ExitCode;
using base::Failure;
using core::CaseResult;
using core::Evaluation;
using core::Outcome;
using Clock = std::chrono::steady_clock;

namespace {

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Evaluations after which the pool of inputs is drawn anew.
constexpr int pool_lifetime = 64;
constexpr std::size_t screen_entries = 4, certify_entries = 6;
// Inputs seen before must not be answered in less than this fraction of the time that new ones take.
constexpr double replay_ratio = 0.5;
// Under this fraction nobody is convicted yet, but only calls on inputs that were never seen count.
constexpr double suspicious_ratio = 0.85;
constexpr double suspicious_seconds = 0.005;  // shorter calls differ by more than that for other reasons
constexpr int replay_pairs =
    6;  // by chance the second of a pair is the quicker one in all of them once in 64 times, and never by so much
// The batch that is timed by both clocks lasts at least this long, so that starting and stopping it weigh little.
constexpr double batch_seconds = 0.005;
constexpr double most_batch = 200, batch_growth = 4;
constexpr int most_batches = 3;
constexpr double clock_agreement = 0.2;

// Samples after which a point that is far behind is given up.
constexpr std::size_t hopeless_after = 2;

std::vector<std::string> kernel_names(const core::Plan& plan) {
  std::vector<std::string> names;
  for (const auto& launch : plan.launches)
    if (std::find(names.begin(), names.end(), launch.kernel) == names.end()) names.push_back(launch.kernel);
  return names;
}

}  // namespace

// Everything about one case while it is judged.
struct Judge::CaseRun {
  const core::Case& which;
  core::ResolvedPlan plan;
  BufferSet working;
  Bound bound;
  Caller caller;
  std::vector<Entry*> entries;
};

void convict(Evaluation& evaluation, Outcome outcome, core::Evidence evidence) {
  evaluation.outcome = outcome;
  evidence.convicts = true;
  evaluation.evidence.push_back(std::move(evidence));
}

namespace {
constexpr const char* given_up = "given up: hopelessly slower than the best so far";
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
      secrets_(options_.guards.on("secret-seeds")),
      truth_(task_, info_, *bench_, options_.unsafe) {
  constexpr double without_limit = 3600;
  if (!options_.guards.on("limits")) options_.call_seconds = without_limit;
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
    if (which.timed || options_.guards.on("odd-sizes")) mine.push_back(&which);
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
  pools_.clear();
  if (!fits(need, info_, *bench_)) fail_for_room(need, which, info_, *bench_);
}

base::Result<core::ResolvedPlan> Judge::fitted_plan(const Ready& ready, const core::Case& which) const {
  auto plan = core::resolve(ready.candidate.plan, task_, which, ready.point, core::device_symbols(info_));
  if (!plan) {
    auto problem = plan.error();
    problem.file = ready.candidate.name;
    return Failure{base::render(problem, ready.candidate.source)};
  }
  if (const auto problems = match_arguments(ready.candidate, *plan, ready.kernels); !problems.empty())
    return Failure{base::render(problems, ready.candidate.source)};
  return *std::move(plan);
}

Pool& Judge::pool(const core::Case& which) {
  auto& slot = pools_[which.name];
  if (!slot) slot = std::make_unique<Pool>(task_, which, *bench_, truth_, secrets_, options_.guards, honest_);
  return *slot;
}

runner::RunnerOptions Judge::own_runner_options() {
  auto options = runner::runner_options(info_, options_.unsafe);
  if (!options_.guards.on("limits")) {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    options.sandbox.memory_bytes = options.sandbox.file_bytes = none;
    options.sandbox.processes = 1 << 20;
    options.sandbox.network = true;
  }
  if (!options_.guards.on("scratch-folder")) {
    if (!shared_scratch_) shared_scratch_ = std::make_unique<base::TemporaryFolder>("hone-shared");
    std::filesystem::permissions(shared_scratch_->path(), std::filesystem::perms::all);  // the sandbox is somebody else
    options.sandbox.shared_folder = shared_scratch_->path();
  }
  return options;
}

void Judge::start_runners(int count) {
  while (static_cast<int>(spares_.size()) < count)
    spares_.push_back(std::make_unique<runner::Runner>(info_, own_runner_options()));
}

std::unique_ptr<runner::Runner> Judge::take_runner() {
  start_runners(1);
  auto runner = std::move(spares_.front());
  spares_.pop_front();
  start_runners(options_.spare_runners);
  return runner;
}

std::optional<Ready> Judge::make_ready(const core::Candidate& candidate, const EvaluateOptions& options,
                                       Evaluation& evaluation) {
  start_runners(1);
  return load(candidate, options, evaluation, [this] { return take_runner(); });
}

std::optional<Ready> Judge::make_ready_with(const core::Candidate& candidate, const EvaluateOptions& options,
                                            Evaluation& evaluation, const runner::RunnerOptions& runner) {
  return load(candidate, options, evaluation, [&] { return std::make_unique<runner::Runner>(info_, runner); });
}

std::optional<Ready> Judge::load(const core::Candidate& candidate, const EvaluateOptions& options,
                                 Evaluation& evaluation,
                                 const std::function<std::unique_ptr<runner::Runner>()>& runner_for) {
  Ready ready{candidate, options.point.empty() ? core::default_point(candidate.plan) : options.point, nullptr, {}};
  evaluation.key = {candidate.hash, ready.point,      task_.hash,    info_.uuid, info_.driver,
                    info_.compiler, protocol_version, options.depth, {}};
  if (!options.case_name.empty()) evaluation.key.cases = {options.case_name};
  const auto reject = [&](const std::string& text) { convict(evaluation, Outcome::rejected, {"", 0, true, "", text}); };
  if (candidate.language != info_.language) {
    reject(fmt::format("{} is {} source and cannot run on {}", candidate.name, core::name_of(candidate.language),
                       info_.id));
    return std::nullopt;
  }
  if (const auto problems = task::check_plan(ready.candidate.plan, task_, candidate.name); !problems.empty()) {
    reject(base::render(problems, candidate.source));
    return std::nullopt;
  }
  const auto unmet = core::unmet_condition(ready.candidate.plan, ready.point, core::device_symbols(info_));
  if (!unmet) return reject(base::render(unmet.error(), candidate.source)), std::nullopt;
  if (*unmet != nullptr)
    return reject(base::render(
               base::Diagnostic{candidate.name, (*unmet)->at,
                                "the tunables' values do not satisfy this condition of the plan's `where`"},
               candidate.source)),
           std::nullopt;

  device::BuildRequest request{info_.language, info_.id, info_.arch, candidate.source, candidate.name, {}};
  for (const auto& [name, value] : ready.point) request.defines.emplace_back(name, std::to_string(value));
  auto built = runner::build(request, info_, options_.build_seconds);
  if (!built)
    return convict(evaluation, Outcome::build_failed, {"limits", 40, true, "", built.error().text}), std::nullopt;
  evaluation.seconds_build += built->seconds;
  evaluation.build_log = runner::trim_log(built->result.log);
  if (!built->result.ok)
    return convict(evaluation, Outcome::build_failed, {"", 0, true, "", evaluation.build_log}), std::nullopt;
  if (!built->result.forbidden.empty() && options_.guards.on("globals")) {
    std::string list;
    for (const auto& what : built->result.forbidden) list += (list.empty() ? "" : "; ") + what;
    return convict(evaluation, Outcome::rejected, {"globals", 32, true, "", "a candidate may not have: " + list}),
           std::nullopt;
  }
  ready.runner = runner_for();
  auto kernels = ready.runner->load(built->result.image, kernel_names(candidate.plan), options_.build_seconds);
  if (!kernels)
    return convict(evaluation,
                   kernels.error().outcome == Outcome::launch_failed ? Outcome::rejected : kernels.error().outcome,
                   {"", 0, true, "", kernels.error().text}),
           std::nullopt;
  ready.kernels = *std::move(kernels);
  for (const auto& kernel : ready.kernels) {
    const auto add = [&](const char* what, const char* hint, std::int64_t value) {
      if (value >= 0)
        evaluation.metrics.push_back(
            {fmt::format("build.{}.{}", what, kernel.name), hint, static_cast<double>(value), "", "", {}, {}});
    };
    add("registers", "1", kernel.registers);
    add("local", "B", kernel.local_bytes);
    add("shared", "B", kernel.shared_bytes);
  }
  return ready;
}

base::Result<Bound, CallFailure> Judge::bind(Ready& ready, const core::ResolvedPlan& plan, const BufferSet& working,
                                             bool drop_others) {
  const auto fault = [](const runner::Fault& f) {
    return Failure{CallFailure{f.outcome, {"limits", 40, true, "", f.text}}};
  };
  Bound bound;
  bound.runner = ready.runner.get();
  if (drop_others)
    if (const auto dropped = ready.runner->drop(); !dropped) return fault(dropped.error());
  const auto id = ready.runner->plan(plan);
  if (!id) return fault(id.error());
  bound.plan = *id;
  bound.last_launch = plan.launches.back().plan_index;
  for (const auto& shape : plan.buffers)
    for (const auto& buffer : working.all()) {
      if (buffer.shape.name != shape.name) continue;
      const auto block = ready.runner->share(bench_->export_block(buffer.block.id), buffer.block.bytes);
      if (!block) return fault(block.error());
      bound.bindings.push_back({*block, buffer.data.offset});
    }
  return bound;
}

Evaluation Judge::evaluate(const core::Candidate& candidate, const EvaluateOptions& options) {
  const auto start = Clock::now();
  const double reference_before = truth_.seconds(), kernels_before = kernel_seconds_;
  if (++evaluations_ % pool_lifetime == 0) pools_.clear();
  Evaluation evaluation;
  const auto mine = cases(options.case_name);
  for (const core::Case* which : mine) make_room(*which);
  auto ready = make_ready(candidate, options, evaluation);
  evaluation.metrics.push_back({"seconds.ready", "s", since(start), "", "", {}, {}});
  if (ready) {
    const Lease lease(info_, options_.progress);
    note_state(evaluation, "before");
    evaluation.outcome = Outcome::accepted;
    for (const core::Case* which : mine)
      if (!check_case(*ready, *which, options, evaluation)) break;
    if (evaluation.outcome == Outcome::accepted && options.depth == core::Depth::certify)
      certify(*this, *ready, mine, evaluation);
    note_state(evaluation, "after");
  }
  std::vector<double> medians;
  for (const auto& result : evaluation.cases)
    if (result.timed) medians.push_back(result.median);
  if (evaluation.outcome == Outcome::accepted && !medians.empty()) evaluation.geomean = core::geometric_mean(medians);
  evaluation.seconds_reference = truth_.seconds() - reference_before;
  evaluation.seconds_kernels = kernel_seconds_ - kernels_before;
  evaluation.seconds_total = since(start);
  save_honest_errors();
  return evaluation;
}

bool Judge::check_case(Ready& ready, const core::Case& which, const EvaluateOptions& options, Evaluation& evaluation) {
  options_.progress(fmt::format("case {}", which.name));
  const auto reject = [&](const std::string& text) {
    return convict(evaluation, Outcome::rejected, {"", 0, true, which.name, text}), false;
  };
  const auto plan = fitted_plan(ready, which);
  if (!plan) return reject(plan.error());
  const bool certifying = options.depth == core::Depth::certify;
  std::size_t wanted = !which.timed ? 2 : certifying ? certify_entries : screen_entries;
  if (!options_.guards.on("fresh-contents")) wanted = 1;
  const std::uint64_t entry = Pool::entry_bytes(task_, which), needed = BufferSet::footprint(plan->buffers);
  // What the pool holds already is not needed again.
  const auto drawn = [&] { return pools_.contains(which.name) ? pools_[which.name]->drawn() : 0; };
  const auto wanting = [&] { return needed + (drawn() == 0 ? entry : 0) > bench_->free_bytes(); };
  if (wanting()) pools_.clear();
  if (wanting())
    return reject(
        fmt::format("the plan needs {} MiB for its buffers in this case, scratch included, beside {} MiB for inputs "
                    "and expected values; {} MiB are free on {}: use less scratch",
                    needed >> 20, entry >> 20, bench_->free_bytes() >> 20, info_.id));
  wanted = std::clamp<std::size_t>(drawn() + (bench_->free_bytes() - needed) / entry, 1, wanted);

  CaseResult result;
  result.name = which.name;
  result.timed = which.timed;
  Pool& inputs = pool(which);
  CaseRun run{which,
              *plan,
              BufferSet(*bench_, plan->buffers),
              {},
              Caller(task_, which, *bench_, run.working, secrets_, options_.guards, info_),
              inputs.plain(wanted)};
  auto bound = bind(ready, run.plan, run.working);
  if (!bound) {
    auto problem = bound.error();
    problem.evidence.case_name = which.name;
    return convict(evaluation, problem.outcome, problem.evidence), false;
  }
  run.bound = *bound;

  // Variants where they are cheap; on the large cases only when certifying.
  std::vector<Entry*> to_verify;
  if (!which.timed || certifying) to_verify = inputs.variants();
  if (!which.timed)
    to_verify.insert(to_verify.begin(), run.entries.begin(), run.entries.end());
  else
    to_verify.insert(to_verify.begin(), run.entries.front());
  bool first = true;
  const auto verifying = Clock::now();
  for (Entry* chosen : to_verify) {
    const auto called = run.caller.call(run.bound, *chosen, {true, false, -1, options_.call_seconds});
    if (!called)
      return convict(evaluation, called.error().outcome, called.error().evidence), evaluation.cases.push_back(result),
             false;
    if (std::exchange(first, false)) result.first_call = called->timed.judge_seconds;
    kernel_seconds_ += called->timed.report.wall_seconds;
    result.error_max = std::max(result.error_max, called->error_max);
    if (called->error_rms >= result.error_rms) {
      result.error_rms = called->error_rms;
      result.honest_rms = called->honest_rms;
    }
  }
  evaluation.metrics.push_back({"seconds.verify", "s", since(verifying), "", which.name, {}, {}});
  bool good = true;
  const auto sampling = Clock::now();
  if (which.timed)
    good = sample(run, result, evaluation, options) && (info_.is_cpu || check_wall_clock(run, result, evaluation));
  if (which.timed) evaluation.metrics.push_back({"seconds.sample", "s", since(sampling), "", which.name, {}, {}});
  if (good) finish_case(which, result, evaluation);
  evaluation.cases.push_back(result);
  if (good && which.timed && options.hopeless && options.hopeless(result))
    return give_up(evaluation, which.name), false;
  return good && evaluation.outcome == Outcome::accepted;
}

bool Judge::sample(CaseRun& run, CaseResult& result, Evaluation& evaluation, const EvaluateOptions& options) {
  const SamplingRule rule =
      options_.sampling ? *options_.sampling : rule_for(info_.is_cpu, options.depth == core::Depth::certify);
  const auto start = Clock::now();
  std::vector<double> unseen, seen;
  std::vector<const Entry*> met = {run.entries.front()};  // the first call has shown it
  std::size_t next_new = 1;
  while (!enough(rule, result.samples, since(start), options_.guards.on("sample-budget"))) {
    // New contents first, then at random among those met.
    const bool is_new = next_new < run.entries.size();
    const Entry* entry = is_new ? run.entries[next_new++] : run.entries[secrets_.below(run.entries.size())];
    const auto called = run.caller.call(run.bound, *entry,
                                        {true, false, -1, options_.call_seconds, options_.guards.on("verify-timed")});
    if (!called) return convict(evaluation, called.error().outcome, called.error().evidence), false;
    const auto& timed = called->timed;
    kernel_seconds_ += timed.report.wall_seconds;
    if (timed.report.ok && timed.report.device_seconds <= 0 && options_.guards.on("activity"))
      return convict(evaluation, Outcome::cheating,
                     {"activity", 13, true, run.which.name, "a timed call left no trace of work on the device"}),
             false;
    const double seconds =
        info_.is_cpu && options_.guards.on("judge-clock") ? timed.judge_seconds : timed.report.device_seconds;
    result.samples.push_back(seconds);
    result.wall_samples.push_back(timed.judge_seconds);
    (is_new ? unseen : seen).push_back(seconds);
    result.error_max = std::max(result.error_max, called->error_max);
    if (options.hopeless && result.samples.size() == hopeless_after) {
      result.median = core::median(result.samples);
      if (options.hopeless(result)) return give_up(evaluation, run.which.name), false;
    }
  }
  if (options_.guards.on("replay") && unseen.size() >= 2 && seen.size() >= 3) {
    const double ratio = core::median(seen) / core::median(unseen);
    if (ratio < replay_ratio)
      if (const auto problem = remembers_answers(run))
        return convict(evaluation, problem->outcome, problem->evidence), false;
    if (ratio < suspicious_ratio && info_.is_cpu && core::median(unseen) >= suspicious_seconds) {
      if (const auto problem = sample_unseen(run, result, rule.fewest))
        return convict(evaluation, problem->outcome, problem->evidence), false;
      label(evaluation, "replay", 9, run.which.name,
            fmt::format("calls on inputs seen before took {:.2f} of the time of calls on new ones; only {} calls on "
                        "inputs that were never seen are counted",
                        ratio, result.samples.size()));
    }
  }
  result.median = core::median(result.samples);
  result.interval = core::median_interval(result.samples);
  result.wall_median = core::median(result.wall_samples);
  return true;
}

// Native code can remember answers and give them just slowly enough. A time that rests on unseen inputs alone leaves
// nothing to remember.
std::optional<CallFailure> Judge::sample_unseen(CaseRun& run, CaseResult& result, std::size_t count) {
  result.samples.clear();
  result.wall_samples.clear();
  while (result.samples.size() < count) {
    const auto entry = pool(run.which).fresh();
    const auto called = run.caller.call(run.bound, *entry, {true, false, -1, options_.call_seconds});
    run.caller.forget(*entry);
    if (!called) return called.error();
    kernel_seconds_ += called->timed.report.wall_seconds;
    result.samples.push_back(options_.guards.on("judge-clock") ? called->timed.judge_seconds
                                                               : called->timed.report.device_seconds);
    result.wall_samples.push_back(called->timed.judge_seconds);
    result.error_max = std::max(result.error_max, called->error_max);
  }
  return std::nullopt;
}

// A few samples may differ by chance. So: inputs that nobody has seen, each twice in a row; the second call must be the
// quicker one every time.
std::optional<CallFailure> Judge::remembers_answers(CaseRun& run) {
  std::vector<double> fresh, again;
  for (int pair = 0; pair < replay_pairs; ++pair) {
    const auto entry = pool(run.which).fresh();
    for (auto* times : {&fresh, &again}) {
      const auto called = run.caller.call(run.bound, *entry, {true, false, -1, options_.call_seconds});
      if (!called) return called.error();
      kernel_seconds_ += called->timed.report.wall_seconds;
      times->push_back(info_.is_cpu ? called->timed.judge_seconds : called->timed.report.device_seconds);
    }
    run.caller.forget(*entry);
    if (again.back() >= fresh.back()) return std::nullopt;
  }
  const double first = core::median(fresh), second = core::median(again);
  if (second >= replay_ratio * first) return std::nullopt;
  return CallFailure{Outcome::cheating,
                     {"replay", 9, true, run.which.name,
                      fmt::format("inputs seen before were answered in {:.3g} s, new ones in {:.3g} s ({} of each): "
                                  "{:.2f} of the time, less than {:.2f}; answers are remembered",
                                  second, first, replay_pairs, second / first, replay_ratio)}};
}

bool Judge::check_wall_clock(CaseRun& run, CaseResult& result, Evaluation& evaluation) {
  if (!options_.guards.on("judge-clock") || !options_.guards.on("launch-errors")) return true;
  // The judge's clock also holds the message and the launches: an allowance of half a millisecond. On a busy machine it
  // holds more, but not more for a longer batch; so where the two disagree the batch is made longer, twice, before
  // anybody is convicted.
  constexpr double allowance = 5e-4;
  double by_events = 0, by_judge = 0;
  double longer = 1;
  for (int attempt = 0; attempt < most_batches; ++attempt, longer *= batch_growth) {
    const int count = static_cast<int>(
        std::clamp(longer * batch_seconds / std::max(result.median, 1e-9), 1.0, longer * longer * most_batch));
    const runner::PrepareRequest request{
        run.bound.plan, std::vector<device::BindingSet>(static_cast<std::size_t>(count), run.bound.bindings),
        true,           false,
        false,          -1};
    const auto prepared = run.bound.runner->prepare(request, options_.call_seconds);
    if (!prepared)
      return convict(evaluation, prepared.error().outcome, {"limits", 40, true, run.which.name, prepared.error().text}),
             false;
    const auto timed = run.bound.runner->go(options_.call_seconds + longer * batch_seconds * 100);
    if (!timed)
      return convict(evaluation, timed.error().outcome, {"limits", 40, true, run.which.name, timed.error().text}),
             false;
    kernel_seconds_ += timed->report.wall_seconds;
    by_events = timed->report.device_seconds;
    by_judge = timed->judge_seconds;
    if (by_events >= (1 - clock_agreement) * (by_judge - allowance)) break;
    if (attempt + 1 == most_batches)
      return convict(evaluation, Outcome::cheating,
                     {"judge-clock", 25, true, run.which.name,
                      fmt::format("{} calls took {:.4g} s by the device's events but {:.4g} s by the judge's clock: "
                                  "more than {:.0f} % apart, {} times in a row",
                                  count, by_events, by_judge, 100 * clock_agreement, most_batches)}),
             false;
  }
  evaluation.metrics.push_back({"clock.batch_device", "s", by_events, "", run.which.name, {}, {}});
  evaluation.metrics.push_back({"clock.batch_judge", "s", by_judge, "", run.which.name, {}, {}});
  return true;
}

void Judge::finish_case(const core::Case& which, CaseResult& result, Evaluation& evaluation) {
  if (!which.timed) return;
  apply_work(task_, which, info_, options_.ceilings, result);
  const auto floor = floor_for(result, info_, options_.ceilings);
  if (options_.guards.on("floor") && result.median < floor.seconds) {
    convict(evaluation, Outcome::below_floor,
            {"floor", 22, true, which.name,
             fmt::format("{:.4g} s is less than the {:.4g} s that {} needs; no kernel can do that", result.median,
                         floor.seconds, floor.what)});
    return;
  }
  if (const auto text = arithmetic_note(result, options_.ceilings); !text.empty())
    label(evaluation, "floor", 22, which.name, text);
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
