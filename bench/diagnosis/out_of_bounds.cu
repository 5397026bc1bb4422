/* hone 1
[[launch]]
kernel = "out_of_bounds"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "n"]
*/
// The index of y has a factor too many.
extern "C" __global__ void out_of_bounds(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = 2.0f * x[i];
  z[i] = v + y[(long long)i * n * 64];
}
