/* hone 1
[[launch]]
kernel = "sparse"
grid   = ["ceil_div(rows, 128)"]
block  = [128]
args   = ["value", "column", "x", "y", "rows", "entries"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void sparse(const float* value, const int* column, const float* x, HONE_REAL* y, long long rows,
                                  int entries) {
  const long long r = blockIdx.x * 128LL + threadIdx.x;
  if (r >= rows) return;
  HONE_REAL sum = 0;
  for (int e = 0; e < entries; ++e) sum += (HONE_REAL)value[e * rows + r] * x[column[e * rows + r]];
  y[r] = sum;
}
