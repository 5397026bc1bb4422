#pragma once
// Arithmetic on the values of tensors, for the admission of tasks (admission_case.h). Values are
// doubles whatever the tensor's type; write_values converts them back. Only the first two functions
// touch the device; the rest is pure.
#include <cstdint>
#include <vector>

#include "judge/buffers.h"

namespace hone::judge {

std::vector<double> values_of(device::TensorOps& ops, const Guarded& buffer);
void write_values(device::TensorOps& ops, const Guarded& buffer, const std::vector<double>& values);

std::vector<double> filled(std::size_t count, double value);
double mean_of(const std::vector<double>& values);
std::vector<double> shuffled(std::vector<double> values, std::uint64_t seed);
double rounded_to_half(double value);
double rounded_to_tf32(double value);

struct Spread {
  double low = 0, high = 0, rms = 0, deviation = 0;
};
Spread spread_of(const std::vector<double>& values);

// The fraction of the lines along an axis in which all values equal the first within `tolerance`;
// differences are scaled as errors are.
double constant_lines(const std::vector<double>& values, const std::vector<std::int64_t>& dims,
                      std::size_t axis, double tolerance);

}  // namespace hone::judge
