#include "core/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace hone::core {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size;
};
constexpr Row rows[] = {{DType::f64, "f64", 8},   {DType::f32, "f32", 4}, {DType::f16, "f16", 2},
                        {DType::bf16, "bf16", 2}, {DType::i64, "i64", 8}, {DType::i32, "i32", 4},
                        {DType::i16, "i16", 2},   {DType::i8, "i8", 1},   {DType::u64, "u64", 8},
                        {DType::u32, "u32", 4},   {DType::u16, "u16", 2}, {DType::u8, "u8", 1}};
const Row& row_of(DType dtype) { return rows[static_cast<std::size_t>(dtype)]; }

template <typename T>
T load(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <typename T>
void store(T value, void* element) {
  std::memcpy(element, &value, sizeof value);
}

template <typename T>
T saturate(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

// Rounds to a format with `mantissa` stored bits and the given exponent range, staying in double:
// exact where representable.
double round_to(double value, int mantissa, int lowest_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), lowest_exponent);
  const double unit = std::ldexp(1.0, exponent - mantissa);
  return std::nearbyint(value / unit) * unit;
}

}  // namespace

std::size_t size_of(DType dtype) { return row_of(dtype).size; }
std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::optional<DType> dtype_from(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}
bool is_float(DType dtype) { return dtype <= DType::bf16; }
bool is_tensor_dtype(DType dtype) {
  return dtype != DType::i16 && dtype != DType::u16 && dtype != DType::u32 && dtype != DType::u64;
}

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu, fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0)
    return std::copysign(std::ldexp(static_cast<float>(fraction), -24),
                         std::bit_cast<float>(sign | 0x3f800000u));
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

std::uint16_t half_from_double(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  const double magnitude = std::fabs(round_to(value, 10, -14));
  if (magnitude > 65504) return sign | 0x7c00;
  if (magnitude < std::ldexp(1.0, -14))
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::ldexp(magnitude, 24)));
  const int exponent = std::ilogb(magnitude);
  const auto fraction = static_cast<std::uint16_t>(std::ldexp(magnitude, 10 - exponent) - 1024);
  return static_cast<std::uint16_t>(sign | ((exponent + 15) << 10) | fraction);
}

float bf16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t bf16_from_double(double value) {
  if (std::isnan(value)) return std::signbit(value) ? 0xffc0 : 0x7fc0;
  const auto rounded = static_cast<float>(round_to(value, 7, -126));
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(rounded) >> 16);
}

double load_as_double(DType dtype, const void* element) {
  switch (dtype) {
    case DType::f64:
      return load<double>(element);
    case DType::f32:
      return load<float>(element);
    case DType::f16:
      return half_to_float(load<std::uint16_t>(element));
    case DType::bf16:
      return bf16_to_float(load<std::uint16_t>(element));
    case DType::u64:
      return static_cast<double>(load<std::uint64_t>(element));
    default:
      return static_cast<double>(load_as_integer(dtype, element));
  }
}

std::int64_t load_as_integer(DType dtype, const void* element) {
  switch (dtype) {
    case DType::i64:
      return load<std::int64_t>(element);
    case DType::i32:
      return load<std::int32_t>(element);
    case DType::i16:
      return load<std::int16_t>(element);
    case DType::i8:
      return load<std::int8_t>(element);
    case DType::u64:
      return static_cast<std::int64_t>(load<std::uint64_t>(element));
    case DType::u32:
      return load<std::uint32_t>(element);
    case DType::u16:
      return load<std::uint16_t>(element);
    case DType::u8:
      return load<std::uint8_t>(element);
    default:
      return 0;
  }
}

void store_double(DType dtype, double value, void* element) {
  switch (dtype) {
    case DType::f64:
      return store(value, element);
    case DType::f32:
      return store(static_cast<float>(value), element);
    case DType::f16:
      return store(half_from_double(value), element);
    case DType::bf16:
      return store(bf16_from_double(value), element);
    case DType::i64:
      return store(saturate<std::int64_t>(value), element);
    case DType::i32:
      return store(saturate<std::int32_t>(value), element);
    case DType::i16:
      return store(saturate<std::int16_t>(value), element);
    case DType::i8:
      return store(saturate<std::int8_t>(value), element);
    case DType::u64:
      return store(saturate<std::uint64_t>(value), element);
    case DType::u32:
      return store(saturate<std::uint32_t>(value), element);
    case DType::u16:
      return store(saturate<std::uint16_t>(value), element);
    case DType::u8:
      return store(saturate<std::uint8_t>(value), element);
  }
}

void store_integer(DType dtype, std::int64_t value, void* element) {
  if (is_float(dtype)) return store_double(dtype, static_cast<double>(value), element);
  std::memcpy(
      element, &value,
      size_of(dtype));  // two's complement, little-endian: the low bytes are the narrower value
}

}  // namespace hone::core
