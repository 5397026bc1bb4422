/* hone 1
[[launch]]
kernel = "deviation"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "t", "y", "n", "m"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void deviation(const float* x, const float* t, HONE_REAL* y, int n, int m) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0, lost = 0;
  for (int j = 0; j < m; ++j) {
    const HONE_REAL added = fabs((HONE_REAL)x[i] - t[j]) - lost, next = sum + added;
    lost = (next - sum) - added;
    sum = next;
  }
  y[i] = sum;
}
