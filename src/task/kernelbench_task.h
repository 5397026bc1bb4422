#pragma once
// What a task with a torch module and no check of its own is: a problem of KernelBench, or one in
// its form. This is the one place that names it for the modules below the command line.
#include <string_view>

#include "core/task.h"

namespace hone::task {

constexpr std::string_view kernelbench_name = "KernelBench";  // as texts for users have it

inline void set_kernelbench(core::Task& task) {
  task.reference_form = "kernelbench";  // of the forms that resources/python/oracle.py knows
  task.benchmark = kernelbench_name;
}

}  // namespace hone::task
