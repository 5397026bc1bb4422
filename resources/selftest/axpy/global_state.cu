/* hone 1
[[launch]]
kernel = "global_state"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Keeps state between calls in a writable global.
__device__ float seen;

extern "C" __global__ void global_state(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.0f * x[i] + y[i];
  if (i == 0) seen = x[0];
}
