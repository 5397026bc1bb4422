#pragma once
// Classes of precision: problems given as a torch module are solved in one or several of them, and
// each is beside torch's time in the same class. Pure functions.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/task.h"

namespace hone::core {

inline constexpr std::array<std::string_view, 3> precision_classes = {"fp32", "tf32", "protocol"};
inline bool is_precision_class(std::string_view name) {
  return std::find(precision_classes.begin(), precision_classes.end(), name) !=
         precision_classes.end();
}
// Torch modules have them that bring no check of their own; functions have none.
inline bool has_classes(const Task& task) {
  return task.reference_py && !task.own_check && !task.function;
}
// Whether candidates may compute in any precision whose results the tolerance takes: problems with
// a check of their own ask for no more than it does, and a task with a function as its reference
// may say so.
inline bool any_precision(const Task& task) {
  return task.own_check.has_value() || (task.function && task.function->any_precision);
}

}  // namespace hone::core
