#pragma once
// The statistics of the clock. Pure functions; distribution-free where that is possible.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/fields_fwd.h"
#include "core/evaluation.h"

namespace hone::core {

double median(std::span<const double> values);
double geometric_mean(std::span<const double> values);
// 95 % interval on the median by order statistics. With fewer than 6 samples: the whole range.
Interval median_interval(std::span<const double> values);
// 95 % interval on the mean by Student's t.
Interval mean_interval(std::span<const double> values);
double student_t_975(std::int64_t degrees);
double student_t_995(std::int64_t degrees);
double student_t_999(std::int64_t degrees);

enum class Comparison : std::uint8_t { faster, slower, same, cannot_tell };
std::string_view name_of(Comparison comparison);
void describe(base::Fields& fields, Comparison& comparison);
// "B is faster than A", "B takes the same time as A", "it cannot be told whether B is faster than A
// (...)", with what may tell.
std::string sentence(Comparison comparison, std::string_view b, std::string_view a);

// The word for an interval on the ratio time(b) / time(a), given the margin.
Comparison word_for(const Interval& ratio, double margin);

}  // namespace hone::core
