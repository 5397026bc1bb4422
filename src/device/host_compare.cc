#include "device/host_compare.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "device/host_convert.h"
#include "device/host_threads.h"

namespace hone::device {
namespace {

using core::DType;

constexpr std::uint64_t piece = 1 << 16;  // elements, or words of a fingerprint, that are summed up on their own

// ---- fingerprints

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {  // both halves of the product, as wyhash mixes
  __extension__ using Product = unsigned __int128;
  const Product product = Product{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t word_at(const unsigned char* in) {
  std::uint64_t word;
  std::memcpy(&word, in, sizeof word);
  return word;
}

std::uint64_t fingerprint_piece(const unsigned char* in, std::uint64_t bytes, std::uint64_t key, std::uint64_t index) {
  constexpr int lanes = 4, step = 16 * lanes;
  std::uint64_t state[lanes], secret[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    secret[lane] = fold(key ^ 0xa0761d6478bd642full, 0xe7037ed1a0b428dbull + 2 * static_cast<std::uint64_t>(lane));
    state[lane] = fold(secret[lane] ^ index, 0x8ebc6af09c88c6e3ull ^ key);
  }
  std::uint64_t at = 0;
  for (; at + step <= bytes; at += step)
    for (int lane = 0; lane < lanes; ++lane)
      state[lane] = fold(word_at(in + at + 16 * lane) ^ secret[lane], word_at(in + at + 16 * lane + 8) ^ state[lane]);
  unsigned char tail[step] = {};
  if (at < bytes) std::memcpy(tail, in + at, bytes - at);
  std::uint64_t result = bytes;
  for (int lane = 0; lane < lanes; ++lane) {
    state[lane] = fold(word_at(tail + 16 * lane) ^ secret[lane], word_at(tail + 16 * lane + 8) ^ state[lane]);
    result = fold(result ^ state[lane], secret[lane] ^ 0x589965cc75374cc3ull);
  }
  return result;
}

// ---- distance

template <DType dtype>
double load(const unsigned char* in, std::uint64_t index) {
  if constexpr (dtype == DType::f64) return reinterpret_cast<const double*>(in)[index];
  if constexpr (dtype == DType::f32) return reinterpret_cast<const float*>(in)[index];
  if constexpr (dtype == DType::f16) return float_from_half(reinterpret_cast<const std::uint16_t*>(in)[index]);
  return float_from_bf16(reinterpret_cast<const std::uint16_t*>(in)[index]);
}

struct Part {
  double sum = 0, max = -1;  // max -1: nothing compared
  std::int64_t compared = 0, first_bad = -1, bad = 0, nonfinite = 0;
};

constexpr int lanes = 8;

// How the error of one finite element is scaled. An output that should be all zeros has no scale: any other value is
// then infinitely wrong.
inline double scaled(double error, double truth, double scale) {
  return error / std::max(std::max(std::fabs(truth), scale), std::numeric_limits<double>::min());
}

// All elements within the limit and finite: the usual case, and vectorised. Otherwise false, and careful_part looks
// again.
template <DType dtype>
bool quick_part(const unsigned char* actual, const double* expected, std::uint64_t begin, std::uint64_t end,
                double scale, double limit, Part& part) {
  double sum[lanes] = {}, max[lanes] = {};
  std::uint64_t within[lanes] = {};
  const std::uint64_t whole = begin + (end - begin) / lanes * lanes;
  for (std::uint64_t at = begin; at < whole; at += lanes)
    for (int lane = 0; lane < lanes; ++lane) {
      const double truth = expected[at + lane],
                   error = scaled(std::fabs(load<dtype>(actual, at + lane) - truth), truth, scale);
      sum[lane] += error * error;
      max[lane] = error > max[lane] ? error : max[lane];
      within[lane] += error <= limit ? 1 : 0;
    }
  std::uint64_t good = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    part.sum += sum[lane];
    part.max = std::max(part.max, max[lane]);
    good += within[lane];
  }
  for (std::uint64_t at = whole; at < end; ++at) {
    const double truth = expected[at], error = scaled(std::fabs(load<dtype>(actual, at) - truth), truth, scale);
    part.sum += error * error;
    part.max = std::max(part.max, error);
    good += error <= limit ? 1 : 0;
  }
  part.compared = static_cast<std::int64_t>(end - begin);
  return good == end - begin;
}

template <DType dtype>
Part careful_part(const unsigned char* actual, const double* expected, std::uint64_t begin, std::uint64_t end,
                  double scale, double limit) {
  Part part;
  for (std::uint64_t at = begin; at < end; ++at) {
    const double value = load<dtype>(actual, at), truth = expected[at];
    bool bad;
    if (std::isfinite(value) && std::isfinite(truth)) {
      const double error = scaled(std::fabs(value - truth), truth, scale);
      part.sum += error * error;
      part.max = std::max(part.max, error);
      ++part.compared;
      bad = !(error <= limit);
    } else {
      bad = !(value == truth || (std::isnan(value) && std::isnan(truth)));  // infinities of one sign are equal
      part.nonfinite += bad ? 1 : 0;
    }
    if (bad && part.bad++ == 0) part.first_bad = static_cast<std::int64_t>(at);
  }
  return part;
}

template <DType dtype>
struct Floats {
  const unsigned char* actual;
  const double* expected;
  Part operator()(std::uint64_t begin, std::uint64_t end, double scale, double limit) const {
    Part part;
    if (quick_part<dtype>(actual, expected, begin, end, scale, limit, part)) return part;
    return careful_part<dtype>(actual, expected, begin, end, scale, limit);
  }
  std::int64_t find(std::uint64_t begin, std::uint64_t end, double scale, double error) const {
    for (std::uint64_t at = begin; at < end; ++at)
      if (scaled(std::fabs(load<dtype>(actual, at) - expected[at]), expected[at], scale) == error)
        return static_cast<std::int64_t>(at);
    return -1;
  }
};

struct Integers {
  const unsigned char* actual;
  DType dtype;
  const std::int64_t* expected;
  double error_at(std::uint64_t at, double scale) const {
    const std::int64_t value = core::load_as_integer(dtype, actual + at * core::size_of(dtype)), truth = expected[at];
    const auto low = static_cast<std::uint64_t>(std::min(value, truth)),
               high = static_cast<std::uint64_t>(std::max(value, truth));
    return scaled(static_cast<double>(high - low), static_cast<double>(truth), scale);
  }
  Part operator()(std::uint64_t begin, std::uint64_t end, double scale, double limit) const {
    Part part{.compared = static_cast<std::int64_t>(end - begin)};
    for (std::uint64_t at = begin; at < end; ++at) {
      const double error = error_at(at, scale);
      part.sum += error * error;
      part.max = std::max(part.max, error);
      if (!(error <= limit) && part.bad++ == 0) part.first_bad = static_cast<std::int64_t>(at);
    }
    return part;
  }
  std::int64_t find(std::uint64_t begin, std::uint64_t end, double scale, double error) const {
    for (std::uint64_t at = begin; at < end; ++at)
      if (error_at(at, scale) == error) return static_cast<std::int64_t>(at);
    return -1;
  }
};

template <typename T>
double scale_of(const T* expected, std::uint64_t elements) {
  struct Sum {
    double squares = 0;
    std::uint64_t finite = 0;
  };
  std::vector<Sum> sums((elements + piece - 1) / piece);
  over_threads(elements, piece, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += piece) {
      const std::uint64_t stop = std::min(at + piece, end), whole = at + (stop - at) / lanes * lanes;
      double squares[lanes] = {}, finite[lanes] = {};
      const auto add = [&](std::uint64_t index, int lane) {
        const auto value = static_cast<double>(expected[index]);
        const bool counts = std::fabs(value) <= std::numeric_limits<double>::max();
        squares[lane] += counts ? value * value : 0.0;
        finite[lane] += counts ? 1.0 : 0.0;
      };
      for (std::uint64_t index = at; index < whole; index += lanes)
        for (int lane = 0; lane < lanes; ++lane) add(index + lane, lane);
      for (std::uint64_t index = whole; index < stop; ++index) add(index, 0);
      for (int lane = 0; lane < lanes; ++lane) {
        sums[at / piece].squares += squares[lane];
        sums[at / piece].finite += static_cast<std::uint64_t>(finite[lane]);
      }
    }
  });
  Sum all;
  for (const Sum& sum : sums) all.squares += sum.squares, all.finite += sum.finite;
  return all.finite == 0 ? 0 : std::sqrt(all.squares / static_cast<double>(all.finite));
}

template <typename Compare>
Distance sum_up(const Compare& compare, std::uint64_t elements, double scale, double limit) {
  std::vector<Part> parts((elements + piece - 1) / piece);
  const double finite_limit =
      std::min(limit, std::numeric_limits<double>::max());  // an infinite error is over any limit
  over_threads(elements, piece, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += piece)
      parts[at / piece] = compare(at, std::min(at + piece, end), scale, finite_limit);
  });
  Distance result{.scale = scale};
  std::int64_t compared = 0, worst_part = -1;
  double sum = 0, max = -1;
  for (std::uint64_t index = 0; index < parts.size(); ++index) {
    const Part& part = parts[index];
    sum += part.sum;
    compared += part.compared;
    result.bad += part.bad;
    result.nonfinite += part.nonfinite;
    if (result.first_bad < 0) result.first_bad = part.first_bad;
    if (part.max > max) max = part.max, worst_part = static_cast<std::int64_t>(index);
  }
  if (worst_part >= 0) {
    const std::uint64_t begin = static_cast<std::uint64_t>(worst_part) * piece;
    result.worst = compare.find(begin, std::min(begin + piece, elements), scale, max);
    result.max = max;
  }
  if (compared > 0) result.rms = std::sqrt(sum / static_cast<double>(compared));
  return result;
}

