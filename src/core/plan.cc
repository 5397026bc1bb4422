#include "core/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::core {

using base::Diagnostic;
using base::Failure;
using base::Position;

const std::vector<std::string> device_symbol_names = {"sm_count", "warp_size", "shared_per_block",
                                                      "l2_bytes", "max_threads"};

base::Bindings device_symbols(std::int64_t sm_count, std::int64_t warp_size,
                              std::int64_t shared_per_block, std::int64_t l2_bytes,
                              std::int64_t max_threads) {
  return {{"sm_count", sm_count},
          {"warp_size", warp_size},
          {"shared_per_block", shared_per_block},
          {"l2_bytes", l2_bytes},
          {"max_threads", max_threads}};
}

bool has_operations(const Plan& plan) {
  return std::any_of(plan.launches.begin(), plan.launches.end(),
                     [](const Launch& one) { return one.is_operation; });
}

std::vector<std::string> kernel_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& launch : plan.launches)
    if (!launch.is_operation && std::find(names.begin(), names.end(), launch.kernel) == names.end())
      names.push_back(launch.kernel);
  return names;
}

Point default_point(const Plan& plan) {
  Point point;
  for (const auto& tunable : plan.tunables) point[tunable.name] = tunable.chosen;
  return point;
}

namespace {

// Most launches one call may make after `repeat`: more is a mistake that would only time the host.
constexpr std::int64_t most_launches = 4096;

// Evaluates expressions for one case and remembers the first failure.
class Resolver {
 public:
  Resolver(const Plan& plan, const Task& task, const Case& which, const Point& point,
           const base::Bindings& device)
      : plan_(plan), task_(task), bindings_(which.bindings) {
    bindings_.insert(device.begin(), device.end());
    bindings_.insert(point.begin(), point.end());
    for (const auto& scalar : task.scalars)
      if (scalar.expression)
        if (const auto value = scalar.expression->evaluate(which.bindings))
          bindings_[scalar.name] = *value;
  }

  base::Result<ResolvedPlan, Diagnostic> run(std::optional<DType> real_outputs) {
    tensors(real_outputs);
    for (const auto& map : plan_.tensormaps) tensormap(map);
    for (std::size_t i = 0; i < plan_.launches.size() && !failure_; ++i)
      launch(plan_.launches[i], static_cast<int>(i));
    if (!failure_ && out_.launches.empty() && !plan_.launches.empty())
      complain({}, "no launch of the plan is for this case: every `when` is false");
    if (failure_) return Failure{*failure_};
    return std::move(out_);
  }

 private:
  void tensors(std::optional<DType> real_outputs) {
    for (const auto& input : task_.inputs)
      add_buffer(input.name, ResolvedBuffer::Role::input, input.dtype, input.shape, {});
    for (const auto& output : task_.outputs) {
      const DType dtype = !real_outputs            ? output.dtype
                          : is_float(output.dtype) ? *real_outputs
                                                   : DType::i64;
      add_buffer(output.name, ResolvedBuffer::Role::output, dtype, output.shape, {});
    }
    for (const auto& scratch : plan_.scratch) {
      std::vector<base::Expr> shape;
      for (const auto& dim : scratch.shape) shape.push_back(dim.expr);
      add_buffer(scratch.name, ResolvedBuffer::Role::scratch, scratch.dtype, shape, scratch.at);
    }
  }

  void add_buffer(const std::string& name, ResolvedBuffer::Role role, DType dtype,
                  const std::vector<base::Expr>& dims, Position at) {
    if (failure_) return;
    const auto shape = shape_of(dims, bindings_);
    if (!shape)
      return complain(at, fmt::format("the shape of '{}' has no value: {}", name, shape.error()));
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(shape->elements, static_cast<std::int64_t>(size_of(dtype)), &bytes))
      return complain(at, fmt::format("'{}' has more than 2^63 bytes", name));
    out_.buffers.push_back({name, role, dtype, shape->dims, static_cast<std::uint64_t>(bytes)});
  }

