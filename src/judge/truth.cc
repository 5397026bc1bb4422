#include "judge/truth.h"

#include <algorithm>

#include "base/error.h"
#include "judge/pool.h"
#include "judge/torch/truth_torch.h"

namespace hone::judge {

using base::ExitCode;
using core::DType;

namespace {

// Two double-precision implementations that differ in the order of their sums agree far better than
// this.
constexpr double agreement = 1e-9;
// Larger cases are not needed to compare two references, and the C++ reference is slow on them.
constexpr std::uint64_t small_case = 64u << 20;
constexpr std::uint64_t first_check_seed =
    1000;  // the comparison of references needs no secret inputs

double unit_roundoff(DType dtype) {
  return dtype == DType::f16 ? 0x1p-11 : dtype == DType::bf16 ? 0x1p-8 : 0x1p-24;
}

// The expected shapes with f32 for f64: what device kernels and torch write in single precision.
std::vector<core::ResolvedBuffer> single_precision_shapes(
    const std::vector<core::ResolvedBuffer>& outputs) {
  auto shapes = expected_shapes(outputs);
  for (auto& shape : shapes)
    if (shape.dtype == DType::f64) {
      shape.dtype = DType::f32;
      shape.bytes /= 2;
    }
  return shapes;
}

// In pieces, through host memory: this is for narrow outputs only, once per task.
void round_floats(device::TensorOps& ops, const Guarded& floats, const Guarded& to) {
  constexpr std::uint64_t piece = 1 << 22;
  const std::uint64_t size = core::size_of(to.shape.dtype);
  std::vector<float> from(piece);
  std::vector<unsigned char> narrow(piece * size);
  for (std::uint64_t at = 0, elements = floats.shape.bytes / sizeof(float); at < elements;
       at += piece) {
    const std::uint64_t count = std::min(piece, elements - at);
    ops.read({floats.data.block, floats.data.offset + at * sizeof(float), count * sizeof(float)},
             from.data());
    for (std::uint64_t i = 0; i < count; ++i)
      core::store_double(to.shape.dtype, from[i], narrow.data() + i * size);
    ops.write({to.data.block, to.data.offset + at * size, count * size}, narrow.data());
  }
}

// How far `result` (f32 or f64), rounded to the output's type, is from `expected`.
device::Distance rounded_distance(device::TensorOps& ops, const Guarded& result,
                                  const core::ResolvedBuffer& output, const Guarded& expected) {
  if (result.shape.dtype == DType::f32 && output.dtype == DType::f32)
    return ops.distance(result.data, output.dtype, expected.data, 1);
  const BufferSet rounded(ops, {output});
  if (result.shape.dtype == DType::f32)
    round_floats(ops, result, rounded.all()[0]);
  else
    ops.round_to(result.data, rounded.all()[0].data, output.dtype);
  return ops.distance(rounded.all()[0].data, output.dtype, expected.data, 1);
}

}  // namespace

Truth::Truth(const core::Task& task, const core::DeviceInfo& info, device::TensorOps& ops,
             bool unsafe)
    : task_(task), info_(info), ops_(ops), unsafe_(unsafe), oracle_(task) {}

double honest_rms(const core::Output& output, double rms) {
  if (!core::is_float(output.dtype) || output.dtype == DType::f64 || output.tolerance.max <= 0)
    return 0;
  return std::max(rms, unit_roundoff(output.dtype));
}

std::vector<core::ResolvedBuffer> expected_shapes(
    const std::vector<core::ResolvedBuffer>& outputs) {
  auto shapes = outputs;
  for (auto& shape : shapes) {
    shape.bytes = shape.bytes / core::size_of(shape.dtype) * 8;
    shape.dtype = core::is_float(shape.dtype) ? DType::f64 : DType::i64;
  }
  return shapes;
}

void Truth::compute(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                    const std::vector<Guarded>& expected) {
  const AddElapsed elapsed{seconds_};
  run(which, real, inputs, expected);
}

void Truth::run(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                const std::vector<Guarded>& outputs) {
  if (task_.reference_py) {
    ask_torch(which, torch_call(task_, which, core::name_of(real)), {{inputs, outputs}});
  } else if (uses_device_reference(task_, which, info_)) {
    check_device_reference();
    by_device(which, real, inputs, outputs);
  } else {
    by_cpp(which, real, inputs, outputs);
  }
}

void Truth::by_cpp(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                   const std::vector<Guarded>& expected) {
  std::vector<runner::ReferenceTensor> in, out;
  for (const auto& buffer : inputs)
    in.push_back(
        {buffer.shape.name, buffer.shape.dtype,
         static_cast<std::int64_t>(buffer.shape.bytes / core::size_of(buffer.shape.dtype))});
  for (const auto& buffer : expected)
    out.push_back(
        {buffer.shape.name, buffer.shape.dtype, static_cast<std::int64_t>(buffer.shape.bytes / 8)});
  oracle_.call(
      which, real, in, out, [&](std::size_t i, void* to) { ops_.read(inputs[i].data, to); },
      [&](std::size_t i, const void* from) { ops_.write(expected[i].data, from); });
}

void Truth::by_device(const core::Case& which, DType real, const std::vector<Guarded>& inputs,
                      const std::vector<Guarded>& outputs) {
  auto& reference = real == DType::f64 ? double_ : single_;
  if (!reference) reference = load_device_reference(task_, info_, real, unsafe_);
  try {
    call_device_reference(*reference, task_, which, info_, ops_, inputs, outputs, limit());
  } catch (const base::Error&) {
    reference.reset();  // its process may be busy still
    throw;
  }
}

std::vector<double> Truth::honest_errors(const core::Case& which,
                                         const std::vector<Guarded>& inputs,
                                         const std::vector<core::ResolvedBuffer>& outputs,
                                         const std::vector<Guarded>& expected) {
  // Where the reference's own precision is the truth, the error of an honest kernel cannot be
  // measured.
  if ((task_.own_check && !task_.own_check->in_double) ||
      (task_.function && !task_.function->in_double))
    return std::vector<double>(outputs.size(), 0.0);
  const AddElapsed elapsed{seconds_};
  // The C++ reference returns doubles even if it computes in single precision.
  const bool returns_doubles = !task_.reference_py && !uses_device_reference(task_, which, info_);
  const BufferSet single(
      ops_, returns_doubles ? expected_shapes(outputs) : single_precision_shapes(outputs));
  run(which, DType::f32, inputs, single.all());
  std::vector<double> errors(outputs.size(), 0.0);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!core::is_float(outputs[i].dtype) || outputs[i].dtype == DType::f64) continue;
    const auto distance = rounded_distance(ops_, single.all()[i], outputs[i], expected[i]);
    if (distance.nonfinite == 0) errors[i] = honest_rms(task_.outputs[i], distance.rms);
  }
  return errors;
}

