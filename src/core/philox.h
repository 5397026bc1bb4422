#pragma once
// Philox4x32-10 (Salmon et al., 2011): random words by position, so that any thread, block or
// device can make any part of a stream. Word n of a stream is philox(seed, stream, n / 4)[n % 4].
// The tensor operations of every backend draw inputs from it, element by element.
#include <array>
#include <cstdint>

namespace hone::core {

// What a draw takes words for. Each is a stream of its own, indexed by the element.
enum PhiloxStream : std::uint32_t {
  philox_values = 0,    // the element's value (normals: a pair of elements shares the pair of words
                        // at their own indices)
  philox_heavy = 1,     // whether the element is one of the few large ones
  philox_low_bits = 2,  // bits beyond the first word's 32, for f64 and wide integers
};

constexpr std::uint32_t philox_multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
constexpr std::uint32_t philox_weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
constexpr int philox_rounds = 10;

constexpr std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint32_t stream,
                                              std::uint64_t counter) {
  std::uint32_t c0 = static_cast<std::uint32_t>(counter),
                c1 = static_cast<std::uint32_t>(counter >> 32), c2 = stream, c3 = 0;
  std::uint32_t k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < philox_rounds; ++round) {
    const std::uint64_t a = std::uint64_t{philox_multiplier[0]} * c0,
                        b = std::uint64_t{philox_multiplier[1]} * c2;
    c0 = static_cast<std::uint32_t>(b >> 32) ^ c1 ^ k0;
    c2 = static_cast<std::uint32_t>(a >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(b);
    c3 = static_cast<std::uint32_t>(a);
    k0 += philox_weyl[0];
    k1 += philox_weyl[1];
  }
  return {c0, c1, c2, c3};
}

}  // namespace hone::core
