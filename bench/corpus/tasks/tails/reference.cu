/* hone 1
[[launch]]
kernel = "tails"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void tails(const float* x, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL a = fabsf(x[i]);
  HONE_REAL f = a;
  for (int level = 32; level > 0; --level) f = a + level / f;
  y[i] = a > 2 ? f : (HONE_REAL)x[i];
}
