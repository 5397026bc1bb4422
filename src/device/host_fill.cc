#include "device/host_fill.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/philox.h"
#include "device/host_convert.h"
#include "device/host_threads.h"

namespace hone::device {
namespace {

using core::DType;
using core::Variant;

constexpr std::uint64_t chunk =
    1024;  // elements drawn at a time: everything stays in the first-level cache
constexpr std::uint64_t draw_grain = 64 * chunk;  // elements a thread is worth starting for
constexpr std::uint64_t byte_grain = 1 << 20;     // likewise for plain bytes
constexpr double heavy_share = 0.004, heavy_factor = 100, large_factor = 40,
                 shift_deviations = 3;  // docs/formats.md

struct Words {
  std::uint32_t lane[4][chunk / 4];  // word 4 j + k of the chunk is lane[k][j]
};

// The same as core::philox for a run of counters, lane by lane, so that it is vectorised.
void make_words(std::uint64_t seed, std::uint32_t stream, std::uint64_t counter, Words& out) {
  for (std::uint32_t j = 0; j < chunk / 4; ++j) {
    const auto words = core::philox(seed, stream, counter + j);
    for (int k = 0; k < 4; ++k) out.lane[k][j] = words[k];
  }
}

constexpr float unit24 = 0x1p-24f;

// Two words to two independent normals by Box and Muller. log and sine are short polynomials:
// exactness does not matter here, speed and the same answer every time do.
inline void normal_pair(std::uint32_t radius_word, std::uint32_t angle_word, float& first,
                        float& second) {
  const float u = (static_cast<float>(static_cast<std::int32_t>(radius_word >> 8)) + 0.5f) * unit24;
  const std::int32_t bits = std::bit_cast<std::int32_t>(u) +
                            (0x3f800000 - 0x3f3504f3);  // mantissa into [sqrt(1/2), sqrt(2))
  const auto exponent = static_cast<float>((bits >> 23) - 127);
  const float m = std::bit_cast<float>((bits & 0x007fffff) + 0x3f3504f3);
  const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
  const float log_m =
      2.0f * s * (1.0f + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9)))));
  const float radius = std::sqrt(-2.0f * (exponent * 0.693147181f + log_m));

  constexpr float step = 1.57079633f / 4194304.0f;  // a quarter turn over 2^22
  const float x = (static_cast<float>(static_cast<std::int32_t>((angle_word >> 8) & 0x3fffffu) -
                                      2097152) +
                   0.5f) *
                  step,
              y = x * x;
  const float sine = x * (1.0f + y * (-1.0f / 6 + y * (1.0f / 120 + y * (-1.0f / 5040))));
  const float cosine =
      1.0f + y * (-0.5f + y * (1.0f / 24 + y * (-1.0f / 720 + y * (1.0f / 40320))));
  const std::uint32_t odd = 0u - ((angle_word >> 30) & 1u),
                      flip = angle_word & 0x80000000u;  // which quarter
  const std::uint32_t sb = std::bit_cast<std::uint32_t>(sine),
                      cb = std::bit_cast<std::uint32_t>(cosine);
  first = radius * std::bit_cast<float>(((odd & (sb ^ 0x80000000u)) | (~odd & cb)) ^ flip);
  second = radius * std::bit_cast<float>(((odd & cb) | (~odd & sb)) ^ flip);
}

void normals(const Words& words, float* out) {
  for (std::uint32_t j = 0; j < chunk / 4; ++j) {
    normal_pair(words.lane[0][j], words.lane[1][j], out[4 * j], out[4 * j + 1]);
    normal_pair(words.lane[2][j], words.lane[3][j], out[4 * j + 2], out[4 * j + 3]);
  }
}

void uniforms(const Words& words, float* out) {  // [0, 1)
  for (std::uint32_t j = 0; j < chunk / 4; ++j)
    for (int k = 0; k < 4; ++k)
      out[4 * j + k] =
          static_cast<float>(static_cast<std::int32_t>(words.lane[k][j] >> 8)) * unit24;
}

// Mean and spread as the variant asks, then one factor for all elements.
struct Recipe {
  bool normal = true;
  double start = 0, spread = 1, factor = 1;
  double top = std::numeric_limits<double>::infinity();  // largest uniform value: [low, high) must
                                                         // survive rounding
  bool heavy = false;
};

double below(double high, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return std::nextafter(high, -std::numeric_limits<double>::infinity());
    case DType::f16:
      return high - std::fabs(high) * 0x1p-11 - 0x1p-25;
    case DType::bf16:
      return high - std::fabs(high) * 0x1p-8 - std::numeric_limits<float>::min();
    default:
      return std::nextafter(static_cast<float>(high), -std::numeric_limits<float>::infinity());
  }
}

