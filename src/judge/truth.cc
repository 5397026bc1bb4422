#include "judge/truth.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "judge/pool.h"
#include "judge/truth_torch.h"
#include "runner/build_request.h"
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
constexpr std::uint64_t small_case = 64u << 20;

double unit_roundoff(DType dtype) { return dtype == DType::f16 ? 0x1p-11 : dtype == DType::bf16 ? 0x1p-8 : 0x1p-24; }

}  // namespace

struct Truth::DeviceReference {
  core::Candidate candidate;
  std::unique_ptr<runner::Runner> runner;
  std::map<int, int> blocks;  // the judge's block to the runner's
};

Truth::Truth(const core::Task& task, const core::DeviceInfo& info, device::Workbench& bench, bool unsafe)
    : task_(task), info_(info), bench_(bench), unsafe_(unsafe), oracle_(task) {}
Truth::~Truth() = default;

double honest_rms(const core::Output& output, double rms) {
  if (!core::is_float(output.dtype) || output.dtype == DType::f64 || output.tolerance.max <= 0) return 0;
  return std::max(rms, unit_roundoff(output.dtype));
}

std::vector<core::ResolvedBuffer> expected_shapes(const std::vector<core::ResolvedBuffer>& outputs) {
  auto shapes = outputs;
  for (auto& shape : shapes) {
    shape.bytes = shape.bytes / core::size_of(shape.dtype) * 8;
    shape.dtype = core::is_float(shape.dtype) ? DType::f64 : DType::i64;
  }
  return shapes;
}

