#include "judge/load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "judge/arguments.h"
#include "judge/build.h"
#include "judge/precision/tensor_instructions.h"
#include "judge/python/candidate.h"
#include "judge/torch/library.h"
#include "runner/build_request.h"
#include "runner/trim_log.h"
#include "task/plan_parser.h"

namespace hone::judge {

using base::Failure;
using core::Evaluation;
using core::Outcome;

namespace {

// -1 is what a device does not tell, and no figure then.
void note_kernels(const std::vector<device::KernelInfo>& kernels, Evaluation& evaluation) {
  for (const auto& kernel : kernels) {
    const auto add_known = [&](const char* what, const char* hint, std::int64_t value) {
      if (value >= 0)
        add_metric(evaluation, fmt::format("build.{}.{}", what, kernel.name), hint,
                   static_cast<double>(value));
    };
    add_known("registers", "1", kernel.registers);
    add_known("local", "B", kernel.local_bytes);
    add_known("shared", "B", kernel.shared_bytes);
  }
}

// Language, plan and conditions, before anything is built: why it does not fit, in words.
std::optional<std::string> why_unfit(const Judge& judge, Ready& ready) {
  core::Candidate& candidate = ready.candidate;
  const core::DeviceInfo& info = judge.info();
  if (!core::can_run(candidate.language, info))
    return fmt::format("{} is {} source and cannot run on {}", candidate.name,
                       core::name_of(candidate.language), info.id);
  if (candidate.language == core::Language::python) {
    const std::string why = no_python_here(judge.task());
    return why.empty() ? std::nullopt : std::optional(why);
  }
  if (const auto problems = task::check_plan(candidate.plan, judge.task(), candidate.name);
      !problems.empty())
    return base::render(problems, candidate.source);
  if (const std::string why = no_library_here(candidate.plan, info); !why.empty()) return why;
  const auto unmet = core::unmet_condition(candidate.plan, ready.point, core::device_symbols(info));
  if (!unmet) return base::render(unmet.error(), candidate.source);
  if (*unmet == nullptr) return std::nullopt;
  return base::render(
      base::Diagnostic{candidate.name, (*unmet)->at,
                       "the tunables' values do not satisfy this condition of the plan's `where`"},
      candidate.source);
}

// Kernels, library operations or both.
base::Result<Ready, Finding> load_plan(Judge& judge, Ready ready, const BuildVariant& variant,
                                       Evaluation& evaluation, const RunnerSource& source) {
  const core::Candidate& candidate = ready.candidate;
  const double seconds = judge.options().build_seconds;
  const auto names = core::kernel_names(candidate.plan);
  if (!names.empty()) {
    auto built = build_image(candidate, ready.point, judge.info(), judge.options().guards, seconds,
                             evaluation, variant, &ready.traits);
    if (!built) return Failure{built.error()};
    ready.image = *std::move(built);
  }
  // Taken only now: a candidate that does not build costs no runner, and a spare one opens its
  // device while the compiler works.
  ready.runner = source();
  const bool operations = core::has_operations(candidate.plan);
  auto kernels = ready.runner->load(
      operations ? library_image(candidate.plan, ready.image) : ready.image, names, seconds);
  if (!kernels) {
    const Outcome outcome = kernels.error().outcome;
    // An image that cannot be loaded never ran: it is rejected, and no launch has failed.
    return Failure{conviction(outcome == Outcome::launch_failed ? Outcome::rejected : outcome,
                              Guard::none, kernels.error().text)};
  }
  ready.kernels = *std::move(kernels);
  // Listing the instructions takes half a second; it is begun now, on another core.
  if (judge.task().reference_py && candidate.language == core::Language::cuda)
    (void)tensor_counts(ready.image);
  note_kernels(ready.kernels, evaluation);
  return ready;
}

}  // namespace

base::Result<Ready, Finding> load(Judge& judge, const core::Candidate& candidate,
                                  const EvaluateOptions& options, Evaluation& evaluation) {
  const bool python = candidate.language == core::Language::python;
  if (core::has_operations(candidate.plan)) {
    if (!no_library_here(candidate.plan, judge.info()).empty())
      return load_with(judge, candidate, options, evaluation, {});
    auto runner = judge.runners().start_library();
    return load_with(judge, candidate, options, evaluation, [&] { return std::move(runner); });
  }
  if (python && !no_python_here(judge.task()).empty())
    return load_with(judge, candidate, options, evaluation, {});
  // Started before the build, so that the process opens the device meanwhile.
  judge.runners().start_first(python);
  return load_with(judge, candidate, options, evaluation,
                   [&] { return judge.runners().take(python); });
}

base::Result<Ready, Finding> load_with(Judge& judge, const core::Candidate& candidate,
                                       const EvaluateOptions& options, Evaluation& evaluation,
                                       const RunnerSource& source) {
  evaluation.key = judge.key_for(candidate, options);
  Ready ready{candidate, evaluation.key.point, nullptr, {}, {}, {}};
  if (const auto why = why_unfit(judge, ready)) return Failure{rejection(*why)};
  if (candidate.language == core::Language::python)
    return load_python(judge, std::move(ready), options.ahead, evaluation, source);
  return load_plan(judge, std::move(ready), options.variant, evaluation, source);
}

base::Result<std::string, Finding> build_image(const core::Candidate& candidate,
                                               const core::Point& point,
                                               const core::DeviceInfo& info, const GuardSet& guards,
                                               double seconds, Evaluation& evaluation,
                                               const BuildVariant& variant,
                                               std::vector<std::string>* traits) {
  auto request = runner::build_request(info, candidate.source, candidate.name, point);
  request.line_info = variant.line_info;
  request.disturb = variant.disturb;
  auto built = runner::build(request, info, seconds);
  if (!built) return Failure{conviction(Outcome::build_failed, Guard::limits, built.error().text)};
  evaluation.seconds_build += built->seconds;
  evaluation.build_log =
      runner::trim_log(built->result.log,
                       candidate.language == core::Language::cuda ? candidate.name : std::string());
  if (!built->result.ok)
    return Failure{conviction(Outcome::build_failed, Guard::none,
                              "the compiler says: " + evaluation.build_log)};
  // State that outlives a call could hold answers of earlier ones.
  if (!built->result.forbidden.empty() && guards.on(Guard::globals))
    return Failure{conviction(
        Outcome::rejected, Guard::globals,
        fmt::format("a candidate may not have: {}", fmt::join(built->result.forbidden, "; ")))};
  if (traits != nullptr) *traits = std::move(built->result.traits);
  return std::move(built->result.image);
}

base::Result<core::ResolvedPlan> fitted_plan(const Judge& judge, const Ready& ready,
                                             const core::Case& which) {
  auto plan = core::resolve(ready.candidate.plan, judge.task(), which, ready.point,
                            core::device_symbols(judge.info()));
  if (!plan) {
    auto problem = plan.error();
    problem.file = ready.candidate.name;
    return Failure{base::render(problem, ready.candidate.source)};
  }
  if (ready.candidate.language == core::Language::python)
    plan->call = python_call(judge.task(), which, !judge.options().guards.on(Guard::results));
  if (const auto problems = match_arguments(ready.candidate, *plan, ready.kernels);
      !problems.empty())
    return Failure{base::render(problems, ready.candidate.source)};
  return *std::move(plan);
}

base::Result<device::BindingSet, runner::Fault> share(runner::Runner& runner,
                                                      device::TensorOps& ops,
                                                      const BufferSet& set) {
  core::ResolvedPlan all;
  for (const auto& buffer : set.all()) all.buffers.push_back(buffer.shape);
  return share_for(all, runner, ops, set);
}

base::Result<device::BindingSet, runner::Fault> share_for(const core::ResolvedPlan& plan,
                                                          runner::Runner& runner,
                                                          device::TensorOps& ops,
                                                          const BufferSet& set) {
  device::BindingSet bindings;
  for (const auto& shape : plan.buffers)
    for (const auto& buffer : set.all()) {
      if (buffer.shape.name != shape.name) continue;
      // The runner maps a block once, however many buffers lie in it (Runner::share).
      const auto block =
          runner.share(buffer.block.id, ops.export_block(buffer.block.id), buffer.block.bytes);
      if (!block) return Failure{block.error()};
      bindings.push_back({*block, buffer.data.offset});
    }
  return bindings;
}

base::Result<BoundCandidate, Finding> bind(Judge& judge, Ready& ready,
                                           const core::ResolvedPlan& plan, const BufferSet& working,
                                           bool drop_others) {
  // What is shared for other cases stays mapped in the runner, and so in the device's memory, until
  // it is dropped.
  if (drop_others)
    if (const auto dropped = ready.runner->drop(); !dropped)
      return Failure{runner_failure(dropped.error())};
  auto bound = bind_in(judge, *ready.runner, plan, working);
  if (bound) bound->has_host_code = ready.candidate.language == core::Language::python;
  return bound;
}

base::Result<BoundCandidate, Finding> bind_in(Judge& judge, runner::Runner& runner,
                                              const core::ResolvedPlan& plan,
                                              const BufferSet& working) {
  BoundCandidate bound;
  bound.runner = &runner;
  const auto id = runner.plan(plan);
  if (!id) return Failure{runner_failure(id.error())};
  bound.plan = *id;
  if (!plan.launches.empty()) bound.last_launch = plan.launches.back().plan_index;
  auto bindings = share_for(plan, runner, judge.tensor_ops(), working);
  if (!bindings) return Failure{runner_failure(bindings.error())};
  bound.bindings = *std::move(bindings);
  return bound;
}

}  // namespace hone::judge
