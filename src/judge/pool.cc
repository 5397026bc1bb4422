#include "judge/pool.h"

#include <algorithm>

#include "base/error.h"
#include "core/precision.h"
#include "judge/ends.h"
#include "judge/precision/bounds.h"
#include "judge/python/candidate.h"
#include "judge/since.h"

namespace hone::judge {

using core::DType;
using core::Variant;

namespace {

// Few, so that a candidate that keys its answers on sampled elements misses them; enough to move a
// sum over very many.
constexpr std::uint64_t fewest_changed = 8, most_changed = 1024, one_changed_in = 1 << 16;

std::vector<core::ResolvedBuffer> buffers_of(const core::Task& task, const core::Case& which,
                                             const auto& tensors, core::ResolvedBuffer::Role role) {
  std::vector<core::ResolvedBuffer> buffers;
  for (const auto& tensor : tensors) {
    const auto shape = core::shape_of(tensor.shape, which.bindings);
    if (!shape)
      base::fail(base::ExitCode::bad_input, "task {}, case {}: the shape of {} has no value: {}",
                 task.name, which.name, tensor.name, shape.error());
    buffers.push_back({tensor.name, role, tensor.dtype, shape->dims,
                       static_cast<std::uint64_t>(shape->elements) * core::size_of(tensor.dtype)});
  }
  return buffers;
}

std::vector<std::uint64_t> seeds(Secrets& secrets, std::size_t count) {
  std::vector<std::uint64_t> list;
  while (list.size() < count) list.push_back(secrets.seed());
  return list;
}

bool drawn_by_problem(const core::Input& input) {
  return input.draw.kind == core::DrawKind::problem;
}

std::vector<std::size_t> drawn_by_problem(const core::Task& task) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < task.inputs.size(); ++i)
    if (drawn_by_problem(task.inputs[i])) list.push_back(i);
  return list;
}

}  // namespace

bool takes(const core::Input& input, Variant variant) {
  return variant == Variant::plain ||
         std::find(input.variants.begin(), input.variants.end(), variant) != input.variants.end();
}

bool has_elements_to_change(const core::Input& input) {
  if (input.draw.kind == core::DrawKind::ends) return false;  // each lies between its neighbours
  return !drawn_by_problem(input) || input.draw.independent;
}

TaskShapes task_shapes(const core::Task& task, const core::Case& which) {
  return {buffers_of(task, which, task.inputs, core::ResolvedBuffer::Role::input),
          buffers_of(task, which, task.outputs, core::ResolvedBuffer::Role::output)};
}

device::DrawRequest draw_request(const core::Input& input, const core::Case& which,
                                 Variant variant) {
  device::DrawRequest request{input.dtype,
                              input.draw.kind,
                              input.draw.a,
                              input.draw.b,
                              0,
                              0,
                              takes(input, variant) ? variant : Variant::plain};
  if (input.draw.kind == core::DrawKind::integers) {
    const auto low = input.draw.low.evaluate(which.bindings),
               high = input.draw.high.evaluate(which.bindings);
    if (!low || !high)
      base::fail(base::ExitCode::bad_input, "the bounds of input {} have no value in case {}",
                 input.name, which.name);
    request.low = *low;
    request.high = *high;
  }
  return request;
}

namespace {

void write_ends(const core::Input& input, const core::Case& which, device::TensorOps& ops,
                std::uint64_t seed, const device::Span& to) {
  const auto value = [&](const base::Expr& expr) {
    const auto known = expr.evaluate(which.bindings);
    if (!known)
      base::fail(base::ExitCode::bad_input, "the draw of input {} has no value in case {}",
                 input.name, which.name);
    return *known;
  };
  const auto size = core::size_of(input.dtype);
  const auto ends = draw_ends({static_cast<std::int64_t>(to.bytes / size), value(input.draw.total),
                               value(input.draw.skew), value(input.draw.empty)},
                              seed);
  if (input.dtype == DType::i64) return ops.write(to, ends.data());
  const std::vector<std::int32_t> narrow(ends.begin(), ends.end());
  ops.write(to, narrow.data());
}

}  // namespace

void draw_tensor(const core::Input& input, const core::Case& which, Variant variant,
                 device::TensorOps& ops, std::uint64_t seed, const device::Span& to) {
  if (input.draw.kind == core::DrawKind::ends) return write_ends(input, which, ops, seed, to);
  ops.draw(to, draw_request(input, which, variant), seed);
}

void draw_inputs(const core::Task& task, const core::Case& which, Variant variant,
                 device::TensorOps& ops, Truth& truth, Secrets& secrets, const InputSets& sets) {
  for (const auto* inputs : sets)
    for (std::size_t i = 0; i < inputs->size(); ++i)
      if (!drawn_by_problem(task.inputs[i]))
        draw_tensor(task.inputs[i], which, variant, ops, secrets.seed(), (*inputs)[i].data);
  if (const auto by_problem = drawn_by_problem(task); !by_problem.empty())
    truth.draw(which, seeds(secrets, sets.size()), by_problem, sets, variant);
}