  void tensormap(const TensorMap& map) {
    if (failure_) return;
    ResolvedTensorMap resolved{map.name,    buffer_index(map.tensor), {},     {},          {},
                               map.swizzle, map.interleave,           map.l2, map.fill_nan};
    const ResolvedBuffer& buffer = out_.buffers[static_cast<std::size_t>(resolved.buffer)];
    resolved.dims = map.shape.empty() ? buffer.dims : positive(map.shape);
    resolved.box = positive(map.box);
    resolved.element_strides = map.element_strides.empty()
                                   ? std::vector<std::int64_t>(resolved.dims.size(), 1)
                                   : positive(map.element_strides);
    if (failure_) return;
    if (resolved.box.size() != resolved.dims.size() ||
        resolved.element_strides.size() != resolved.dims.size())
      return complain(map.at, fmt::format("tensor map '{}': shape, box and element_strides must "
                                          "have as many dimensions as each other ({}, {}, {})",
                                          map.name, resolved.dims.size(), resolved.box.size(),
                                          resolved.element_strides.size()));
    std::int64_t elements = 1;
    for (const auto dim : resolved.dims)
      if (__builtin_mul_overflow(elements, dim, &elements))
        return complain(map.at, "the shape has more than 2^63 elements");
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(buffer.dtype)),
                               &bytes) ||
        static_cast<std::uint64_t>(bytes) > buffer.bytes)
      return complain(map.at, fmt::format("tensor map '{}' covers more elements than '{}' has",
                                          map.name, map.tensor));
    out_.tensormaps.push_back(std::move(resolved));
  }

  void launch(const Launch& launch, int index) {
    if (launch.when && value(*launch.when) == 0) return;
    const std::int64_t times = launch.repeat ? value(*launch.repeat) : 1;
    if (failure_) return;
    if (times < 0 || times + static_cast<std::int64_t>(out_.launches.size()) > most_launches)
      return complain(
          launch.repeat ? launch.repeat->at : launch.at,
          fmt::format("repeat is {}; a call may make up to {} launches", times, most_launches));
    for (std::int64_t i = 0; i < times && !failure_; ++i) {
      if (launch.repeat) bindings_["iteration"] = i;
      once(launch, index);
    }
    bindings_.erase("iteration");
  }

  void once(const Launch& launch, int index) {
    ResolvedLaunch resolved;
    resolved.kernel = launch.kernel;
    resolved.plan_index = index;
    resolved.grid = dim3(launch.grid, "grid");
    resolved.block = dim3(launch.block, "block");
    if (!launch.cluster.empty()) resolved.cluster = dim3(launch.cluster, "cluster");
    if (launch.shared) resolved.shared = value(*launch.shared);
    if (!failure_ && resolved.shared < 0)
      return complain(launch.shared->at, fmt::format("shared is {}", resolved.shared));
    resolved.cooperative = launch.cooperative;
    for (const auto& arg : launch.args) resolved.args.push_back(argument(arg));
    resolved.is_operation = launch.is_operation;
    resolved.tf32 = launch.tf32;
    for (const auto& [name, arg] : launch.words) resolved.words.emplace(name, argument(arg));
    for (const auto& name : launch.out) resolved.out.push_back(buffer_index(name));
    if (!failure_) out_.launches.push_back(std::move(resolved));
  }

  ResolvedArg argument(const Arg& arg) {
    ResolvedArg out;
    out.text = arg.text;
    const auto typed = [&](DType dtype, auto store) {
      out.kind = ResolvedArg::Kind::scalar;
      out.dtype = dtype;
      store(out.bits.data());
    };
    if (const auto* buffer = std::get_if<BufferArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::buffer;
      out.index = buffer_index(buffer->name);
      if (!failure_) view(*buffer, arg, out);
    } else if (const auto* map = std::get_if<TensorMapArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::tensormap;
      for (std::size_t i = 0; i < plan_.tensormaps.size(); ++i)
        if (plan_.tensormaps[i].name == map->name) out.index = static_cast<int>(i);
    } else if (const auto* scalar = std::get_if<ScalarArg>(&arg.value)) {
      for (const auto& known : task_.scalars) {
        if (known.name != scalar->name) continue;
        if (known.expression)
          typed(known.dtype,
                [&](void* bits) { store_integer(known.dtype, bindings_[known.name], bits); });
        else
          typed(known.dtype, [&](void* bits) { store_double(known.dtype, known.value, bits); });
      }
    } else if (const auto* integer = std::get_if<IntegerArg>(&arg.value)) {
      out.integer = value({integer->expr, arg.at});
    } else if (const auto* number = std::get_if<TypedFloatArg>(&arg.value)) {
      typed(number->dtype, [&](void* bits) { store_double(number->dtype, number->value, bits); });
    } else if (const auto* whole = std::get_if<TypedIntegerArg>(&arg.value)) {
      const std::int64_t v = value({whole->expr, arg.at});
      if (!failure_ && !fits(whole->dtype, v))
        complain(arg.at, fmt::format("{} does not fit in {}", v, name_of(whole->dtype)));
      typed(whole->dtype, [&](void* bits) { store_integer(whole->dtype, v, bits); });
    } else if (const auto* local = std::get_if<LocalArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::local;
      out.integer = value({local->bytes, arg.at});
      if (!failure_ && out.integer <= 0)
        complain(arg.at, fmt::format("a local buffer of {} bytes", out.integer));
    } else if (std::holds_alternative<NoneArg>(arg.value)) {
      out.kind = ResolvedArg::Kind::none;
    } else if (const auto* flag = std::get_if<BoolArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::boolean;
      out.integer = flag->value ? 1 : 0;
    } else if (const auto* text = std::get_if<TextArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::text;
      out.word = text->value;
    } else if (const auto* list = std::get_if<ListArg>(&arg.value)) {
      out.kind = ResolvedArg::Kind::list;
      for (const auto& item : list->items) out.items.push_back(argument(item));
    }
    return out;
  }

  // Another shape has as many elements as the buffer's own.
  void view(const BufferArg& written, const Arg& arg, ResolvedArg& out) {
    const ResolvedBuffer& buffer = out_.buffers[static_cast<std::size_t>(out.index)];
    out.transposed = written.transposed;
    out.dims = positive(written.shape);
    if (failure_ || out.dims.empty()) return;
    std::int64_t elements = 1, own = 1;
    for (const auto dim : buffer.dims) own *= dim;
    for (const auto dim : out.dims)
      if (__builtin_mul_overflow(elements, dim, &elements))
        return complain(arg.at, "the shape has more than 2^63 elements");
    if (elements != own)
      complain(arg.at,
               fmt::format("'{}' has {} elements, and this shape {}", written.name, own, elements));
  }

  static bool fits(DType dtype, std::int64_t v) {
    const int bits = static_cast<int>(size_of(dtype)) * 8;
    const bool is_unsigned =
        dtype == DType::u64 || dtype == DType::u32 || dtype == DType::u16 || dtype == DType::u8;
    if (is_unsigned) return v >= 0 && (bits == 64 || v < (std::int64_t{1} << bits));
    return bits == 64 ||
           (v >= -(std::int64_t{1} << (bits - 1)) && v < (std::int64_t{1} << (bits - 1)));
  }

  Dim3 dim3(const std::vector<PlanExpr>& exprs, const char* what) {
    Dim3 dims{1, 1, 1};
    for (std::size_t i = 0; i < exprs.size() && i < 3; ++i) {
      dims[i] = value(exprs[i]);
      if (!failure_ && (dims[i] <= 0 || dims[i] > 0x7fffffff))
        complain(exprs[i].at, fmt::format("{} is {} in this case; it must be from 1 to 2147483647",
                                          what, dims[i]));
    }
    return dims;
  }

  std::vector<std::int64_t> positive(const std::vector<PlanExpr>& exprs) {
    std::vector<std::int64_t> values;
    for (const auto& expr : exprs) {
      values.push_back(value(expr));
      if (!failure_ && values.back() <= 0)
        complain(expr.at,
                 fmt::format("'{}' is {}; it must be at least 1", expr.expr.text(), values.back()));
    }
    return values;
  }

  int buffer_index(const std::string& name) {
    for (std::size_t i = 0; i < out_.buffers.size(); ++i)
      if (out_.buffers[i].name == name) return static_cast<int>(i);
    complain({}, fmt::format("there is no buffer '{}'", name));
    return 0;
  }

  std::int64_t value(const PlanExpr& expr) {
    if (failure_) return 0;
    const auto result = expr.expr.evaluate(bindings_);
    if (result) return *result;
    Position at = expr.at;
    at.column += static_cast<int>(result.error().offset);
    complain(at, fmt::format("'{}': {}", expr.expr.text(), result.error().message));
    return 0;
  }

  void complain(Position at, std::string message) {
    if (!failure_) failure_ = Diagnostic{"", at, std::move(message)};
  }

  const Plan& plan_;
  const Task& task_;
  base::Bindings bindings_;
  ResolvedPlan out_;
  std::optional<Diagnostic> failure_;
};

}  // namespace

base::Result<ResolvedPlan, Diagnostic> resolve(const Plan& plan, const Task& task,
                                               const Case& which, const Point& point,
                                               const base::Bindings& device,
                                               std::optional<DType> real_outputs) {
  return Resolver(plan, task, which, point, device).run(real_outputs);
}

base::Result<const PlanExpr*, Diagnostic> unmet_condition(const Plan& plan, const Point& point,
                                                          const base::Bindings& device) {
  base::Bindings bindings = device;
  bindings.insert(point.begin(), point.end());
  for (const auto& condition : plan.where) {
    const auto holds = condition.expr.evaluate(bindings);
    if (!holds)
      return Failure{Diagnostic{
          "", condition.at, fmt::format("'{}': {}", condition.expr.text(), holds.error().message)}};
    if (*holds == 0) return &condition;
  }
  return nullptr;
}

base::Result<bool, Diagnostic> admits(const Plan& plan, const Point& point,
                                      const base::Bindings& device) {
  const auto unmet = unmet_condition(plan, point, device);
  if (!unmet) return Failure{unmet.error()};
  return *unmet == nullptr;
}

}  // namespace hone::core
