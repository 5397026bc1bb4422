/* hone 1
[[launch]]
kernel = "scribbles"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Computes, then wipes its input, so that a reference which runs afterwards sees zeros.
extern "C" __global__ void scribbles(float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  z[i] = 2.0f * x[i] + y[i];
  x[i] = 0.0f;
}
