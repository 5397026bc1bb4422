// From a candidate to a runner that has it loaded: plan, build, runner, kernels, buffers.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "judge/arguments.h"
#include "judge/build.h"
#include "judge/judge.h"
#include "judge/library.h"
#include "judge/python_candidate.h"
#include "judge/tensor_instructions.h"
#include "runner/build_request.h"
#include "runner/trim_log.h"
#include "task/plan_parser.h"

namespace hone::judge {

using base::Failure;
using core::Evaluation;
using core::Outcome;

namespace {

void note_kernels(const std::vector<device::KernelInfo>& kernels, Evaluation& evaluation) {
  for (const auto& kernel : kernels) {
    const auto add = [&](const char* what, const char* hint, std::int64_t value) {
      if (value >= 0)
        evaluation.metrics.push_back(
            {fmt::format("build.{}.{}", what, kernel.name), hint, static_cast<double>(value), "", "", {}, {}});
    };
    add("registers", "1", kernel.registers);
    add("local", "B", kernel.local_bytes);
    add("shared", "B", kernel.shared_bytes);
  }
}

}  // namespace

core::EvaluationKey evaluation_key(const std::string& candidate, const core::Point& point, const core::Task& task,
                                   const core::DeviceInfo& info, core::Depth depth, const std::string& case_name) {
  core::EvaluationKey key{candidate,        point, task.hash, info.uuid, info.driver, info.compiler,
                          protocol_version, depth, {}};
  if (!case_name.empty()) key.cases = {case_name};
  return key;
}

core::EvaluationKey Judge::key_for(const core::Candidate& candidate, const EvaluateOptions& options) const {
  auto key = evaluation_key(candidate.hash, options.point.empty() ? core::default_point(candidate.plan) : options.point,
                            task_, info_, options.depth, options.case_name);
  if (candidate.language == core::Language::python && task_.interface) key.compiler = own_python().version;
  return key;
}

runner::RunnerOptions Judge::own_runner_options(bool python) {
  auto options = python ? runner::python_options(info_, options_.unsafe, {own_python(), "candidate"})
                        : runner::runner_options(info_, options_.unsafe);
  if (!options_.guards.on(Guard::limits)) {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    options.sandbox.memory_bytes = options.sandbox.file_bytes = none;
    options.sandbox.processes = 1 << 20;
    options.sandbox.network = true;
  }
  if (!options_.guards.on(Guard::scratch_folder)) {
    if (!shared_scratch_) shared_scratch_ = std::make_unique<base::TemporaryFolder>("hone-shared");
    std::filesystem::permissions(shared_scratch_->path(), std::filesystem::perms::all);  // the sandbox is somebody else
    options.sandbox.shared_folder = shared_scratch_->path();
  }
  return options;
}

void Judge::start_runners(int count, bool python) {
  auto& spares = python ? python_spares_ : spares_;
  while (static_cast<int>(spares.size()) < count)
    spares.push_back(std::make_unique<runner::Runner>(info_, own_runner_options(python)));
}

std::unique_ptr<runner::Runner> Judge::take_runner(bool python) {
  start_runners(1, python);
  auto& spares = python ? python_spares_ : spares_;
  auto runner = std::move(spares.front());
  spares.pop_front();
  start_runners(options_.spare_runners, python);
  return runner;
}

std::optional<Ready> Judge::make_ready(const core::Candidate& candidate, const EvaluateOptions& options,
                                       Evaluation& evaluation) {
  if (core::has_operations(candidate.plan)) return make_ready_with_library(candidate, options, evaluation);
  const bool python = candidate.language == core::Language::python;
  if (python && !no_python_here(task_).empty()) return load(candidate, options, evaluation, {});
  start_runners(1, python);
  return load(candidate, options, evaluation, [this, python] { return take_runner(python); });
}

std::optional<Ready> Judge::make_ready_with(const core::Candidate& candidate, const EvaluateOptions& options,
                                            Evaluation& evaluation, const runner::RunnerOptions& runner) {
  return load(candidate, options, evaluation, [&] { return std::make_unique<runner::Runner>(info_, runner); });
}

// Language, plan and conditions, before anything is built.
bool Judge::suits(Ready& ready, Evaluation& evaluation) const {
  const auto reject = [&](const std::string& text) { convict(evaluation, Outcome::rejected, {"", 0, true, "", text}); };
  if (!core::can_run(ready.candidate.language, info_)) {
    reject(fmt::format("{} is {} source and cannot run on {}", ready.candidate.name,
                       core::name_of(ready.candidate.language), info_.id));
    return false;
  }
  if (ready.candidate.language == core::Language::python) {
    const std::string why = no_python_here(task_);
    if (!why.empty()) reject(why);
    return why.empty();
  }
  if (const auto problems = task::check_plan(ready.candidate.plan, task_, ready.candidate.name); !problems.empty()) {
    reject(base::render(problems, ready.candidate.source));
    return false;
  }
  if (const std::string why = no_library_here(ready.candidate.plan, info_); !why.empty()) return reject(why), false;
  const auto unmet = core::unmet_condition(ready.candidate.plan, ready.point, core::device_symbols(info_));
  if (!unmet) return reject(base::render(unmet.error(), ready.candidate.source)), false;
  if (*unmet != nullptr)
    return reject(base::render(
               base::Diagnostic{ready.candidate.name, (*unmet)->at,
                                "the tunables' values do not satisfy this condition of the plan's `where`"},
               ready.candidate.source)),
           false;
  return true;
}

std::optional<Ready> Judge::load(const core::Candidate& candidate, const EvaluateOptions& options,
                                 Evaluation& evaluation,
                                 const std::function<std::unique_ptr<runner::Runner>()>& runner_for) {
  evaluation.key = key_for(candidate, options);
  Ready ready{candidate, evaluation.key.point, nullptr, {}, {}};
  if (!suits(ready, evaluation)) return std::nullopt;
  if (candidate.language == core::Language::python)
    return load_python(std::move(ready), options.ahead, evaluation, runner_for);
  const bool operations = core::has_operations(candidate.plan);
  const auto names = core::kernel_names(candidate.plan);
  std::string image;
  if (!names.empty()) {
    auto built = build_image(candidate, ready.point, info_, options_.guards, options_.build_seconds, evaluation);
    if (!built) return std::nullopt;
    image = *std::move(built);
  }
  ready.runner = runner_for();
  auto kernels =
      ready.runner->load(operations ? library_image(candidate.plan, image) : image, names, options_.build_seconds);
  if (!kernels)
    return convict(evaluation,
                   kernels.error().outcome == Outcome::launch_failed ? Outcome::rejected : kernels.error().outcome,
                   {"", 0, true, "", kernels.error().text}),
           std::nullopt;
  ready.kernels = *std::move(kernels);
  ready.image = std::move(image);
  if (task_.reference_py && ready.candidate.language == core::Language::cuda) (void)tensor_counts(ready.image);
  note_kernels(ready.kernels, evaluation);
  return ready;
}

std::optional<std::string> build_image(const core::Candidate& candidate, const core::Point& point,
                                       const core::DeviceInfo& info, const GuardSet& guards, double seconds,
                                       Evaluation& evaluation) {
  auto built = runner::build(runner::build_request(info, candidate.source, candidate.name, point), info, seconds);
  if (!built)
    return convict(evaluation, Outcome::build_failed, {"limits", 40, true, "", built.error().text}), std::nullopt;
  evaluation.seconds_build += built->seconds;
  evaluation.build_log = runner::trim_log(built->result.log);
  if (!built->result.ok)
    return convict(evaluation, Outcome::build_failed, {"", 0, true, "", evaluation.build_log}), std::nullopt;
  if (!built->result.forbidden.empty() && guards.on(Guard::globals)) {
    const std::string text = fmt::format("a candidate may not have: {}", fmt::join(built->result.forbidden, "; "));
    return convict(evaluation, Outcome::rejected, {"globals", 32, true, "", text}), std::nullopt;
  }
  return std::move(built->result.image);
}

base::Result<core::ResolvedPlan> Judge::fitted_plan(const Ready& ready, const core::Case& which) const {
  auto plan = core::resolve(ready.candidate.plan, task_, which, ready.point, core::device_symbols(info_));
  if (!plan) {
    auto problem = plan.error();
    problem.file = ready.candidate.name;
    return Failure{base::render(problem, ready.candidate.source)};
  }
  if (ready.candidate.language == core::Language::python)
    plan->call = python_call(task_, which, !options_.guards.on(Guard::results));
  if (const auto problems = match_arguments(ready.candidate, *plan, ready.kernels); !problems.empty())
    return Failure{base::render(problems, ready.candidate.source)};
  return *std::move(plan);
}

base::Result<Bound, CallFailure> Judge::bind(Ready& ready, const core::ResolvedPlan& plan, const BufferSet& working,
                                             bool drop_others) {
  const auto fault = [](const runner::Fault& f) {
    return Failure{CallFailure{f.outcome, {"limits", 40, true, "", f.text}}};
  };
  Bound bound;
  bound.runner = ready.runner.get();
  bound.hostile = ready.candidate.language == core::Language::python;
  if (drop_others)
    if (const auto dropped = ready.runner->drop(); !dropped) return fault(dropped.error());
  const auto id = ready.runner->plan(plan);
  if (!id) return fault(id.error());
  bound.plan = *id;
  if (!plan.launches.empty()) bound.last_launch = plan.launches.back().plan_index;
  for (const auto& shape : plan.buffers)
    for (const auto& buffer : working.all()) {
      if (buffer.shape.name != shape.name) continue;
      const auto block = ready.runner->share(bench_->export_block(buffer.block.id), buffer.block.bytes);
      if (!block) return fault(block.error());
      bound.bindings.push_back({*block, buffer.data.offset});
    }
  return bound;
}

}  // namespace hone::judge
