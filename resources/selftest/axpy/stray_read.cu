/* hone 1
[[launch]]
kernel = "stray_read"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Reads past the end of its input and throws the value away: no canary sees a read.
extern "C" __global__ void stray_read(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float beyond = ((const volatile float*)x)[i + n];
  z[i] = 2.0f * x[i] + y[i];
  if (beyond == 1e30f) z[i] = 0.0f;
}