void draw_input(const core::Task& task, const core::Case& which, std::size_t index,
                device::TensorOps& ops, Truth& truth, Secrets& secrets,
                const std::vector<Guarded>& inputs) {
  if (drawn_by_problem(task.inputs[index]))
    truth.draw(which, {secrets.seed()}, {index}, {&inputs});
  else
    draw_tensor(task.inputs[index], which, Variant::plain, ops, secrets.seed(), inputs[index].data);
}

std::uint64_t Pool::entry_bytes(const core::Task& task, const core::Case& which) {
  const auto shapes = task_shapes(task, which);
  // Beside the truth, torch's own results where they decide a class of precision.
  const std::uint64_t results = BufferSet::footprint(expected_shapes(shapes.outputs));
  return BufferSet::footprint(shapes.inputs) + (core::has_classes(task) ? 2 : 1) * results;
}

Pool::Pool(const core::Task& task, const core::Case& which, device::TensorOps& ops, Truth& truth,
           Secrets& secrets, const GuardSet& guards, HonestErrors& honest)
    : task_(task),
      case_(which),
      ops_(ops),
      truth_(truth),
      secrets_(secrets),
      guards_(guards),
      honest_(honest) {}

// In tasks with classes of precision plain arguments are the problem's own draws, since its own
// check is about those. Its weights are not: they are often exactly one or zero, and a kernel could
// tell such inputs from others.
void Pool::draw(Variant variant, const InputSets& sets) {
  draw_inputs(task_, case_, variant, ops_, truth_, secrets_, sets);
  if (variant == Variant::plain && core::has_classes(task_))
    truth_.draw(case_, seeds(secrets_, sets.size()), arguments_of(task_), sets);
}

std::vector<std::unique_ptr<Entry>> Pool::unchecked(std::size_t count) {
  std::vector<std::unique_ptr<Entry>> entries;
  InputSets sets;
  while (entries.size() < count) {
    entries.push_back(std::make_unique<Entry>());
    entries.back()->inputs = std::make_shared<BufferSet>(ops_, task_shapes(task_, case_).inputs);
    sets.push_back(&entries.back()->inputs->all());
  }
  if (count > 0) draw(Variant::plain, sets);
  return entries;
}

std::unique_ptr<Entry> Pool::make(Variant variant, const Entry* like) {
  const auto start = Clock::now();
  auto entry = std::make_unique<Entry>();
  entry->variant = variant;
  entry->inputs = std::make_shared<BufferSet>(ops_, task_shapes(task_, case_).inputs);
  const auto& inputs = entry->inputs->all();
  if (like == nullptr)
    draw(variant, {&inputs});
  else
    draw_like(*like, inputs);
  compute_expected(*entry, like == nullptr && variant == Variant::plain);
  seconds_per_entry_ = since(start);
  return entry;
}

std::unique_ptr<Entry> Pool::with_expected(const Entry& unchecked) {
  auto entry = std::make_unique<Entry>();
  entry->inputs = unchecked.inputs;
  compute_expected(*entry, true);
  return entry;
}

// `own_draw`: the inputs are as the problem draws them.
void Pool::compute_expected(Entry& entry, bool own_draw) {
  const auto shapes = task_shapes(task_, case_);
  entry.expected = std::make_unique<BufferSet>(ops_, expected_shapes(shapes.outputs));
  // Inputs that the judge has changed are shown to the problem's own check only where that check
  // alone decides.
  if (task_.own_check && (!task_.own_check->unique || own_draw))
    entry.official = [this, made = &entry](const std::vector<Guarded>& outputs) {
      return truth_.official_refusal(case_, made->inputs->all(), outputs);
    };
  truth_.compute(case_, DType::f64, entry.inputs->all(), entry.expected->all());
  for (std::size_t i = 0; i < shapes.outputs.size(); ++i)
    entry.scales.push_back(ops_.scale(entry.expected->all()[i].data, shapes.outputs[i].dtype));
  learn_errors(entry, own_draw);
}

