#pragma once
// Reads the signatures of the kernels in a CUDA or OpenCL source, as far as that goes without a
// compiler: comments, attributes and qualifiers are understood, macros are not expanded. For `hone
// task new --from`, where a wrong guess costs a correction, not a verdict.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/candidate.h"
#include "core/dtype.h"

namespace hone::task {

struct KernelParameter {
  enum class Kind {
    input,
    output,
    integer,
    real,
    local,
    other
  };  // const pointer, pointer, integers and numbers by value, the rest
  Kind kind = Kind::other;
  std::string name;
  std::string declared;  // as written, in one line
  std::optional<core::DType>
      dtype;  // of the elements or the value; nothing where the type is not known
};

struct Kernel {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::size_t offset = 0;  // of `__global__` or `__kernel` in the source
  int line = 0;
  bool is_template = false;
  bool extern_c = false;        // CUDA: has a plain name that can be looked up
  bool dynamic_shared = false;  // CUDA: the source declares `extern __shared__`
};

// In the order they stand; a declaration that is defined later counts once.
std::vector<Kernel> scan_kernels(std::string_view source, core::Language language);

}  // namespace hone::task
