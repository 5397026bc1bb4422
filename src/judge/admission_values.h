#pragma once
// Plain arithmetic on an output's values, for the admission of tasks. Values are doubles whatever the output's type;
// the workbench rounds them back.
#include <cstdint>
#include <vector>

#include "judge/buffers.h"

namespace hone::judge {

std::vector<double> values_of(device::Workbench& bench, const Guarded& buffer);  // of any dtype
void write_values(device::Workbench& bench, const Guarded& buffer, const std::vector<double>& values);

std::vector<double> filled(std::size_t count, double value);
double mean_of(const std::vector<double>& values);
std::vector<double> shuffled(std::vector<double> values, std::uint64_t seed);
double rounded_to_half(double value);
double rounded_to_tf32(double value);

struct Spread {
  double low = 0, high = 0, rms = 0, deviation = 0;
};
Spread spread_of(const std::vector<double>& values);

// Of the lines along an axis, the fraction whose values are all the same within `tolerance`, scaled as errors are.
double constant_lines(const std::vector<double>& values, const std::vector<std::int64_t>& dims, std::size_t axis,
                      double tolerance);

}  // namespace hone::judge
