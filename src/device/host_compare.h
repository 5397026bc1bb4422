#pragma once
// Reading host memory: fingerprints, the distance between an output and the truth, and rounding.
// Plain functions on pointers, spread over the machine's cores. Sums are made in fixed pieces and
// added in order, so the same bytes give the same figures on any number of cores.
#include <cstdint>

#include "device/tensor_ops.h"

namespace hone::device {

// Keyed and order-sensitive: without the key a candidate cannot choose bytes that keep it.
std::uint64_t fingerprint_of(const unsigned char* in, std::uint64_t bytes, std::uint64_t key);

// `expected` holds f64 for floating-point dtypes and i64 for integers. See Distance in tensor_ops.h
// for what is counted.
double scale_of(const unsigned char* expected, core::DType dtype, std::uint64_t elements);
Distance distance_between(const unsigned char* actual, core::DType dtype,
                          const unsigned char* expected, std::uint64_t elements, double scale,
                          double limit);

void round_elements(const unsigned char* from, unsigned char* to, core::DType dtype,
                    std::uint64_t elements);

}  // namespace hone::device
