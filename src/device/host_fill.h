#pragma once
// Filling host memory: inputs drawn from a seed, random bytes, poison, and looking for changes.
// Plain functions on pointers, spread over the machine's cores; what an element gets depends only
// on the seed and its index. `byte` positions count from the start of the span.
#include <cstdint>

#include "device/tensor_ops.h"

namespace hone::device {

void fill_draw(unsigned char* to, std::uint64_t elements, const DrawRequest& request,
               std::uint64_t seed);
void copy_bytes(const unsigned char* from, unsigned char* to,
                std::uint64_t bytes);  // that do not overlap
void fill_garbage(unsigned char* to, std::uint64_t bytes, std::uint64_t seed);
void fill_poison(unsigned char* to, std::uint64_t bytes, core::DType dtype, std::uint64_t seed);
std::int64_t first_change(const unsigned char* in, std::uint64_t bytes,
                          std::uint64_t seed);  // -1: none

}  // namespace hone::device