Recipe recipe_for(const DrawRequest& request) {
  Recipe recipe{.normal = request.kind == core::DrawKind::normal};
  recipe.start = request.a;
  recipe.spread = recipe.normal ? request.b : request.b - request.a;
  const double deviation = recipe.normal ? recipe.spread : recipe.spread / 2;
  if (request.variant == Variant::shifted) recipe.start += shift_deviations * deviation;
  if (!recipe.normal) recipe.top = below(recipe.start + recipe.spread, request.dtype);
  if (request.variant == Variant::flipped) recipe.factor = -1;
  if (request.variant == Variant::large) recipe.factor = large_factor;
  recipe.heavy = request.variant == Variant::heavy;
  return recipe;
}

template <typename Real>
void apply_heavy(std::uint64_t seed, std::uint64_t first, Real* values) {
  constexpr auto threshold = static_cast<std::uint32_t>(heavy_share * 0x1p32);
  Words words;
  make_words(seed, core::philox_heavy, first / 4, words);
  for (std::uint32_t j = 0; j < chunk / 4; ++j)
    for (int k = 0; k < 4; ++k)
      values[4 * j + k] *= words.lane[k][j] < threshold ? static_cast<Real>(heavy_factor) : Real{1};
}

template <typename Real>
void real_chunk(const Recipe& recipe, std::uint64_t seed, std::uint64_t first, Real* values) {
  Words words;
  float base[chunk];
  make_words(seed, core::philox_values, first / 4, words);
  recipe.normal ? normals(words, base) : uniforms(words, base);
  for (std::uint32_t i = 0; i < chunk; ++i) values[i] = base[i];
  if constexpr (sizeof(Real) ==
                8) {  // a double with only a float's bits would hide kernels that compute in float
    make_words(seed, core::philox_low_bits, first / 4, words);
    for (std::uint32_t j = 0; j < chunk / 4; ++j)
      for (int k = 0; k < 4; ++k) values[4 * j + k] += words.lane[k][j] * 0x1p-56;
  }
  const auto start = static_cast<Real>(recipe.start), spread = static_cast<Real>(recipe.spread),
             factor = static_cast<Real>(recipe.factor);
  const auto top = static_cast<Real>(recipe.top);
  for (std::uint32_t i = 0; i < chunk; ++i) {
    const Real value = start + spread * values[i];
    values[i] = (value < top ? value : top) * factor;
  }
  if (recipe.heavy) apply_heavy(seed, first, values);
}

void store_floats(const float* values, std::uint64_t count, DType dtype, unsigned char* to) {
  auto* narrow = reinterpret_cast<std::uint16_t*>(to);
  switch (dtype) {
    case DType::f32:
      std::memcpy(to, values, count * sizeof(float));
      return;
    case DType::f16:
      for (std::uint64_t i = 0; i < count; ++i) narrow[i] = half_from_float(values[i]);
      return;
    case DType::bf16:
      for (std::uint64_t i = 0; i < count; ++i) narrow[i] = bf16_from_float(values[i]);
      return;
    default:
      for (std::uint64_t i = 0; i < count; ++i)
        core::store_double(dtype, values[i], to + i * core::size_of(dtype));
  }
}

template <typename T>
void store_as(const std::int64_t* values, std::uint64_t count, unsigned char* to) {
  auto* out = reinterpret_cast<T*>(to);
  for (std::uint64_t i = 0; i < count; ++i) out[i] = static_cast<T>(values[i]);
}

void store_integers(const std::int64_t* values, std::uint64_t count, DType dtype,
                    unsigned char* to) {
  switch (dtype) {
    case DType::f64:
      return store_as<double>(values, count, to);
    case DType::f32:
      return store_as<float>(values, count, to);
    case DType::i64:
      return store_as<std::int64_t>(values, count, to);
    case DType::i32:
      return store_as<std::int32_t>(values, count, to);
    case DType::i8:
    case DType::u8:
      return store_as<std::uint8_t>(values, count, to);
    default:
      for (std::uint64_t i = 0; i < count; ++i)
        core::store_integer(dtype, values[i], to + i * core::size_of(dtype));
  }
}

