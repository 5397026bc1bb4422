#include "judge/admission_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

namespace hone::judge {

using core::DType;

namespace {

template <typename T>
std::vector<double> read_as(device::TensorOps& ops, const Guarded& buffer) {
  std::vector<T> raw(buffer.data.bytes / sizeof(T));
  ops.read(buffer.data, raw.data());
  return std::vector<double>(raw.begin(), raw.end());
}

}  // namespace

// The two types of nearly all tensors are converted whole.
std::vector<double> values_of(device::TensorOps& ops, const Guarded& buffer) {
  const DType dtype = buffer.shape.dtype;
  if (dtype == DType::f64) return read_as<double>(ops, buffer);
  if (dtype == DType::f32) return read_as<float>(ops, buffer);
  std::vector<unsigned char> raw(buffer.data.bytes);
  ops.read(buffer.data, raw.data());
  const std::size_t size = core::size_of(dtype);
  std::vector<double> values(raw.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = core::is_float(dtype)
                    ? core::load_as_double(dtype, raw.data() + i * size)
                    : static_cast<double>(core::load_as_integer(dtype, raw.data() + i * size));
  return values;
}

void write_values(device::TensorOps& ops, const Guarded& buffer,
                  const std::vector<double>& values) {
  const DType dtype = buffer.shape.dtype;
  if (dtype == DType::f32) {
    const std::vector<float> narrow(values.begin(), values.end());
    return ops.write(buffer.data, narrow.data());
  }
  const std::size_t size = core::size_of(dtype);
  std::vector<unsigned char> raw(buffer.data.bytes);
  for (std::size_t i = 0; i < values.size(); ++i)
    core::store_double(dtype, values[i], raw.data() + i * size);
  ops.write(buffer.data, raw.data());
}

std::vector<double> filled(std::size_t count, double value) {
  return std::vector<double>(count, value);
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

std::vector<double> shuffled(std::vector<double> values, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

double rounded_to_half(double value) { return core::half_to_float(core::half_from_double(value)); }

// To nearest, ties away from zero, as conversions to TF32 do (cvt.rna.tf32).
double rounded_to_tf32(double value) {
  constexpr std::uint32_t dropped = 13;            // of the 23 bits of the mantissa: TF32 has 10
  constexpr std::uint32_t exponent = 0x7f800000u;  // all ones: not finite
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if ((bits & exponent) == exponent) return value;
  return std::bit_cast<float>((bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1));
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  Spread spread{values[0], values[0], 0, 0};
  const double mean = mean_of(values);
  double squares = 0, deviations = 0;
  for (const double value : values) {
    spread.low = std::min(spread.low, value);
    spread.high = std::max(spread.high, value);
    squares += value * value;
    deviations += (value - mean) * (value - mean);
  }
  spread.rms = std::sqrt(squares / static_cast<double>(values.size()));
  spread.deviation = std::sqrt(deviations / static_cast<double>(values.size()));
  return spread;
}

// The share of lines along one axis whose values are all the same: where that is large, an answer
// needs to be computed once a line only.
double constant_lines(const std::vector<double>& values, const std::vector<std::int64_t>& dims,
                      std::size_t axis, double tolerance) {
  std::size_t stride = 1;
  for (std::size_t d = axis + 1; d < dims.size(); ++d) stride *= static_cast<std::size_t>(dims[d]);
  const auto length = static_cast<std::size_t>(dims[axis]);
  const double rms = spread_of(values).rms;
  std::size_t lines = 0, constant = 0;
  for (std::size_t outer = 0; outer + stride * length <= values.size(); outer += stride * length)
    for (std::size_t inner = 0; inner < stride; ++inner, ++lines) {
      const double first = values[outer + inner];
      bool same = true;
      for (std::size_t i = 1; i < length && same; ++i) {
        const double value = values[outer + inner + i * stride];
        same = std::abs(value - first) <= tolerance * std::max(std::abs(first), rms);
      }
      constant += same ? 1 : 0;
    }
  return lines == 0 ? 0 : static_cast<double>(constant) / static_cast<double>(lines);
}

}  // namespace hone::judge