template <DType dtype>
Distance float_distance(const unsigned char* actual, const unsigned char* expected, std::uint64_t elements,
                        double limit) {
  const auto* truth = reinterpret_cast<const double*>(expected);
  return sum_up(Floats<dtype>{actual, truth}, elements, scale_of(truth, elements), limit);
}

}  // namespace

std::uint64_t fingerprint_of(const unsigned char* in, std::uint64_t bytes, std::uint64_t key) {
  constexpr std::uint64_t size = piece * 8;
  std::vector<std::uint64_t> prints((bytes + size - 1) / size);
  over_threads(bytes, size, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += size)
      prints[at / size] = fingerprint_piece(in + at, std::min(size, end - at), key, at / size);
  });
  return fingerprint_piece(reinterpret_cast<const unsigned char*>(prints.data()), prints.size() * 8, ~key, bytes);
}

Distance distance_between(const unsigned char* actual, DType dtype, const unsigned char* expected,
                          std::uint64_t elements, double limit) {
  switch (dtype) {
    case DType::f64:
      return float_distance<DType::f64>(actual, expected, elements, limit);
    case DType::f32:
      return float_distance<DType::f32>(actual, expected, elements, limit);
    case DType::f16:
      return float_distance<DType::f16>(actual, expected, elements, limit);
    case DType::bf16:
      return float_distance<DType::bf16>(actual, expected, elements, limit);
    default:
      break;
  }
  const auto* truth = reinterpret_cast<const std::int64_t*>(expected);
  return sum_up(Integers{actual, dtype, truth}, elements, scale_of(truth, elements), limit);
}

