#include "judge/truth.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "judge/pool.h"
#include "runner/trim_log.h"
#include "task/candidate_loader.h"
#include "task/plan_parser.h"

namespace hone::judge {

using base::ExitCode;
using core::DType;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double build_seconds = 120, call_seconds = 120;
// Two double-precision implementations that differ in the order of their sums agree far better than this.
constexpr double agreement = 1e-9;

}  // namespace

struct Truth::DeviceReference {
  core::Candidate candidate;
  std::unique_ptr<runner::Runner> runner;
  std::map<int, int> blocks;  // the judge's block to the runner's
};

Truth::Truth(const core::Task& task, const core::DeviceInfo& info, device::Workbench& bench, bool unsafe)
    : task_(task), info_(info), bench_(bench), unsafe_(unsafe), oracle_(task) {}
Truth::~Truth() = default;

std::vector<core::ResolvedBuffer> expected_shapes(const std::vector<core::ResolvedBuffer>& outputs) {
  auto shapes = outputs;
  for (auto& shape : shapes) {
    shape.bytes = shape.bytes / core::size_of(shape.dtype) * 8;
    shape.dtype = core::is_float(shape.dtype) ? DType::f64 : DType::i64;
  }
  return shapes;
}

void Truth::compute(const core::Case& which, DType real, const std::vector<Guarded>& inputs, const std::vector<Guarded>& expected) {
  const auto start = Clock::now();
  if (which.device_reference) {
    check_device_reference();
    by_device(which, real, inputs, expected);
  } else {
    by_cpp(which, real, inputs, expected);
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void Truth::by_cpp(const core::Case& which, DType real, const std::vector<Guarded>& inputs, const std::vector<Guarded>& expected) {
  std::vector<runner::ReferenceTensor> in, out;
  for (const auto& buffer : inputs) in.push_back({buffer.shape.name, buffer.shape.dtype, static_cast<std::int64_t>(buffer.shape.bytes / core::size_of(buffer.shape.dtype))});
  for (const auto& buffer : expected) out.push_back({buffer.shape.name, buffer.shape.dtype, static_cast<std::int64_t>(buffer.shape.bytes / 8)});
  oracle_.call(
      which, real, in, out, [&](std::size_t i, void* to) { bench_.read(inputs[i].data, to); },
      [&](std::size_t i, const void* from) { bench_.write(expected[i].data, from); });
}

Truth::DeviceReference& Truth::device_reference(DType real) {
  auto& slot = real == DType::f64 ? double_ : single_;
  if (slot) return *slot;
  const bool cuda = info_.language == core::Language::cuda;
  const auto& source = cuda ? task_.reference_cu : task_.reference_cl;
  const std::string name = cuda ? "reference.cu" : "reference.cl";
  if (!source) base::fail(ExitCode::bad_input, "{}: a case wants its expected values from {}, which is not there", (task_.folder / "task.toml").string(), name);
  auto reference = std::make_unique<DeviceReference>();
  auto candidate = task::candidate_from(*source, info_.language, (task_.folder / name).string());
  if (!candidate) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  reference->candidate = *std::move(candidate);
  if (const auto problems = task::check_plan(reference->candidate.plan, task_, reference->candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", task::render_with_sources(problems));
  device::BuildRequest request{info_.language, info_.id, info_.arch, *source, name, {{"HONE_REAL", real == DType::f64 ? "double" : "float"}}};
  for (const auto& [tunable, value] : core::default_point(reference->candidate.plan)) request.defines.emplace_back(tunable, std::to_string(value));
  const auto built = runner::build(request, info_, build_seconds);
  if (!built) base::fail(ExitCode::bad_input, "{}: {}", name, built.error().text);
  if (!built->result.ok) base::fail(ExitCode::bad_input, "{} does not compile:\n{}", name, runner::trim_log(built->result.log));
  reference->runner = std::make_unique<runner::Runner>(info_, runner::runner_options(info_, unsafe_));
  std::vector<std::string> kernels;
  for (const auto& launch : reference->candidate.plan.launches)
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end()) kernels.push_back(launch.kernel);
  if (const auto loaded = reference->runner->load(built->result.image, kernels, build_seconds); !loaded) base::fail(ExitCode::bad_input, "{}: {}", name, loaded.error().text);
  slot = std::move(reference);
  return *slot;
}

void Truth::by_device(const core::Case& which, DType real, const std::vector<Guarded>& inputs, const std::vector<Guarded>& expected) {
  DeviceReference& reference = device_reference(real);
  const auto fail_with = [&](const std::string& text) { base::fail(ExitCode::bad_input, "the device reference of task {} failed on case {}: {}", task_.name, which.name, text); };
  const auto plan = core::resolve(reference.candidate.plan, task_, which, core::default_point(reference.candidate.plan), core::device_symbols(info_), real);
  if (!plan) fail_with(base::render(plan.error(), reference.candidate.source));
  // In single precision the outputs are floats: they go to buffers of their own and are widened afterwards.
  std::vector<core::ResolvedBuffer> own;
  for (const auto& buffer : plan->buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch || (buffer.role == core::ResolvedBuffer::Role::output && buffer.dtype == DType::f32)) own.push_back(buffer);
  BufferSet owned(bench_, own);
  const auto share = [&](const Guarded& buffer) {
    const auto id = reference.runner->share(bench_.export_block(buffer.block.id), buffer.block.bytes);
    if (!id) fail_with(id.error().text);
    return device::BufferBinding{*id, buffer.data.offset};
  };
  device::BindingSet set;
  std::size_t next_own = 0, next_input = 0, next_output = 0;
  for (const auto& buffer : plan->buffers) {
    if (buffer.role == core::ResolvedBuffer::Role::input) { set.push_back(share(inputs[next_input++])); continue; }
    const bool is_output = buffer.role == core::ResolvedBuffer::Role::output;
    const std::size_t output = is_output ? next_output++ : 0;
    set.push_back(is_output && buffer.dtype != DType::f32 ? share(expected[output]) : share(owned.all()[next_own++]));
  }
  bench_.finish();
  const auto id = reference.runner->plan(*plan);
  if (!id) fail_with(id.error().text);
  runner::PrepareRequest request{*id, {set}, true, false, false, -1};
  if (const auto prepared = reference.runner->prepare(request, call_seconds); !prepared) fail_with(prepared.error().text);
  if (const auto ran = reference.runner->go(call_seconds); !ran) fail_with(ran.error().text);
  // Widen single-precision results to the expected buffers' doubles.
  next_own = next_output = 0;
  for (const auto& buffer : plan->buffers) {
    if (buffer.role != core::ResolvedBuffer::Role::output) continue;
    const auto& target = expected[next_output++];
    if (buffer.dtype != DType::f32) continue;
    const auto& from = owned.all()[next_own++];
    std::vector<float> narrow(buffer.bytes / 4);
    bench_.read(from.data, narrow.data());
    const std::vector<double> wide(narrow.begin(), narrow.end());
    bench_.write(target.data, wide.data());
  }
  if (const auto dropped = reference.runner->drop(); !dropped) fail_with(dropped.error().text);
}

void Truth::check_device_reference() {
  if (device_checked_) return;
  device_checked_ = true;
  bool any = false;
  for (const auto& which : task_.cases) {
    if (which.device_reference) continue;
    const auto shapes = task_shapes(task_, which);
    if (BufferSet::footprint(shapes.outputs) > (64u << 20)) continue;  // the small cases suffice, and the C++ is slow on large ones
    any = true;
    BufferSet inputs(bench_, shapes.inputs), by_both(bench_, expected_shapes(shapes.outputs)), by_this(bench_, expected_shapes(shapes.outputs));
    for (std::size_t i = 0; i < shapes.inputs.size(); ++i) bench_.draw(inputs.all()[i].data, draw_request(task_.inputs[i], which, core::Variant::plain), 1000 + i);
    by_cpp(which, DType::f64, inputs.all(), by_both.all());
    by_device(which, DType::f64, inputs.all(), by_this.all());
    for (std::size_t i = 0; i < shapes.outputs.size(); ++i) {
      const auto& mine = by_this.all()[i];
      const auto distance = bench_.distance(mine.data, mine.shape.dtype, by_both.all()[i].data, agreement);
      if (distance.bad > 0 || distance.nonfinite > 0)
        base::fail(ExitCode::bad_input, "task {}: the device reference disagrees with reference.cc on case {}, output {}: scaled error {:.3g}, more than {:.0e}; it cannot be trusted", task_.name,
                   which.name, mine.shape.name, distance.max, agreement);
    }
  }
  if (!any) base::fail(ExitCode::bad_input, "task {}: its device reference cannot be checked: add a small case (use = \"check\") with the C++ reference", task_.name);
}

}  // namespace hone::judge
