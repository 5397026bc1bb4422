/* hone 1
[[launch]]
kernel = "before"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void before(const float* x, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (long long j0 = 0; j0 <= i; j0 += 256) {
    HONE_REAL part = 0;
    for (long long j = j0; j <= i && j < j0 + 256; ++j) part += x[i] > x[j] ? x[i] : x[j];
    sum += part;
  }
  y[i] = sum;
}
