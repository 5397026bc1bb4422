/* hone 1
[[launch]]
kernel = "rowscan"
grid   = ["ceil_div(rows, 128)"]
block  = [128]
args   = ["x", "y", "rows", "cols"]
*/
// A thread has a row to itself.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void rowscan(const float* x, HONE_REAL* y, long long rows, long long cols) {
  const long long r = blockIdx.x * 128LL + threadIdx.x;
  if (r >= rows) return;
  HONE_REAL before = 0;
  for (long long c0 = 0; c0 < cols; c0 += 32) {
    HONE_REAL part = 0;
    for (long long c = c0; c < cols && c < c0 + 32; ++c) y[r * cols + c] = before + (part += x[r * cols + c]);
    before += part;
  }
}
