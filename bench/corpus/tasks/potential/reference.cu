/* hone 1
[[launch]]
kernel = "potential"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "z", "q", "y", "n", "m"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void potential(const float* x, const float* z, const float* q, HONE_REAL* y, int n, int m) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (int first = 0; first < m; first += 64) {
    HONE_REAL part = 0;
    for (int j = first; j < m && j < first + 64; ++j) {
      const HONE_REAL a = (HONE_REAL)x[i] - z[j], b = (HONE_REAL)x[n + i] - z[m + j],
                      c = (HONE_REAL)x[2 * n + i] - z[2 * m + j];
      part += q[j] / sqrt(a * a + b * b + c * c + (HONE_REAL)0.001);
    }
    sum += part;
  }
  y[i] = sum;
}
