/* hone 1
[[launch]]
kernel = "series"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "a", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void series(const float* x, const float* a, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL before = 1, now = x[i], sum = a[0];
  for (int k = 1; k < 12; ++k) {
    sum += a[k] * now;
    const HONE_REAL next = 2 * (HONE_REAL)x[i] * now - before;
    before = now;
    now = next;
  }
  y[i] = sum;
}
