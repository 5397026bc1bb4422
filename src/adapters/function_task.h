#pragma once
// A task made of a function of torch or NumPy: `hone task new NAME --from kernel.py` (or kernel.cu
// with a reference.py). A Python in a sandbox calls the function on its example inputs; shapes,
// types, strides and distributions are read from them, other sizes and the tolerance are proposed,
// and a folder is written that a person can edit.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "adapters/described.h"

namespace hone::adapters {

struct FunctionTaskRequest {
  std::filesystem::path folder;  // of the new task; its last part is the task's name
  std::filesystem::path from,
      reference;                // the kernel; what is computed ("": the kernel's own file)
  std::string entry, function;  // names of functions in them; "": found
  std::string
      example;  // an expression that gives the example inputs; "": reference.py has a function
  double seconds = 120;  // that the reference may take, on the example inputs and in each case
};

// "kernel.py:softmax" as the file and the function; a text without a function has none.
std::pair<std::filesystem::path, std::string> file_and_function(const std::string& text);

struct FunctionTask {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> notes;  // what the user should look at, as sentences
};
// `say` is told before the Python starts. Throws Error, with the reason, where the function is no
// reference.
FunctionTask write_function_task(const FunctionTaskRequest& request,
                                 const std::function<void(const std::string&)>& say = {});

// task.toml of what resources/python/function_describe.py said; pure.
std::string function_toml(const std::string& name, const DescribedFunction& described,
                          double seconds);

}  // namespace hone::adapters
