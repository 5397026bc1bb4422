/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void smooth(const float* x, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL v = x[i];
  for (int step = 0; step < 128; ++step) v = (HONE_REAL)0.9921875 * v + (HONE_REAL)0.015625;
  y[i] = v;
}
