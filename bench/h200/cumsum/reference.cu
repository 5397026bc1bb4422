/* hone 1
[[launch]]
kernel = "cumsum"
grid   = ["ceil_div(rows, 32)"]
block  = [32]
args   = ["x", "y", "rows", "cols"]
*/
// One thread per row, in blocks of 128 elements.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void cumsum(const float* x, HONE_REAL* y, long long rows, long long cols) {
  const long long r = blockIdx.x * 32LL + threadIdx.x;
  if (r >= rows) return;
  HONE_REAL before = 0;
  for (long long c0 = 0; c0 < cols; c0 += 128) {
    HONE_REAL sum = 0;
    for (long long c = c0; c < cols && c < c0 + 128; ++c) y[r * cols + c] = before + (sum += x[r * cols + c]);
    before += sum;
  }
}
