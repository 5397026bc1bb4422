// Calls @function@ once, on made-up values, and prints the beginning of what comes back. Build it with: make
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "@function@.h"

static void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Small values of any type: for bytes and integers 0, 1, 2, 3; floating-point tensors of other widths stay zero.
template <typename T>
static T* device_tensor(int64_t elements) {
  std::vector<T> host(static_cast<size_t>(elements), T{});
  if constexpr (std::is_arithmetic_v<T>)
    for (size_t i = 0; i < host.size(); ++i) host[i] = T(i % 4);
  T* device = nullptr;
  must(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc");
  must(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return device;
}

int main() {
@example_sizes@@example_tensors@  void* workspace = nullptr;
  const size_t bytes = @function@_workspace_bytes(@size_names@);
  if (bytes > 0) must(cudaMalloc(&workspace, bytes), "cudaMalloc");
  must(@function@(@argument_names@, workspace, nullptr), "@function@");
  must(cudaDeviceSynchronize(), "the kernels");
@example_print@  return 0;
}