void Truth::compute(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                    const std::vector<Guarded>& expected) {
  const auto start = Clock::now();
  if (task_.reference_py) {
    ask_torch(which, torch_call(task_, which, core::name_of(real)), inputs, expected);
  } else if (by_kernel(which)) {
    check_device_reference();
    by_device(which, real, inputs, expected);
  } else {
    by_cpp(which, real, inputs, expected);
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

bool Truth::by_kernel(const core::Case& which) const {
  return which.device_reference && !task_.reference_py &&
         (info_.language == core::Language::cuda ? task_.reference_cu : task_.reference_cl).has_value();
}

void Truth::by_cpp(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                   const std::vector<Guarded>& expected) {
  std::vector<runner::ReferenceTensor> in, out;
  for (const auto& buffer : inputs)
    in.push_back({buffer.shape.name, buffer.shape.dtype,
                  static_cast<std::int64_t>(buffer.shape.bytes / core::size_of(buffer.shape.dtype))});
  for (const auto& buffer : expected)
    out.push_back({buffer.shape.name, buffer.shape.dtype, static_cast<std::int64_t>(buffer.shape.bytes / 8)});
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
  if (!source)
    base::fail(ExitCode::bad_input, "{}: a case wants its expected values from {}, which is not there",
               (task_.folder / "task.toml").string(), name);
  auto reference = std::make_unique<DeviceReference>();
  auto candidate = task::candidate_from(*source, info_.language, (task_.folder / name).string());
  if (!candidate) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  reference->candidate = *std::move(candidate);
  if (const auto problems = task::check_plan(reference->candidate.plan, task_, reference->candidate.name);
      !problems.empty())
    base::fail(ExitCode::bad_input, "{}", task::render_with_sources(problems));
  auto request = runner::build_request(info_, *source, name, core::default_point(reference->candidate.plan));
  request.defines.emplace_back("HONE_REAL", real == DType::f64 ? "double" : "float");
  const auto built = runner::build(request, info_, build_seconds);
  if (!built) base::fail(ExitCode::bad_input, "{}: {}", name, built.error().text);
  if (!built->result.ok)
    base::fail(ExitCode::bad_input, "{} does not compile:\n{}", name, runner::trim_log(built->result.log));
  reference->runner = std::make_unique<runner::Runner>(info_, runner::runner_options(info_, unsafe_));
  std::vector<std::string> kernels;
  for (const auto& launch : reference->candidate.plan.launches)
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end()) kernels.push_back(launch.kernel);
  if (const auto loaded = reference->runner->load(built->result.image, kernels, build_seconds); !loaded)
    base::fail(ExitCode::bad_input, "{}: {}", name, loaded.error().text);
  slot = std::move(reference);
  return *slot;
}

void Truth::by_device(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                      const std::vector<Guarded>& outputs) {
  DeviceReference& reference = device_reference(real);
  const auto fail_with = [&](const std::string& text) {
    base::fail(ExitCode::bad_input, "the device reference of task {} failed on case {}: {}", task_.name, which.name,
               text);
  };
  const auto plan = core::resolve(reference.candidate.plan, task_, which, core::default_point(reference.candidate.plan),
                                  core::device_symbols(info_), real);
  if (!plan) fail_with(base::render(plan.error(), reference.candidate.source));
  std::vector<core::ResolvedBuffer> own;
  for (const auto& buffer : plan->buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) own.push_back(buffer);
  const BufferSet scratch(bench_, own);
  device::BindingSet set;
  for (const auto* group : {&inputs, &outputs, &scratch.all()})  // the order of a plan's buffers
    for (const auto& buffer : *group) {
      const auto id = reference.runner->share(bench_.export_block(buffer.block.id), buffer.block.bytes);
      if (!id) fail_with(id.error().text);
      set.push_back({*id, buffer.data.offset});
    }
  bench_.finish();
  const auto id = reference.runner->plan(*plan);
  if (!id) fail_with(id.error().text);
  const runner::PrepareRequest request{*id, {set}, true, false, false, -1};
  if (const auto prepared = reference.runner->prepare(request, call_seconds); !prepared)
    fail_with(prepared.error().text);
  if (const auto ran = reference.runner->go(call_seconds); !ran) fail_with(ran.error().text);
  if (const auto dropped = reference.runner->drop(); !dropped) fail_with(dropped.error().text);
}

std::vector<double> Truth::honest_errors(const core::Case& which, const std::vector<Guarded>& inputs,
                                         const std::vector<core::ResolvedBuffer>& outputs,
                                         const std::vector<Guarded>& expected) {
  // Where the reference's own precision is the truth, nobody knows what an honest kernel is off by.
  if (task_.own_check && !task_.own_check->in_double) return std::vector<double>(outputs.size(), 0.0);
  const auto start = Clock::now();
  const bool floats = by_kernel(which) || task_.reference_py;
  // The C++ hands over doubles whatever it computes in; the device kernel and torch hand over floats.
  auto shapes = expected_shapes(outputs);
  if (floats)
    for (auto& shape : shapes)
      if (shape.dtype == DType::f64) {
        shape.dtype = DType::f32;
        shape.bytes /= 2;
      }
  const BufferSet single(bench_, shapes);
  if (task_.reference_py)
    ask_torch(which, torch_call(task_, which, "f32"), inputs, single.all());
  else if (floats)
    by_device(which, DType::f32, inputs, single.all());
  else
    by_cpp(which, DType::f32, inputs, single.all());
  std::vector<double> errors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    errors.push_back(0);
    const DType dtype = outputs[i].dtype;
    if (!core::is_float(dtype) || dtype == DType::f64) continue;
    device::Distance distance;
    if (floats && dtype == DType::f32) {
      distance = bench_.distance(single.all()[i].data, dtype, expected[i].data, 1);
    } else {
      const BufferSet rounded(bench_, {outputs[i]});
      if (floats)
        widen_and_round(single.all()[i], rounded.all()[0]);
      else
        bench_.round_to(single.all()[i].data, rounded.all()[0].data, dtype);
      distance = bench_.distance(rounded.all()[0].data, dtype, expected[i].data, 1);
    }
    if (distance.nonfinite == 0) errors.back() = honest_rms(task_.outputs[i], distance.rms);
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  return errors;
}

void Truth::widen_and_round(const Guarded& floats, const Guarded& to) {
  // In pieces, through host memory: only narrow outputs of large cases come here, once per task.
  constexpr std::uint64_t piece = 1 << 22;
  const std::uint64_t size = core::size_of(to.shape.dtype);
  std::vector<float> from(piece);
  std::vector<unsigned char> narrow(piece * size);
  for (std::uint64_t at = 0, elements = floats.shape.bytes / 4; at < elements; at += piece) {
    const std::uint64_t count = std::min(piece, elements - at);
    bench_.read({floats.data.block, floats.data.offset + at * 4, count * 4}, from.data());
    for (std::uint64_t i = 0; i < count; ++i) core::store_double(to.shape.dtype, from[i], narrow.data() + i * size);
    bench_.write({to.data.block, to.data.offset + at * size, count * size}, narrow.data());
  }
}

void Truth::check_device_reference() {
  if (device_checked_) return;
  device_checked_ = true;
  bool any = false;
  for (const auto& which : task_.cases) {
    if (by_kernel(which)) continue;
    const auto shapes = task_shapes(task_, which);
    if (Pool::entry_bytes(task_, which) > small_case) continue;  // they suffice, and the C++ is slow on large ones
    any = true;
    BufferSet inputs(bench_, shapes.inputs), by_both(bench_, expected_shapes(shapes.outputs)),
        by_this(bench_, expected_shapes(shapes.outputs));
    for (std::size_t i = 0; i < shapes.inputs.size(); ++i)
      bench_.draw(inputs.all()[i].data, draw_request(task_.inputs[i], which, core::Variant::plain), 1000 + i);
    by_cpp(which, DType::f64, inputs.all(), by_both.all());
    by_device(which, DType::f64, inputs.all(), by_this.all());
    for (std::size_t i = 0; i < shapes.outputs.size(); ++i) {
      const auto& mine = by_this.all()[i];
      const auto distance = bench_.distance(mine.data, mine.shape.dtype, by_both.all()[i].data, agreement);
      if (distance.bad > 0 || distance.nonfinite > 0)
        base::fail(ExitCode::bad_input,
                   "task {}: the device reference disagrees with reference.cc on case {}, output {}: scaled error "
                   "{:.3g}, more than {:.0e}; it cannot be trusted",
                   task_.name, which.name, mine.shape.name, distance.max, agreement);
    }
  }
  if (!any)
    base::fail(
        ExitCode::bad_input,
        "task {}: its device reference cannot be checked: add a small case (use = \"check\") with the C++ reference",
        task_.name);
}

}  // namespace hone::judge