void Truth::check_device_reference() {
  if (device_checked_) return;
  device_checked_ = true;
  bool any = false;
  for (const auto& which : task_.cases) {
    if (uses_device_reference(task_, which, info_) || Pool::entry_bytes(task_, which) > small_case)
      continue;
    any = true;
    const auto shapes = task_shapes(task_, which);
    const BufferSet inputs(ops_, shapes.inputs), from_cpp(ops_, expected_shapes(shapes.outputs)),
        from_device(ops_, expected_shapes(shapes.outputs));
    for (std::size_t i = 0; i < shapes.inputs.size(); ++i)
      draw_tensor(task_.inputs[i], which, core::Variant::plain, ops_, first_check_seed + i,
                  inputs.all()[i].data);
    by_cpp(which, DType::f64, inputs.all(), from_cpp.all());
    by_device(which, DType::f64, inputs.all(), from_device.all());
    for (std::size_t i = 0; i < shapes.outputs.size(); ++i) {
      const auto& result = from_device.all()[i];
      const auto distance =
          ops_.distance(result.data, result.shape.dtype, from_cpp.all()[i].data, agreement);
      if (distance.bad > 0 || distance.nonfinite > 0)
        base::fail(ExitCode::bad_input,
                   "task {}: the device reference disagrees with reference.cc on case {}, output "
                   "{}: scaled error {:.3g}, more than {:.0e}; it cannot be trusted",
                   task_.name, which.name, result.shape.name, distance.max, agreement);
    }
  }
  if (!any)
    base::fail(ExitCode::bad_input,
               "task {}: its device reference cannot be checked: add a small case (use = "
               "\"check\") with the C++ reference",
               task_.name);
}

}  // namespace hone::judge
