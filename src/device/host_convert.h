#pragma once
// Conversions between element types that a compiler can vectorise: no branches, no calls. They give
// the same values as core/dtype.h.
#include <bit>
#include <cmath>
#include <cstdint>

namespace hone::device {

inline std::uint16_t half_from_float(float value) {  // to nearest even
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), sign = bits & 0x80000000u,
                      size = bits ^ sign;
  const std::uint32_t special = size > 0x7f800000u ? 0x7e00u : 0x7c00u;  // NaN, or too large
  const std::uint32_t tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) -
                             0x3f000000u;  // the addition rounds
  const std::uint32_t normal =
      (size + 0xc8000fffu + ((size >> 13) & 1)) >> 13;  // rebias by -112, round
  const std::uint32_t half = size >= 0x47800000u ? special : size < 0x38800000u ? tiny : normal;
  return static_cast<std::uint16_t>(half | (sign >> 16));
}

inline float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const float scaled = std::bit_cast<float>(static_cast<std::uint32_t>(half & 0x7fffu) << 13) *
                       0x1p112f;  // rebias, denormals included
  const std::uint32_t special = (half & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

inline std::uint16_t bf16_from_float(float value) {  // to nearest even
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
  const std::uint32_t nan = (bits >> 16 & 0x8000u) | 0x7fc0u;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

inline float float_from_bf16(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

// Rounds to float so that a second rounding to a narrower type is as good as one: towards zero,
// with the last bit set if inexact.
inline float float_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  bits -= std::fabs(back) > std::fabs(value) ? 1u : 0u;
  bits |= back != value ? 1u : 0u;
  return std::bit_cast<float>(bits);
}

}  // namespace hone::device
