/* hone 1
[[tensormap]]
name   = "x_map"
tensor = "x"
box    = [3]

[[launch]]
kernel = "bad_tensor_map"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x_map", "x", "y", "z", "n"]
*/
// The rows of its boxes have twelve bytes: a copy moves multiples of sixteen.
#include <cuda.h>
extern "C" __global__ void bad_tensor_map(const __grid_constant__ CUtensorMap map, const float* x, const float* y, float* z, int n) {
  __shared__ alignas(128) float tile[4];
  if (threadIdx.x == 0) tile[0] = map.opaque[0] == 0 ? 0.0f : 1.0f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.0f * x[i] + y[i] + 0.0f * tile[0];
}
