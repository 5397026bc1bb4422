/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// All 128 steps in one launch.

#define STEPS 128

extern "C" __global__ void __launch_bounds__(256) smooth(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int step = 0; step < STEPS; ++step) v = 0.9921875f * v + 0.015625f;
  y[i] = v;
}
