/* hone 1
[[launch]]
kernel = "returns_input"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Hands an input back as its answer.
extern "C" __global__ void returns_input(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = y[i];
}
