#include "judge/precision/own_inputs.h"

#include <algorithm>
#include <numeric>

namespace hone::judge {
namespace {

constexpr double rms_slack = 1.1, max_slack = 2;
constexpr double half_unit = 0x1p-24, few_units = 0x1p-22;  // of single precision

}  // namespace

bool no_worse(const ErrorPair& error, const ErrorPair& eager) {
  return error.rms <= std::max(rms_slack * eager.rms, half_unit) &&
         error.max <= std::max(max_slack * eager.max, few_units);
}

Placing placed(const std::vector<ErrorPair>& errors, const OwnInputs& own) {
  Placing placing;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const bool as_fp32 = no_worse(errors[i], own.fp32.at(i));
    placing.fp32 = placing.fp32 && as_fp32;
    placing.tf32 = placing.tf32 && (as_fp32 || no_worse(errors[i], own.entry.tf32.at(i)));
  }
  return placing;
}

std::uint64_t own_inputs_bytes(const core::Task& task, const core::Case& which) {
  return Pool::entry_bytes(task, which) + BufferSet::footprint(expected_shapes(task_shapes(task, which).outputs));
}

OwnInputs draw_own_inputs(const core::Task& task, const core::Case& which, device::Workbench& bench, Truth& truth,
                          Secrets& secrets) {
  const auto shapes = task_shapes(task, which);
  OwnInputs own;
  own.entry.inputs = std::make_unique<BufferSet>(bench, shapes.inputs);
  own.entry.expected = std::make_unique<BufferSet>(bench, expected_shapes(shapes.outputs));
  std::vector<std::size_t> all(shapes.inputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  truth.draw(which, secrets.seed(), all, own.entry.inputs->all());
  truth.compute(which, core::DType::f64, own.entry.inputs->all(), own.entry.expected->all());
  for (std::size_t i = 0; i < shapes.outputs.size(); ++i)
    own.entry.scales.push_back(bench.scale(own.entry.expected->all()[i].data, shapes.outputs[i].dtype));
  const auto errors = [&](const char* precision) {
    return truth.torch_errors(which, precision, own.entry.inputs->all(), shapes.outputs, own.entry.expected->all());
  };
  own.fp32 = errors("f32");
  own.entry.tf32 = errors("tf32");
  for (std::size_t i = 0; i < shapes.outputs.size(); ++i)
    own.entry.honest_rms.push_back(honest_rms(task.outputs[i], own.fp32[i].rms));
  own.eager = std::make_unique<BufferSet>(bench, expected_shapes(shapes.outputs));
  truth.by_torch(which, "default", own.entry.inputs->all(), own.eager->all());
  return own;
}

}  // namespace hone::judge
