/* hone 1
[[launch]]
kernel = "races"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Its result depends on when it runs (the clock stands for a race that is lost now and then),
// within the tolerance.
extern "C" __global__ void races(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = (2.0f * x[i] + y[i]) * (1.0f + (float)(clock64() >> 2 & 3) * 1e-7f);
}