// The errors of honest kernels on such inputs: in single precision, and with TF32 where that is a
// class of its own.
void Pool::learn_errors(Entry& entry, bool own_draw) {
  const auto shapes = task_shapes(task_, case_);
  const std::string key = case_.name + "/" + std::to_string(static_cast<int>(entry.variant));
  if (!honest_.contains(key))
    honest_[key] =
        truth_.honest_errors(case_, entry.inputs->all(), shapes.outputs, entry.expected->all());
  entry.honest_rms = honest_[key];
  if (!has_classes(task_)) return;
  // Measured for each entry: a few large elements change it more than anything else.
  const auto errors = [&](const char* precision) {
    return truth_.torch_errors(case_, precision, entry.inputs->all(), shapes.outputs,
                               entry.expected->all());
  };
  entry.tf32 = errors("tf32");
  if (entry.variant == Variant::plain) entry.fp32 = errors("f32");
  if (!own_draw) return;
  entry.eager = std::make_unique<BufferSet>(ops_, expected_shapes(shapes.outputs));
  truth_.by_torch(case_, "default", entry.inputs->all(), entry.eager->all());
}

// The inputs of another entry with a few elements changed. An input whose elements depend on each
// other is replaced by another draw as a whole.
void Pool::draw_like(const Entry& like, const std::vector<Guarded>& inputs) {
  // Larger than the rest where the input may be: an output that ignores the change is then clearly
  // off. Where a narrow precision is allowed that cannot represent such a mixture, plain values are
  // used.
  const bool mixed =
      !core::any_precision(task_) ||
      std::any_of(task_.inputs.begin(), task_.inputs.end(),
                  [](const core::Input& input) { return takes(input, Variant::heavy); });
  std::vector<Variant> values{Variant::plain};
  if (guards_.on(Guard::variants) && mixed) values = {Variant::large};
  // Other signs too: else a kernel could leave out what only they need, such as an absolute value.
  if (guards_.on(Guard::variants) && mixed && guards_.on(Guard::sequence))
    values.push_back(Variant::flipped);
  const auto other =
      other_draw(task_, case_, values[secrets_.below(values.size())], ops_, truth_, secrets_);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool change = has_elements_to_change(task_.inputs[i]);
    const bool another = !change && drawn_by_problem(task_.inputs[i]);
    ops_.copy((another ? *other : *like.inputs).all()[i].data, inputs[i].data);
    if (change) change_elements(task_, case_, i, 0, inputs[i], other.get(), values, ops_, secrets_);
  }
}

std::unique_ptr<BufferSet> other_draw(const core::Task& task, const core::Case& which,
                                      Variant variant, device::TensorOps& ops, Truth& truth,
                                      Secrets& secrets) {
  const auto by_problem = drawn_by_problem(task);
  if (by_problem.empty()) return nullptr;
  auto other = std::make_unique<BufferSet>(ops, task_shapes(task, which).inputs);
  truth.draw(which, {secrets.seed()}, by_problem, {&other->all()}, variant);
  return other;
}

std::uint64_t change_elements(const core::Task& task, const core::Case& which, std::size_t index,
                              std::uint64_t count, const Guarded& buffer, const BufferSet* other,
                              std::span<const Variant> values, device::TensorOps& ops,
                              Secrets& secrets) {
  const core::Input& input = task.inputs[index];
  if (!has_elements_to_change(input)) return 0;
  const std::uint64_t size = core::size_of(buffer.shape.dtype),
                      elements = buffer.shape.bytes / size;
  if (count == 0)
    count = std::min(std::clamp(elements / one_changed_in, fewest_changed, most_changed), elements);
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t at = secrets.below(elements) * size;
    const device::Span element{buffer.data.block, buffer.data.offset + at, size};
    if (!drawn_by_problem(input)) {
      ops.draw(element, draw_request(input, which, values[n % values.size()]), secrets.seed());
      continue;
    }
    const device::Span& from = other->all()[index].data;
    ops.copy({from.block, from.offset + at, size}, element);
  }
  return count;
}

std::vector<Entry*> Pool::plain(std::size_t count) {
  while (plain_.size() < count) {
    const bool perturbed = plain_.size() % 2 == 1 && guards_.on(Guard::perturb);
    plain_.push_back(make(Variant::plain, perturbed ? plain_.back().get() : nullptr));
  }
  std::vector<Entry*> entries;
  for (std::size_t i = 0; i < count; ++i) entries.push_back(plain_[i].get());
  return entries;
}

std::vector<Variant> Pool::variants() const {
  std::vector<Variant> taken;
  for (const Variant variant : {Variant::shifted, Variant::flipped, Variant::heavy, Variant::large})
    if (guards_.on(variant == Variant::heavy ? Guard::heavy : Guard::variants) &&
        std::any_of(task_.inputs.begin(), task_.inputs.end(),
                    [&](const core::Input& input) { return takes(input, variant); }))
      taken.push_back(variant);
  return taken;
}

Entry& Pool::variant(Variant which, bool keep) {
  passing_.reset();
  if (const auto found = variants_.find(which); found != variants_.end()) return *found->second;
  if (keep) return *(variants_[which] = make(which, nullptr));
  passing_ = make(which, nullptr);
  return *passing_;
}

}  // namespace hone::judge
