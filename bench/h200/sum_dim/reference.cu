/* hone 1
[[launch]]
kernel = "sum_rows"
grid   = ["ceil_div(cols, 256)", "batch"]
block  = [256]
args   = ["x", "y", "rows", "cols"]
*/
// One thread per sum, in blocks of 64 rows.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void sum_rows(const float* x, HONE_REAL* y, long long rows, long long cols) {
  const long long b = blockIdx.y, c = blockIdx.x * 256LL + threadIdx.x;
  if (c >= cols) return;
  HONE_REAL sum = 0;
  for (long long r0 = 0; r0 < rows; r0 += 64) {
    HONE_REAL part = 0;
    for (long long r = r0; r < rows && r < r0 + 64; ++r) part += x[(b * rows + r) * cols + c];
    sum += part;
  }
  y[b * cols + c] = sum;
}