void round_elements(const unsigned char* from, unsigned char* to, DType dtype, std::uint64_t elements) {
  const auto* reals = reinterpret_cast<const double*>(from);
  auto* narrow = reinterpret_cast<std::uint16_t*>(to);
  over_threads(elements, piece, [&](std::uint64_t begin, std::uint64_t end) {
    switch (dtype) {
      case DType::f64:
        std::memcpy(to + 8 * begin, from + 8 * begin, 8 * (end - begin));
        return;
      case DType::f32:
        for (std::uint64_t i = begin; i < end; ++i) reinterpret_cast<float*>(to)[i] = static_cast<float>(reals[i]);
        return;
      case DType::f16:
        for (std::uint64_t i = begin; i < end; ++i) narrow[i] = half_from_float(float_to_odd(reals[i]));
        return;
      case DType::bf16:
        for (std::uint64_t i = begin; i < end; ++i) narrow[i] = bf16_from_float(float_to_odd(reals[i]));
        return;
      default:
        for (std::uint64_t i = begin; i < end; ++i) {
          const double wide = static_cast<double>(reinterpret_cast<const std::int64_t*>(from)[i]);
          dtype == DType::i64 ? void(std::memcpy(to + 8 * i, from + 8 * i, 8))
                              : core::store_double(dtype, wide, to + i * core::size_of(dtype));
        }
    }
  });
}

}  // namespace hone::device
