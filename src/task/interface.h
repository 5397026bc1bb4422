#pragma once
// How candidates in Python, and a task's own function, are called: interface.json as a struct. A
// machine or a person wrote it, and a bundle may have brought it. What only Python needs of it
// stays in the text (core::Task::interface).
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "core/task.h"

namespace hone::task {

// A value as interface.json codes it: {"tensor": "x"}, {"value": 3}, {"tuple": [...]},
// {"dict": [[KEY, CODE], ...]}.
struct Coded {
  std::string kind;                 // "tensor", "scalar", "value", "list", "tuple", "dict", ...
  base::RawJson content;            // of what has no parts
  std::vector<Coded> parts;         // of a list, a tuple or a dict
  std::vector<base::RawJson> keys;  // of a dict

  std::string name() const;  // of a tensor, a scalar, ...; "" where the content is no text
};
void describe(base::Fields& fields, Coded& coded);
std::string python_literal(const base::RawJson& value);  // None, True, 3, "text"

struct Weight {
  std::string name, tensor;  // of the model; of the task
  base::RawJson shape{"[]"};
};

struct Interface {
  std::string entry;  // "ModelNew", or the name of a function
  std::vector<Coded> init;
  std::optional<std::vector<Coded>> arguments;
  std::map<std::string, std::vector<Coded>> case_arguments;  // of cases with arguments of their own
  std::vector<Weight> weights;
  std::map<std::string, std::string>
      buffers;  // inside the input: the output that belongs there, or ""
  std::map<std::string, base::RawJson> files;
  std::vector<std::string> bools;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, std::vector<std::size_t>> orders;
  std::map<std::string, std::string> types;
  bool sequence = false;  // the one result comes in a list or tuple

  bool is_bool(const std::string& tensor) const;
};

// Of a task without interface.json an empty one. Throws Error (bad_input) where it cannot be read.
Interface interface_of(const core::Task& task);

}  // namespace hone::task
