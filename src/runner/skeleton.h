#pragma once
// The part of a problem (a torch module) that an exported candidate needs: the code that constructs
// the module, so that the same weights are drawn in the same order. Found by a sandboxed Python,
// since it runs the problem's code. A function without state; any thread.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/python.h"

namespace hone::runner {

struct Skeleton {
  std::string source;              // Python: the class Model without forward, and what it needs
  std::string forward;             // the parameters of forward as written, without self
  std::vector<std::string> names;  // of these parameters
  std::map<std::string, std::string> weights;  // by their names as a task's inputs: "conv.weight"
  std::vector<std::vector<std::int64_t>> shapes;  // of the results, if `with_shapes`
};

// Throws Error, with the reason, where the problem cannot be taken apart. `problem` is its text,
// `file` is for messages.
Skeleton skeleton_of(const std::string& problem, const std::string& file, bool with_shapes,
                     const Python& python);

}  // namespace hone::runner
