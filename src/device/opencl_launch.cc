#include "device/opencl_launch.h"

#include <fmt/format.h>

#include <cstring>

namespace hone::device {
namespace {

using Kind = KernelParameter::Kind;
using ArgKind = core::ResolvedArg::Kind;

base::Result<EncodedArg> encode(const core::ResolvedArg& arg, const KernelParameter& parameter) {
  const auto refuse = [&](const std::string& why) {
    return base::Failure{fmt::format("argument '{}' for parameter '{}' ({}): {}", arg.text,
                                     parameter.name, parameter.type, why)};
  };
  EncodedArg encoded{.kind = arg.kind, .buffer = arg.index};
  switch (arg.kind) {
    case ArgKind::tensormap:
      return refuse("tensor maps are CUDA's");
    case ArgKind::buffer:
      if (parameter.kind == Kind::scalar || parameter.kind == Kind::local)
        return refuse("the kernel takes no buffer here");
      encoded.size = sizeof(cl_mem);
      return encoded;
    case ArgKind::local:
      if (parameter.kind == Kind::scalar || parameter.kind == Kind::buffer)
        return refuse("the kernel takes no local buffer here");
      encoded.size = static_cast<std::size_t>(arg.integer);
      return encoded;
    case ArgKind::scalar:
      if (parameter.kind == Kind::buffer || parameter.kind == Kind::local)
        return refuse("the kernel takes a pointer here");
      encoded.size = core::size_of(arg.dtype);
      if (parameter.bytes != 0 && parameter.bytes != encoded.size)
        return refuse(
            fmt::format("it has {} bytes, the kernel takes {}", encoded.size, parameter.bytes));
      encoded.bits = arg.bits;
      return encoded;
    case ArgKind::integer:
      break;
    default:
      return refuse("kernels take buffers and numbers; this is for operations");
  }
  if (parameter.kind == Kind::buffer || parameter.kind == Kind::local)
    return refuse("the kernel takes a pointer here");
  for (std::string_view real : {"float", "double", "half"})
    if (parameter.type == real)
      return refuse("the kernel takes a floating-point number; write it typed, as in f32:0.5");
  // Where the width is not told (a typedef out of sight) eight bytes do: the kernel reads the low
  // ones.
  encoded.size = parameter.bytes == 0 ? 8 : parameter.bytes;
  if (encoded.size > 8) return refuse("an integer cannot be a vector");
  const auto bits = static_cast<int>(8 * encoded.size);
  const bool fits = bits == 64 || (arg.integer >= -(std::int64_t{1} << (bits - 1)) &&
                                   arg.integer < (std::int64_t{1} << bits));
  if (!fits) return refuse(fmt::format("{} does not fit in {} bytes", arg.integer, encoded.size));
  std::memcpy(encoded.bits.data(), &arg.integer, encoded.size);  // two's complement, little-endian
  return encoded;
}

}  // namespace

base::Result<EncodedLaunch> encode_launch(const core::ResolvedLaunch& launch,
                                          const LoadedKernels& kernels) {
  EncodedLaunch encoded{.name =
                            fmt::format("launch {} ('{}')", launch.plan_index + 1, launch.kernel)};
  const auto refuse = [&](const std::string& why) {
    return base::Failure{encoded.name + ": " + why};
  };
  if (launch.shared != 0)
    return refuse("`shared` is CUDA's; OpenCL takes local buffers as arguments (local:BYTES)");
  if (launch.cluster != core::Dim3{0, 0, 0})
    return refuse("`cluster` is CUDA's; OpenCL has no clusters");
  if (launch.cooperative) return refuse("`cooperative` is CUDA's; OpenCL has no grid-wide barrier");
  const auto kernel = kernels.find(launch.kernel);
  if (kernel == kernels.end()) return refuse("the kernel is not loaded");
  encoded.kernel = &kernel->second;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t global = 0;
    if (launch.grid[axis] <= 0 || launch.block[axis] <= 0 ||
        __builtin_mul_overflow(launch.grid[axis], launch.block[axis], &global))
      return refuse(fmt::format("a grid of {} blocks of {} cannot be launched", launch.grid[axis],
                                launch.block[axis]));
    encoded.global[axis] = static_cast<std::size_t>(global);
    encoded.local[axis] = static_cast<std::size_t>(launch.block[axis]);
  }
  const auto& parameters = kernel->second.info.parameters;
  if (launch.args.size() != parameters.size())
    return refuse(fmt::format("the plan gives {} arguments, the kernel takes {}",
                              launch.args.size(), parameters.size()));
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    auto arg = encode(launch.args[index], parameters[index]);
    if (!arg) return refuse(arg.error());
    encoded.args.push_back(*arg);
  }
  return encoded;
}

std::uint64_t local_bytes(const EncodedLaunch& launch) {
  std::uint64_t bytes = 0;
  for (const EncodedArg& arg : launch.args)
    if (arg.kind == ArgKind::local && __builtin_add_overflow(bytes, arg.size, &bytes))
      return ~std::uint64_t{0};
  return bytes;
}

}  // namespace hone::device
