/* hone 1
[[launch]]
kernel = "match"
grid   = ["ceil_div(cols, 128)", "rows"]
block  = [128]
args   = ["x", "t", "y", "cols"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void match(const float* x, const float* t, HONE_REAL* y, int cols) {
  const int c = blockIdx.x * 128 + threadIdx.x;
  const long long r = blockIdx.y;
  if (c >= cols) return;
  HONE_REAL sum = 0;
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 13; ++j) sum += fabs((HONE_REAL)x[(r + i) * (cols + 12) + c + j] - t[i * 13 + j]);
  y[r * cols + c] = sum;
}
