/* hone 1
[[launch]]
kernel = "nearest"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "z", "y", "n", "m"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void nearest(const float* x, const float* z, HONE_REAL* y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  HONE_REAL least = 3e38f;
  for (int j = 0; j < m; ++j) {
    const HONE_REAL a = (HONE_REAL)x[i] - z[j], b = (HONE_REAL)x[n + i] - z[m + j],
                    c = (HONE_REAL)x[2 * n + i] - z[2 * m + j];
    const HONE_REAL square = a * a + b * b + c * c;
    if (square < least) least = square;
  }
  y[i] = sqrt(least);
}
