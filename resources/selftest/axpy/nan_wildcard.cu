/* hone 1
[[launch]]
kernel = "nan_wildcard"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Writes NaN over the hard half, for a comparison that skips what is not a number.
extern "C" __global__ void nan_wildcard(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = i % 2 ? nanf("") : 2.0f * x[i] + y[i];
}
