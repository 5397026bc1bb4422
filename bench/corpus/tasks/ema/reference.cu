/* hone 1
[[launch]]
kernel = "ema"
grid   = ["ceil_div(width, 256)"]
block  = [256]
args   = ["x", "a", "y", "steps", "width"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void ema(const float* x, const float* a, HONE_REAL* y, int steps, long long width) {
  const long long c = blockIdx.x * 256LL + threadIdx.x;
  if (c >= width) return;
  HONE_REAL mean = 0;
  for (int t = 0; t < steps; ++t) y[t * width + c] = mean = a[c] * mean + (1 - (HONE_REAL)a[c]) * x[t * width + c];
}
