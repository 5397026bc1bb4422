#pragma once
// What an OpenCL source says of a kernel without being compiled: vector types, barriers, local
// memory. Counts words, so macros count as they are written. Pure.
#include <string>
#include <string_view>

namespace hone::profile {

struct SourceFeatures {
  int vectors = 0;   // uses of vector types and of vloadN, vstoreN
  int barriers = 0;  // calls
  int locals = 0;    // uses of __local
};
// Of the kernel's own text and of everything outside kernels, which it may call.
SourceFeatures features_of(std::string_view source, std::string_view kernel);

}  // namespace hone::profile
