/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// One element for each thread. How the constants are written is the matter.

extern "C" __global__ void __launch_bounds__(256)
    smooth(const float* __restrict__ x, float* __restrict__ y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
#pragma unroll 16
  for (int step = 0; step < 128; ++step) v = 0.9921875 * v + 0.015625;
  y[i] = v;
}
