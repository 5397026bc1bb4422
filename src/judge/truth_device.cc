#include "judge/truth_device.h"

#include <algorithm>

#include "base/error.h"
#include "runner/build_request.h"
#include "runner/trim_log.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::judge {
namespace {

using base::ExitCode;
using core::DType;

constexpr double reference_build_seconds = 120, ready_seconds = 60;  // limits

const std::optional<std::string>& reference_source(const core::Task& task,
                                                   const core::DeviceInfo& info) {
  return info.language == core::Language::cuda ? task.reference_cu : task.reference_cl;
}

core::Candidate parse_reference(const core::Task& task, const core::DeviceInfo& info,
                                const std::string& source, const std::string& name) {
  auto candidate = task::candidate_from(source, info.language, (task.folder / name).string());
  if (!candidate)
    base::fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  if (const auto problems = task::check_plan(candidate->plan, task, candidate->name);
      !problems.empty())
    base::fail(ExitCode::bad_input, "{}", task::render_with_sources(problems));
  return *std::move(candidate);
}

}  // namespace

bool uses_device_reference(const core::Task& task, const core::Case& which,
                           const core::DeviceInfo& info) {
  return which.device_reference && !task.reference_py && reference_source(task, info).has_value();
}

// The reference is a kernel of the task's: trusted, but built and run like a candidate's, in a
// process that may crash.
std::unique_ptr<DeviceReference> load_device_reference(const core::Task& task,
                                                       const core::DeviceInfo& info, DType real,
                                                       bool unsafe) {
  const std::string name = info.language == core::Language::cuda ? "reference.cu" : "reference.cl";
  const auto& source = reference_source(task, info);
  if (!source)
    base::fail(ExitCode::bad_input,
               "{}: a case wants its expected values from {}, which is not there",
               (task.folder / "task.toml").string(), name);
  auto reference = std::make_unique<DeviceReference>();
  reference->real = real;
  reference->candidate = parse_reference(task, info, *source, name);
  const auto& plan = reference->candidate.plan;
  auto request = runner::build_request(info, *source, name, core::default_point(plan));
  request.defines.emplace_back("HONE_REAL", real == DType::f64 ? "double" : "float");
  const auto built = runner::build(request, info, reference_build_seconds);
  if (!built) base::fail(ExitCode::bad_input, "{}: {}", name, built.error().text);
  if (!built->result.ok)
    base::fail(ExitCode::bad_input, "{} does not compile:\n{}", name,
               runner::trim_log(built->result.log));
  auto options = runner::runner_options(info, unsafe);
  options.speaker.clear();  // only the task's own kernels run in it
  reference->runner = std::make_unique<runner::Runner>(info, options);
  std::vector<std::string> kernels;
  for (const auto& launch : plan.launches)
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
      kernels.push_back(launch.kernel);
  if (const auto loaded =
          reference->runner->load(built->result.image, kernels, reference_build_seconds);
      !loaded)
    base::fail(ExitCode::bad_input, "{}: {}", name, loaded.error().text);
  return reference;
}

void call_device_reference(DeviceReference& reference, const core::Task& task,
                           const core::Case& which, const core::DeviceInfo& info,
                           device::TensorOps& ops, const std::vector<Guarded>& inputs,
                           const std::vector<Guarded>& outputs,
                           const runner::ReferenceLimit& limit) {
  const auto fail_with = [&](const std::string& text) {
    base::fail(ExitCode::bad_input, "the device reference of task {} failed on case {}: {}",
               task.name, which.name, text);
  };
  runner::Runner& runner = *reference.runner;
  const auto plan = core::resolve(reference.candidate.plan, task, which,
                                  core::default_point(reference.candidate.plan),
                                  core::device_symbols(info), reference.real);
  if (!plan) fail_with(base::render(plan.error(), reference.candidate.source));
  std::vector<core::ResolvedBuffer> scratch_shapes;
  for (const auto& buffer : plan->buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) scratch_shapes.push_back(buffer);
  const BufferSet scratch(ops, scratch_shapes);
  device::BindingSet set;
  for (const auto* group : {&inputs, &outputs, &scratch.all()})  // the order of a plan's buffers
    for (const auto& buffer : *group) {
      const auto id =
          runner.share(buffer.block.id, ops.export_block(buffer.block.id), buffer.block.bytes);
      if (!id) fail_with(id.error().text);
      set.push_back({*id, buffer.data.offset});
    }
  ops.finish();
  const auto id = runner.plan(*plan);
  if (!id) fail_with(id.error().text);
  const runner::PrepareRequest request{.plan = *id, .sets = {set}, .flush = false};
  if (const auto prepared = runner.prepare(request, ready_seconds); !prepared)
    fail_with(prepared.error().text);
  const std::string what =
      fmt::format("the device reference of task {} on case {}", task.name, which.name);
  const double most = limit.seconds_left();
  runner.while_waiting(limit.teller(what, most));
  const auto ran = runner.go(most);
  runner.while_waiting({});
  if (!ran) {
    if (ran.error().outcome == core::Outcome::timed_out) limit.fail(what);
    fail_with(ran.error().text);
  }
  // The blocks are the judge's working memory, which the next call may have elsewhere.
  if (const auto dropped = runner.drop(); !dropped) fail_with(dropped.error().text);
}

}  // namespace hone::judge
