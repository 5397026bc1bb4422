#pragma once
// What a Python in a sandbox says of a problem when it is asked (resources/python: describe.py,
// function_describe.py, gpumode_describe.py), as structs. The problem's own code runs in that
// process, so the answers are read strictly, and names and texts in them are checked by their
// users.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "core/dtype.h"
#include "task/interface.h"

namespace hone::adapters {

// How an input is drawn. Bounds of integers are numbers or, of a function, expressions.
struct DescribedDraw {
  std::string kind, why;  // "problem", "integers", "uniform" or "normal"
  bool independent = false;
  base::RawJson low, high;
  double a = 0, b = 0;
};

struct DescribedTensor {
  std::string name, dtype;
  std::vector<base::RawJson> shape;  // numbers or, of a function, expressions
  DescribedDraw draw;
  bool weight = false;
  std::vector<std::string> variants;
  double error_max = 0, error_rms = 0;  // of an output: what the reference itself is off
  // Of GPU MODE:
  std::string type;                // torch's type where Hone has the bytes only
  std::vector<std::size_t> order;  // of the dimensions in memory
  base::RawJson facts;             // all that was said of it
};
core::DType dtype_of(const DescribedTensor& tensor);  // throws Error where Hone has no such type

struct DescribedScalar {
  std::string name;
  bool integer = false;
  base::RawJson value;
};

struct DescribedModule {  // of KernelBench
  std::string torch;
  std::vector<DescribedTensor> tensors, outputs;
  std::vector<DescribedScalar> scalars;
  std::vector<std::string> variants, weak;
  std::map<std::string, std::int64_t> flops;  // by kind
  std::vector<std::string> uncounted;         // operators that are missing in them
  base::RawJson interface;
};
void describe(base::Fields& fields, DescribedModule& module);

struct DescribedFunction {
  struct Case {
    std::string name;
    std::map<std::string, std::int64_t> bind;
  };
  std::string torch, function, inputs_function, summary;
  std::map<std::string, std::string> flops;  // expressions
  std::vector<std::string> uncounted;
  bool numpy = false, in_double = true;
  std::vector<DescribedTensor> inputs, outputs;
  std::vector<DescribedScalar> scalars;
  std::vector<Case> cases;
  std::vector<std::string> notes;
  base::RawJson interface;
};
void describe(base::Fields& fields, DescribedFunction& function);

struct DescribedProblem {  // of GPU MODE
  using Shapes = std::map<std::string, std::vector<std::int64_t>>;
  struct Case {
    std::string name;
    Shapes inputs, outputs;
    std::map<std::string, std::int64_t> integers;
    std::map<std::string, std::int64_t> flops;
    std::vector<std::string> uncounted;
  };
  std::string torch;
  task::Coded input, output;
  std::map<std::string, std::optional<std::string>> buffers;  // the output that belongs there
  std::vector<DescribedTensor> inputs, outputs;
  std::vector<std::string> independent, variants, notes;
  std::map<std::string, double> numbers;
  std::vector<Case> cases;
  double noise = 0;
  bool in_double = true, unique = true;
};
void describe(base::Fields& fields, DescribedProblem& problem);

// An answer as one of these. Throws Error (bad_input), naming the problem.
template <typename T>
T described(const std::string& answer, const std::string& what);

// As task.toml has them: expressions in quotes, numbers without. `why` as it stands there.
std::string term(const base::RawJson& value);
std::string shape_text(const std::vector<base::RawJson>& shape);
std::string draw_text(const DescribedDraw& draw, const std::string& why);
// Lines of [work]: expressions of operations by kind, and operators that are missing in them.
std::string operations_text(const std::map<std::string, std::string>& flops,
                            const std::vector<std::string>& uncounted);

// A whole number; throws Error for anything else.
std::int64_t whole(const base::RawJson& value);

}  // namespace hone::adapters
