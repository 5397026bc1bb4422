#pragma once
// What the C++ projects for CUDA and for OpenCL have in common: the gaps of their templates that do
// not depend on the language of the kernels. Pure functions.
#include <functional>
#include <string>

#include "export/exporting.h"
#include "export/templates.h"

namespace hone::exports {

Gaps common_gaps(const Exporting& exporting);

// A tensor as a parameter of the launcher, and how the example makes it and prints it.
struct TensorText {
  std::string parameter, example, print;
};
using TensorWriter = std::function<TensorText(const std::string& name, core::DType dtype,
                                              const std::string& elements, bool is_input)>;
void add_tensors(const Exporting& exporting, Gaps& gaps, const TensorWriter& write);

}  // namespace hone::exports