void integer_chunk(std::int64_t low, std::int64_t high, std::uint64_t seed, std::uint64_t first,
                   std::int64_t* values) {
  const std::uint64_t range =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;  // 0: all of them
  Words words;
  make_words(seed, core::philox_values, first / 4, words);
  const auto base = static_cast<std::uint64_t>(low);
  if (range != 0 && range <= (std::uint64_t{1} << 32)) {
    for (std::uint32_t j = 0; j < chunk / 4; ++j)
      for (int k = 0; k < 4; ++k)
        values[4 * j + k] = static_cast<std::int64_t>(base + (words.lane[k][j] * range >> 32));
    return;
  }
  Words more;
  make_words(seed, core::philox_low_bits, first / 4, more);
  for (std::uint32_t j = 0; j < chunk / 4; ++j)
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t wide = std::uint64_t{words.lane[k][j]} << 32 | more.lane[k][j];
      __extension__ using Product = unsigned __int128;
      values[4 * j + k] = static_cast<std::int64_t>(
          base + (range == 0 ? wide : static_cast<std::uint64_t>(Product{wide} * range >> 64)));
    }
}

// One multiply-xor chain per word (the finaliser of splitmix64): random enough to be no candidate's
// guess, and as fast as memory.
inline std::uint64_t garbage_word(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Bits that make any random word hold NaNs only: exponent and quiet bit of every element.
std::uint64_t nan_bits(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 0x7ff8000000000000ull;
    case DType::f32:
      return 0x7fc000007fc00000ull;
    case DType::f16:
      return 0x7e007e007e007e00ull;
    case DType::bf16:
      return 0x7fc07fc07fc07fc0ull;
    default:
      return 0;
  }
}

void fill_words(unsigned char* to, std::uint64_t bytes, std::uint64_t seed, std::uint64_t set,
                std::uint64_t first_byte) {
  const std::uint64_t first = first_byte / 8, whole = bytes / 8;
  for (std::uint64_t i = 0; i < whole; ++i) {
    const std::uint64_t word = garbage_word(seed, first + i) | set;
    std::memcpy(to + 8 * i, &word, 8);
  }
  const std::uint64_t tail = garbage_word(seed, first + whole) | set;
  std::memcpy(to + 8 * whole, &tail, bytes % 8);
}

}  // namespace

void fill_draw(unsigned char* to, std::uint64_t elements, const DrawRequest& request,
               std::uint64_t seed) {
  const std::uint64_t size = core::size_of(request.dtype);
  const Recipe recipe = recipe_for(request);
  over_threads(elements, draw_grain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += chunk) {
      const std::uint64_t count = std::min(chunk, end - at);
      unsigned char* place = to + at * size;
      if (request.kind == core::DrawKind::integers) {
        std::int64_t values[chunk];
        integer_chunk(request.low, request.high, seed, at, values);
        store_integers(values, count, request.dtype, place);
      } else if (request.dtype == DType::f64) {
        double values[chunk];
        real_chunk(recipe, seed, at, values);
        std::memcpy(place, values, count * sizeof(double));
      } else {
        float values[chunk];
        real_chunk(recipe, seed, at, values);
        store_floats(values, count, request.dtype, place);
      }
    }
  });
}

void copy_bytes(const unsigned char* from, unsigned char* to, std::uint64_t bytes) {
  over_threads(bytes, byte_grain, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

void fill_garbage(unsigned char* to, std::uint64_t bytes, std::uint64_t seed) {
  over_threads(bytes, byte_grain, [&](std::uint64_t begin, std::uint64_t end) {
    fill_words(to + begin, end - begin, seed, 0, begin);
  });
}

void fill_poison(unsigned char* to, std::uint64_t bytes, core::DType dtype, std::uint64_t seed) {
  const std::uint64_t set = nan_bits(dtype);
  over_threads(bytes, byte_grain, [&](std::uint64_t begin, std::uint64_t end) {
    fill_words(to + begin, end - begin, seed, set, begin);
  });
}

std::int64_t first_change(const unsigned char* in, std::uint64_t bytes, std::uint64_t seed) {
  constexpr std::uint64_t none = ~std::uint64_t{0}, piece = 4096;
  std::atomic<std::uint64_t> found{none};
  over_threads(bytes, byte_grain, [&](std::uint64_t begin, std::uint64_t end) {
    unsigned char expected[piece], seen[piece];
    for (std::uint64_t at = begin; at < end && at < found; at += piece) {
      const std::uint64_t count = std::min(piece, end - at);
      fill_words(expected, count, seed, 0, at);
      std::memcpy(seen, in + at, count);  // a hostile runner may be writing: look once
      if (std::memcmp(seen, expected, count) == 0) continue;
      const std::uint64_t offset =
          at + static_cast<std::uint64_t>(std::mismatch(seen, seen + count, expected).first - seen);
      std::uint64_t known = found;
      while (offset < known && !found.compare_exchange_weak(known, offset)) {
      }
      return;
    }
  });
  return found == none ? -1 : static_cast<std::int64_t>(found.load());
}

}  // namespace hone::device
