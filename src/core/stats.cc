#include "core/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hone::core {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

constexpr double z_975 = 1.959963984540054;

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  const auto s = sorted(values);
  const std::size_t middle = s.size() / 2;
  return s.size() % 2 == 1 ? s[middle] : 0.5 * (s[middle - 1] + s[middle]);
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double v : values) sum += std::log(v);
  return std::exp(sum / static_cast<double>(values.size()));
}

Interval median_interval(std::span<const double> values) {
  if (values.empty()) return {};
  const auto s = sorted(values);
  const auto n = static_cast<double>(s.size());
  // Ranks from the binomial distribution with p = 1/2, in its normal approximation; exact enough
  // from 6 samples on.
  const double half = z_975 * std::sqrt(n) / 2;
  const auto low = static_cast<std::int64_t>(std::floor(n / 2 - half)) - 1;
  const auto high = static_cast<std::int64_t>(std::ceil(n / 2 + half));
  const auto last = static_cast<std::int64_t>(s.size()) - 1;
  return {s[static_cast<std::size_t>(std::clamp<std::int64_t>(low, 0, last))],
          s[static_cast<std::size_t>(std::clamp<std::int64_t>(high, 0, last))]};
}

namespace {

double student_t(std::int64_t degrees, std::span<const double> table, double z) {
  if (degrees <= 0) return INFINITY;
  if (degrees <= static_cast<std::int64_t>(table.size()))
    return table[static_cast<std::size_t>(degrees - 1)];
  // Cornish-Fisher expansion: within 0.002 from 16 degrees on, within 0.01 at the quantile 0.999.
  const auto n = static_cast<double>(degrees);
  return z + (z * z * z + z) / (4 * n) +
         (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

}  // namespace

double student_t_975(std::int64_t degrees) {
  static constexpr double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                     2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
  return student_t(degrees, table, z_975);
}

double student_t_995(std::int64_t degrees) {
  static constexpr double table[] = {63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355,
                                     3.250,  3.169, 3.106, 3.055, 3.012, 2.977, 2.947};
  return student_t(degrees, table, 2.5758293035489004);
}

double student_t_999(std::int64_t degrees) {
  static constexpr double table[] = {318.309, 22.327, 10.215, 7.173, 5.893, 5.208, 4.785, 4.501,
                                     4.297,   4.144,  4.025,  3.930, 3.852, 3.787, 3.733};
  return student_t(degrees, table, 3.090232306167813);
}

Interval mean_interval(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 2) return {-INFINITY, INFINITY};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double half = student_t_975(static_cast<std::int64_t>(values.size()) - 1) *
                      std::sqrt(squares / (n - 1) / n);
  return {mean - half, mean + half};
}

std::string_view name_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::faster:
      return "faster";
    case Comparison::slower:
      return "slower";
    case Comparison::same:
      return "same";
    default:
      return "cannot tell";
  }
}

std::string sentence(Comparison comparison, std::string_view b, std::string_view a) {
  switch (comparison) {
    case Comparison::faster:
      return fmt::format("{} is faster than {}", b, a);
    case Comparison::slower:
      return fmt::format("{} is slower than {}", b, a);
    case Comparison::same:
      return fmt::format("{} takes the same time as {}", b, a);
    default:
      return fmt::format(
          "it cannot be told whether {} is faster than {} (an idle machine, or `hone compare` with "
          "more --max-seconds or another --margin, may tell)",
          b, a);
  }
}

Comparison word_for(const Interval& ratio, double margin) {
  if (ratio.low >= 1 - margin && ratio.high <= 1 + margin) return Comparison::same;
  if (ratio.high < 1) return Comparison::faster;
  if (ratio.low > 1) return Comparison::slower;
  return Comparison::cannot_tell;
}

}  // namespace hone::core
