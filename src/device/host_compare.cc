#include "device/host_compare.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "device/host_convert.h"
#include "device/host_threads.h"

namespace hone::device {
namespace {

using core::DType;

constexpr std::uint64_t piece = 1 << 16;  // elements that are summed up on their own

template <DType dtype>
double load(const unsigned char* in, std::uint64_t index) {
  if constexpr (dtype == DType::f64) return reinterpret_cast<const double*>(in)[index];
  if constexpr (dtype == DType::f32) return reinterpret_cast<const float*>(in)[index];
  if constexpr (dtype == DType::f16)
    return float_from_half(reinterpret_cast<const std::uint16_t*>(in)[index]);
  return float_from_bf16(reinterpret_cast<const std::uint16_t*>(in)[index]);
}

struct Part {
  double sum = 0, max = -1;  // max -1: nothing compared
  std::int64_t compared = 0, first_bad = -1, bad = 0, nonfinite = 0;
};

constexpr int lanes = 8;

// How the error of one finite element is scaled. An output that should be all zeros has no scale:
// any other value is then infinitely wrong. A negative scale is added to what was given, as
// torch.allclose has it.
inline double scaled(double error, double value, double truth, double scale) {
  if (scale < 0) return error / (std::fabs(value) - scale);
  return error / std::max(std::max(std::fabs(truth), scale), std::numeric_limits<double>::min());
}

// Two lanes, which is what every x86-64 and every aarch64 has. Written as vectors because compilers
// do not see them in the loop below, which then takes twice as long as reading the memory.
constexpr int width = 2;
using Reals [[gnu::vector_size(16)]] = double;
using Words [[gnu::vector_size(16)]] = std::int64_t;

inline Reals magnitude(Reals values) {  // without the sign
  return reinterpret_cast<Reals>(reinterpret_cast<Words>(values) &
                                 std::numeric_limits<std::int64_t>::max());
}

// All elements within the limit and finite: the usual case. Otherwise false, and careful_part looks
// again.
template <DType dtype>
bool quick_part(const unsigned char* actual, const double* expected, std::uint64_t begin,
                std::uint64_t end, double scale, double limit, Part& part) {
  Reals sum[lanes / width] = {}, max[lanes / width] = {};
  Words within[lanes / width] = {};
  const Reals least = Reals{} + std::max(scale, std::numeric_limits<double>::min());
  const std::uint64_t whole = begin + (end - begin) / lanes * lanes;
  for (std::uint64_t at = begin; at < whole; at += lanes)
    for (int group = 0; group < lanes / width; ++group) {
      const std::uint64_t index = at + static_cast<std::uint64_t>(group * width);
      const Reals value = {load<dtype>(actual, index), load<dtype>(actual, index + 1)};
      const Reals truth = {expected[index], expected[index + 1]}, size = magnitude(truth);
      const Reals error =
          magnitude(value - truth) / (size > least ? size : least);  // as scaled() does
      sum[group] += error * error;
      max[group] = error > max[group] ? error : max[group];
      within[group] -= error <= limit;  // a comparison that holds is -1
    }
  std::uint64_t good = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    part.sum += sum[lane / width][lane % width];
    part.max = std::max(part.max, max[lane / width][lane % width]);
    good += static_cast<std::uint64_t>(within[lane / width][lane % width]);
  }
  for (std::uint64_t at = whole; at < end; ++at) {
    const double value = load<dtype>(actual, at), truth = expected[at];
    const double error = scaled(std::fabs(value - truth), value, truth, scale);
    part.sum += error * error;
    part.max = std::max(part.max, error);
    good += error <= limit ? 1 : 0;
  }
  part.compared = static_cast<std::int64_t>(end - begin);
  return good == end - begin;
}

template <DType dtype>
Part careful_part(const unsigned char* actual, const double* expected, std::uint64_t begin,
                  std::uint64_t end, double scale, double limit) {
  Part part;
  for (std::uint64_t at = begin; at < end; ++at) {
    const double value = load<dtype>(actual, at), truth = expected[at];
    bool bad;
    if (std::isfinite(value) && std::isfinite(truth)) {
      const double error = scaled(std::fabs(value - truth), value, truth, scale);
      part.sum += error * error;
      part.max = std::max(part.max, error);
      ++part.compared;
      bad = !(error <= limit);
    } else {
      bad = !(value == truth ||
              (std::isnan(value) && std::isnan(truth)));  // infinities of one sign are equal
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
    if (scale >= 0 && quick_part<dtype>(actual, expected, begin, end, scale, limit, part))
      return part;
    return careful_part<dtype>(actual, expected, begin, end, scale, limit);
  }
  std::int64_t find(std::uint64_t begin, std::uint64_t end, double scale, double error) const {
    for (std::uint64_t at = begin; at < end; ++at)
      if (const double value = load<dtype>(actual, at);
          scaled(std::fabs(value - expected[at]), value, expected[at], scale) == error)
        return static_cast<std::int64_t>(at);
    return -1;
  }
};

struct Integers {
  const unsigned char* actual;
  DType dtype;
  const std::int64_t* expected;
  double error_at(std::uint64_t at, double scale) const {
    const std::int64_t value = core::load_as_integer(dtype, actual + at * core::size_of(dtype)),
                       truth = expected[at];
    // Unsigned, because the difference of two 64-bit integers may not fit in one; it wraps to the
    // right value.
    const auto low = static_cast<std::uint64_t>(std::min(value, truth)),
               high = static_cast<std::uint64_t>(std::max(value, truth));
    return scaled(static_cast<double>(high - low), static_cast<double>(value),
                  static_cast<double>(truth), scale);
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
// In pieces whose sums are added in order, whatever number of threads there is: the same values
// give the same scale on every machine.
double rms_of_finite(const T* expected, std::uint64_t elements) {
  struct Sum {
    double squares = 0;
    std::uint64_t finite = 0;
  };
  std::vector<Sum> sums((elements + piece - 1) / piece);
  over_threads(elements, piece, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; at += piece) {
      const std::uint64_t stop = std::min(at + piece, end),
                          whole = at + (stop - at) / lanes * lanes;
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

}  // namespace

double scale_of(const unsigned char* expected, DType dtype, std::uint64_t elements) {
  return core::is_float(dtype)
             ? rms_of_finite(reinterpret_cast<const double*>(expected), elements)
             : rms_of_finite(reinterpret_cast<const std::int64_t*>(expected), elements);
}

Distance distance_between(const unsigned char* actual, DType dtype, const unsigned char* expected,
                          std::uint64_t elements, double scale, double limit) {
  const auto* truth = reinterpret_cast<const double*>(expected);
  switch (dtype) {
    case DType::f64:
      return sum_up(Floats<DType::f64>{actual, truth}, elements, scale, limit);
    case DType::f32:
      return sum_up(Floats<DType::f32>{actual, truth}, elements, scale, limit);
    case DType::f16:
      return sum_up(Floats<DType::f16>{actual, truth}, elements, scale, limit);
    case DType::bf16:
      return sum_up(Floats<DType::bf16>{actual, truth}, elements, scale, limit);
    default:
      return sum_up(Integers{actual, dtype, reinterpret_cast<const std::int64_t*>(expected)},
                    elements, scale, limit);
  }
}

void round_elements(const unsigned char* from, unsigned char* to, DType dtype,
                    std::uint64_t elements) {
  const auto* reals = reinterpret_cast<const double*>(from);
  auto* narrow = reinterpret_cast<std::uint16_t*>(to);
  over_threads(elements, piece, [&](std::uint64_t begin, std::uint64_t end) {
    switch (dtype) {
      case DType::f64:
        std::memcpy(to + 8 * begin, from + 8 * begin, 8 * (end - begin));
        return;
      case DType::f32:
        for (std::uint64_t i = begin; i < end; ++i)
          reinterpret_cast<float*>(to)[i] = static_cast<float>(reals[i]);
        return;
      case DType::f16:
        for (std::uint64_t i = begin; i < end; ++i)
          narrow[i] = half_from_float(float_to_odd(reals[i]));
        return;
      case DType::bf16:
        for (std::uint64_t i = begin; i < end; ++i)
          narrow[i] = bf16_from_float(float_to_odd(reals[i]));
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
