#pragma once
// `hone task new`: a working task to change, or one made from a kernel or a function of the user's.
#include <filesystem>
#include <string>
#include <vector>

#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct TaskNewRequest {
  std::string folder;  // of the new task; its last part is the task's name
  std::string from;    // a kernel, or a .py file with a function (FILE.py:FUNCTION); "": a skeleton
  std::string
      reference;  // what is computed, as a function in a .py file; "": the kernel's own function
  std::string
      example;  // example inputs as Python; "": the reference's file has a function for them
  double seconds = 120;  // that a reference in Python may take
};

struct TaskNewResult {
  std::vector<std::filesystem::path> files;  // that were written
  std::vector<std::string> notes;            // what the user should look at, as sentences
  enum class Made { skeleton, from_kernel, from_function } made = Made::skeleton;
};

TaskNewResult new_task(const TaskNewRequest& request, Sink& sink);
void describe(base::Fields& fields, const TaskNewResult& result);

}  // namespace hone::app
