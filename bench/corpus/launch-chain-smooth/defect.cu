/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]

[[launch]]
kernel = "smooth"
repeat = 31
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["y", "y", "n"]
*/
// Four steps a launch, on a vector that takes less time than a launch.

#define STEPS 4

extern "C" __global__ void __launch_bounds__(256) smooth(const float* x, float* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll
  for (int step = 0; step < STEPS; ++step) v = 0.9921875f * v + 0.015625f;
  y[i] = v;
}
