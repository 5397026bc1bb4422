/* hone 1
[[launch]]
kernel = "filter"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "w", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void filter(const float* x, const float* w, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (int k = 0; k < 128; ++k) sum += (HONE_REAL)w[k] * x[i + k];
  y[i] = sum;
}
