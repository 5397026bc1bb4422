#include "judge/pool.h"

#include <algorithm>

#include "base/error.h"

namespace hone::judge {

using core::DType;
using core::Variant;

namespace {

// Few, so that a fingerprint of samples misses them; but enough for the sum of very many to feel it.
constexpr std::uint64_t fewest_changed = 8, most_changed = 1024, one_changed_in = 1 << 16;

std::vector<core::ResolvedBuffer> buffers_of(const core::Task& task, const core::Case& which, const auto& tensors,
                                             core::ResolvedBuffer::Role role) {
  std::vector<core::ResolvedBuffer> buffers;
  for (const auto& tensor : tensors) {
    const auto shape = core::shape_of(tensor.shape, which.bindings);
    if (!shape)
      base::fail(base::ExitCode::bad_input, "task {}, case {}: the shape of {} has no value: {}", task.name, which.name,
                 tensor.name, shape.error());
    buffers.push_back({tensor.name, role, tensor.dtype, shape->dims,
                       static_cast<std::uint64_t>(shape->elements) * core::size_of(tensor.dtype)});
  }
  return buffers;
}

bool drawn_by_problem(const core::Input& input) { return input.draw.kind == core::DrawKind::problem; }

bool takes(const core::Input& input, Variant variant) {
  return variant == Variant::plain ||
         std::find(input.variants.begin(), input.variants.end(), variant) != input.variants.end();
}

}  // namespace

TaskShapes task_shapes(const core::Task& task, const core::Case& which) {
  return {buffers_of(task, which, task.inputs, core::ResolvedBuffer::Role::input),
          buffers_of(task, which, task.outputs, core::ResolvedBuffer::Role::output)};
}

device::DrawRequest draw_request(const core::Input& input, const core::Case& which, Variant variant) {
  device::DrawRequest request{
      input.dtype, input.draw.kind, input.draw.a, input.draw.b, 0, 0, takes(input, variant) ? variant : Variant::plain};
  if (input.draw.kind == core::DrawKind::integers) {
    const auto low = input.draw.low.evaluate(which.bindings), high = input.draw.high.evaluate(which.bindings);
    if (!low || !high)
      base::fail(base::ExitCode::bad_input, "the bounds of input {} have no value in case {}", input.name, which.name);
    request.low = *low;
    request.high = *high;
  }
  return request;
}

void draw_inputs(const core::Task& task, const core::Case& which, Variant variant, device::Workbench& bench,
                 Truth& truth, Secrets& secrets, const std::vector<Guarded>& inputs) {
  std::vector<std::size_t> by_problem;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (drawn_by_problem(task.inputs[i]))
      by_problem.push_back(i);
    else
      bench.draw(inputs[i].data, draw_request(task.inputs[i], which, variant), secrets.seed());
  if (!by_problem.empty()) truth.draw(which, secrets.seed(), by_problem, inputs);
}

void draw_input(const core::Task& task, const core::Case& which, std::size_t index, device::Workbench& bench,
                Truth& truth, Secrets& secrets, const std::vector<Guarded>& inputs) {
  if (drawn_by_problem(task.inputs[index]))
    truth.draw(which, secrets.seed(), {index}, inputs);
  else
    bench.draw(inputs[index].data, draw_request(task.inputs[index], which, Variant::plain), secrets.seed());
}

std::uint64_t Pool::entry_bytes(const core::Task& task, const core::Case& which) {
  const auto shapes = task_shapes(task, which);
  return BufferSet::footprint(shapes.inputs) + BufferSet::footprint(expected_shapes(shapes.outputs));
}

Pool::Pool(const core::Task& task, const core::Case& which, device::Workbench& bench, Truth& truth, Secrets& secrets,
           const GuardSet& guards, HonestErrors& honest)
    : task_(task), case_(which), bench_(bench), truth_(truth), secrets_(secrets), guards_(guards), honest_(honest) {}

std::unique_ptr<Entry> Pool::make(Variant variant, const Entry* like) {
  const auto shapes = task_shapes(task_, case_);
  auto entry = std::make_unique<Entry>();
  entry->variant = variant;
  entry->inputs = std::make_unique<BufferSet>(bench_, shapes.inputs);
  entry->expected = std::make_unique<BufferSet>(bench_, expected_shapes(shapes.outputs));
  const auto& inputs = entry->inputs->all();
  if (like == nullptr) draw_inputs(task_, case_, variant, bench_, truth_, secrets_, inputs);
  // Larger than the rest where the input may be: an output that ignores the change is then clearly off.
  const Variant values = guards_.on("variants") ? Variant::large : Variant::plain;
  if (like != nullptr)
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (drawn_by_problem(task_.inputs[i])) {  // there is no changing a few elements of a structure
        draw_input(task_, case_, i, bench_, truth_, secrets_, inputs);
        continue;
      }
      bench_.copy(like->inputs->all()[i].data, inputs[i].data);
      change_a_few_elements(bench_, task_.inputs[i], case_, inputs[i], values, secrets_);
    }

  truth_.compute(case_, DType::f64, entry->inputs->all(), entry->expected->all());
  for (std::size_t i = 0; i < shapes.outputs.size(); ++i)
    entry->scales.push_back(bench_.scale(entry->expected->all()[i].data, shapes.outputs[i].dtype));
  const std::string key = case_.name + "/" + std::to_string(static_cast<int>(variant));
  if (!honest_.contains(key))
    honest_[key] = truth_.honest_errors(case_, entry->inputs->all(), shapes.outputs, entry->expected->all());
  entry->honest_rms = honest_[key];
  return entry;
}

std::uint64_t change_a_few_elements(device::Workbench& bench, const core::Input& input, const core::Case& which,
                                    const Guarded& buffer, Variant values, Secrets& secrets) {
  if (drawn_by_problem(input)) return 0;
  const std::uint64_t size = core::size_of(buffer.shape.dtype), elements = buffer.shape.bytes / size;
  const std::uint64_t count = std::min(std::clamp(elements / one_changed_in, fewest_changed, most_changed), elements);
  for (std::uint64_t n = 0; n < count; ++n) {
    const device::Span element{buffer.data.block, buffer.data.offset + secrets.below(elements) * size, size};
    bench.draw(element, draw_request(input, which, values), secrets.seed());
  }
  return count;
}

std::vector<Entry*> Pool::plain(std::size_t count) {
  while (plain_.size() < count) {
    const bool perturbed = plain_.size() % 2 == 1 && guards_.on("perturb");
    plain_.push_back(make(Variant::plain, perturbed ? plain_.back().get() : nullptr));
  }
  std::vector<Entry*> entries;
  for (std::size_t i = 0; i < count; ++i) entries.push_back(plain_[i].get());
  return entries;
}

std::vector<Entry*> Pool::variants() {
  if (variants_.empty())
    for (const Variant variant : {Variant::shifted, Variant::flipped, Variant::heavy, Variant::large}) {
      if (!guards_.on(variant == Variant::heavy ? "heavy" : "variants")) continue;
      const bool taken = std::any_of(task_.inputs.begin(), task_.inputs.end(),
                                     [&](const core::Input& input) { return takes(input, variant); });
      if (taken) variants_.push_back(make(variant, nullptr));
    }
  std::vector<Entry*> entries;
  for (const auto& entry : variants_) entries.push_back(entry.get());
  return entries;
}

}  // namespace hone::judge
