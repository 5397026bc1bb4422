/* hone 1
[[launch]]
kernel = "new_gelu"
grid = ["ceil_div(x_0 * x_1, 1024)"]
block = [256]
args = ["x", "y", "i64:x_0 * x_1 / 4"]
*/
// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), four elements a thread; the extents of the problem are whole vectors of four.
#include <math.h>

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void __launch_bounds__(256) new_gelu(const float* __restrict__ x, float* __restrict__ y, long long vectors) {
  const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  const float4 v = reinterpret_cast<const float4*>(x)[i];
  reinterpret_cast<float4*>(y)[i] = make_float4(gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w));
}
