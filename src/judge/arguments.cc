#include "judge/arguments.h"

#include <fmt/format.h>

namespace hone::judge {
namespace {

using core::ResolvedArg;
using device::KernelParameter;

constexpr std::uint64_t pointer_bytes = 8, tensor_map_bytes = 128;

std::string_view kind_name(ResolvedArg::Kind kind) {
  switch (kind) {
    case ResolvedArg::Kind::buffer:
      return "a buffer";
    case ResolvedArg::Kind::tensormap:
      return "a tensor map";
    case ResolvedArg::Kind::local:
      return "a local buffer";
    default:
      return "a scalar";
  }
}

std::uint64_t width_of(const ResolvedArg& arg) {
  switch (arg.kind) {
    case ResolvedArg::Kind::buffer:
      return pointer_bytes;
    case ResolvedArg::Kind::tensormap:
      return tensor_map_bytes;
    case ResolvedArg::Kind::scalar:
      return core::size_of(arg.dtype);
    default:
      return 0;  // an integer takes the width of the kernel's parameter; a local buffer has none
  }
}

KernelParameter::Kind wanted_kind(ResolvedArg::Kind kind) {
  switch (kind) {
    case ResolvedArg::Kind::buffer:
      return KernelParameter::Kind::buffer;
    case ResolvedArg::Kind::local:
      return KernelParameter::Kind::local;
    default:
      return KernelParameter::Kind::scalar;
  }
}

bool integer_fits(std::int64_t value, std::uint64_t bytes) {
  if (bytes >= 8) return true;
  const std::int64_t bound =
      std::int64_t{1} << (8 * bytes);  // the device does not report signedness: both are allowed
  return value >= -bound / 2 && value < bound;
}

std::string parameter_text(const KernelParameter& parameter, std::size_t index) {
  std::string text = fmt::format("parameter {}", index + 1);
  if (!parameter.type.empty() || !parameter.name.empty())
    text +=
        fmt::format(" ({}{}{})", parameter.type, parameter.name.empty() ? "" : " ", parameter.name);
  return text;
}

// Known for built-in types only: a typedef may be either.
enum class Number { unknown, integer, real };
Number number_of(std::string_view type) {
  for (const std::string_view name : {"float", "double", "half"})
    if (type == name) return Number::real;
  for (const std::string_view name :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "size_t",
        "unsigned int", "unsigned long", "unsigned char", "unsigned short"})
    if (type == name) return Number::integer;
  return Number::unknown;
}

std::string integer_mismatch(const ResolvedArg& arg, const KernelParameter& parameter,
                             std::size_t index) {
  if (parameter.bytes != 1 && parameter.bytes != 2 && parameter.bytes != 4 && parameter.bytes != 8)
    return fmt::format("\"{}\" is an integer, but {} of the kernel is {} bytes wide", arg.text,
                       parameter_text(parameter, index), parameter.bytes);
  if (parameter.type == "float" || parameter.type == "double")
    return fmt::format("\"{}\" is an integer, but {} of the kernel is a {}; write \"{}:{}\"",
                       arg.text, parameter_text(parameter, index), parameter.type,
                       parameter.type == "float" ? "f32" : "f64", arg.text);
  if (!integer_fits(arg.integer, parameter.bytes))
    return fmt::format("{} does not fit in the {} bytes of {}", arg.integer, parameter.bytes,
                       parameter_text(parameter, index));
  return "";
}

// What is wrong with the argument as a sentence; "" if it matches.
std::string mismatch(const ResolvedArg& arg, const KernelParameter& parameter, std::size_t index) {
  if (parameter.kind != KernelParameter::Kind::unknown && parameter.kind != wanted_kind(arg.kind))
    return fmt::format("\"{}\" is {}, but {} of the kernel is not", arg.text, kind_name(arg.kind),
                       parameter_text(parameter, index));
  if (parameter.bytes == 0) return "";  // the device does not report it
  if (arg.kind == ResolvedArg::Kind::integer) return integer_mismatch(arg, parameter, index);
  const std::uint64_t width = width_of(arg);
  if (width != 0 && width != parameter.bytes)
    return fmt::format("\"{}\" is {} bytes wide ({}), but {} of the kernel is {} bytes wide",
                       arg.text, width, kind_name(arg.kind), parameter_text(parameter, index),
                       parameter.bytes);
  const Number wanted = number_of(parameter.type);
  const bool other_number =
      wanted != Number::unknown && (wanted == Number::real) != core::is_float(arg.dtype);
  if (arg.kind == ResolvedArg::Kind::scalar && other_number)
    return fmt::format("\"{}\" is {}, but {} of the kernel is not", arg.text,
                       core::is_float(arg.dtype) ? "a floating-point number" : "an integer",
                       parameter_text(parameter, index));
  return "";
}

}  // namespace

std::vector<base::Diagnostic> match_arguments(const core::Candidate& candidate,
                                              const core::ResolvedPlan& plan,
                                              const std::vector<device::KernelInfo>& kernels) {
  std::vector<base::Diagnostic> problems;
  int last_index = -1;  // of the plan: launches that come from one `repeat` differ in values only,
                        // so one is checked
  for (const auto& launch : plan.launches) {
    if (launch.plan_index == last_index || launch.is_operation)
      continue;  // torch checks operations itself
    last_index = launch.plan_index;
    const auto& written = candidate.plan.launches[static_cast<std::size_t>(launch.plan_index)];
    const device::KernelInfo* kernel = nullptr;
    for (const auto& known : kernels)
      if (known.name == launch.kernel) kernel = &known;
    if (kernel == nullptr) {
      problems.push_back({candidate.name, written.at,
                          fmt::format("there is no kernel '{}' in the source", launch.kernel)});
      continue;
    }
    if (launch.args.size() != kernel->parameters.size()) {
      problems.push_back(
          {candidate.name, written.at,
           fmt::format("the kernel {} takes {} arguments, the plan gives it {}", launch.kernel,
                       kernel->parameters.size(), launch.args.size())});
      continue;
    }
    for (std::size_t i = 0; i < launch.args.size(); ++i)
      if (const std::string problem = mismatch(launch.args[i], kernel->parameters[i], i);
          !problem.empty())
        problems.push_back({candidate.name, written.args[i].at,
                            fmt::format("launch of {}: {}", launch.kernel, problem)});
  }
  return problems;
}

}  // namespace hone::judge
