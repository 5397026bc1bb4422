#pragma once
// Classes of precision, in which torch's problems are solved (docs/kernelbench.md).
#include <algorithm>
#include <array>
#include <string_view>

#include "core/task.h"

namespace hone::core {

inline constexpr std::array<std::string_view, 3> precision_classes = {"fp32", "tf32", "protocol"};
inline bool is_precision_class(std::string_view name) {
  return std::find(precision_classes.begin(), precision_classes.end(), name) != precision_classes.end();
}
// Problems of KernelBench's kind have them.
inline bool has_classes(const Task& task) { return task.reference_py && !task.gpumode; }
// Whether candidates may compute in any precision whose results the tolerance takes: problems of GPU MODE ask for no
// more than their own check does.
inline bool any_precision(const Task& task) { return task.gpumode.has_value(); }

}  // namespace hone::core
