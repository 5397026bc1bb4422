#pragma once
// What a candidate that leaves Hone takes along of its problem (a torch module): the code that
// constructs the module, so that the same weights are drawn in the same order. Found out in a sandboxed Python, since
// that runs the problem's code.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/python.h"

namespace hone::runner {

struct Skeleton {
  std::string source;                             // Python: the class Model without forward, and what it needs
  std::string forward;                            // the parameters of forward as written, without self
  std::vector<std::string> names;                 // of these
  std::map<std::string, std::string> weights;     // by the names they have as a task's inputs: "conv.weight"
  std::vector<std::vector<std::int64_t>> shapes;  // of the results, where they were asked for
};

// Throws Error, with the reason, where the problem cannot be taken apart. `problem` is its text, `file` for messages.
Skeleton skeleton_of(const std::string& problem, const std::string& file, bool with_shapes, const Python& python);

}  // namespace hone::runner
