#pragma once
// What exports for callers of torch have in common: which tensors the function takes and gives, in
// whose order and with which strides, and how a caller's shapes tell the symbols of the plan.
// Scalars are no arguments: a kernel was judged with the task's values, and no others.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/exporting.h"
#include "export/python_plan.h"
#include "export/templates.h"

namespace hone::exports {

struct TorchTensor {
  std::string name;
  core::DType dtype = core::DType::f32;
  std::vector<base::Expr> shape;  // as it lies in memory, row-major
  std::vector<std::size_t>
      order;                // the caller's dimensions in the order in which they lie in memory
  bool is_number = false;   // the caller has no dimension where the task has one element
  std::string torch_type;   // "torch.float32"; what the caller has
  bool same_bytes = false;  // the caller's type is another one than Hone's, of the same bytes
};

struct TorchSignature {
  std::vector<TorchTensor> inputs, outputs;  // inputs in the caller's order
  bool sequence = false;                     // one output comes in a tuple
  std::map<std::string, std::string> told;   // symbol: "x.shape[0]"
  base::Bindings known;  // symbols that have one value in all cases, and are not told
};
// Throws Error where a caller cannot call the task's function so.
TorchSignature torch_signature(const core::Task& task);

// Lines of Python that define the symbols in `used`; throws Error where the inputs do not tell one
// of them.
std::string symbol_definitions(const TorchSignature& signature, const core::Task& task,
                               const std::set<std::string>& used);
std::set<std::string> symbols_of_outputs(const TorchSignature& signature);
// Lines that make an output without contents, and the expression that gives it back with the
// caller's strides.
std::string empty_output(const TorchTensor& output, const PythonPlan& plan,
                         const std::string& device);
std::string result_of(const TorchSignature& signature);
std::string parameters_of(const TorchSignature& signature);
std::string schema_of(const TorchSignature& signature);  // "(Tensor x, Tensor w) -> Tensor"
std::string tuple_of(const std::vector<std::size_t>& list);
// The rule for fake tensors as the body of a function.
std::string fake_body(const TorchSignature& signature, const Exporting& exporting,
                      const PythonPlan& plan);
std::string docstring_of(const Exporting& exporting);  // the lines inside the quotes
Gaps torch_gaps(const TorchSignature& signature, const Exporting& exporting,
                const PythonPlan& plan);

}  // namespace hone::exports
