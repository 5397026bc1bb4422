/* hone 1
[[launch]]
kernel = "two"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "z", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void two(const float* x, HONE_REAL* y, HONE_REAL* z, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL v = x[i];
  y[i] = 3 * v + 1;
  z[i] = v * v - v;
}
