@cpp_about@#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAGuard.h>

#include <tuple>

#include "@function@.h"

namespace {

[[maybe_unused]] inline int64_t hone_min(int64_t a, int64_t b) { return b < a ? b : a; }
[[maybe_unused]] inline int64_t hone_max(int64_t a, int64_t b) { return a < b ? b : a; }
[[maybe_unused]] inline int64_t hone_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
[[maybe_unused]] inline int64_t hone_next_pow2(int64_t a) {
  int64_t p = 1;
  while (p < a) p *= 2;
  return p;
}

// Memory as whatever pointer the launcher takes.
struct HonePointer {
  void* address;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(address);
  }
};

// The elements as the kernels know them: contiguous, with these extents, in this order of the dimensions.
at::Tensor hone_tensor(const at::Tensor& value, const char* name, at::ScalarType type, at::IntArrayRef order, at::IntArrayRef shape) {
  TORCH_CHECK(value.is_cuda(), name, " lies on ", value.device(), "; @function@ takes tensors on a GPU");
  TORCH_CHECK(value.scalar_type() == type, name, " is a tensor of ", value.scalar_type(), "; @function@ takes ", type);
  const at::Tensor permuted = value.permute(order);
  TORCH_CHECK(permuted.sizes() == shape, name, " has the extents ", permuted.sizes(), " where the other inputs want ", shape);
  return permuted.contiguous();
}

}  // namespace

@cpp_type@ @function@_tensors(@cpp_parameters@) {
@dimension_checks@@symbols@  const c10::cuda::CUDAGuard guard(@first@.device());
@tensors@  const size_t bytes = @function@_workspace_bytes(@size_names@);
  const at::Tensor workspace = at::empty({int64_t(bytes)}, @first@.options().dtype(at::kByte));
  const cudaError_t error = @function@(@launcher_arguments@, bytes > 0 ? workspace.data_ptr() : nullptr, at::cuda::getCurrentCUDAStream());
  TORCH_CHECK(error == cudaSuccess, "@function@: ", cudaGetErrorString(error));
  return @cpp_result@;
}
