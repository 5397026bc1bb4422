/* hone 1
[[launch]]
kernel = "overruns"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Writes one element past the end of its output.
extern "C" __global__ void overruns(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.0f * x[i] + y[i];
  if (i == n - 1) z[n] = 0.0f;
}
