/* hone 1
[[launch]]
kernel = "cityblock"
grid   = ["ceil_div(m, 128)", "n"]
block  = [128]
args   = ["a", "b", "y", "m", "dims"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void cityblock(const float* a, const float* b, HONE_REAL* y, int m, int dims) {
  const int j = blockIdx.x * 128 + threadIdx.x;
  const long long i = blockIdx.y;
  if (j >= m) return;
  HONE_REAL sum = 0;
  for (int d = 0; d < dims; ++d) sum += fabs((HONE_REAL)a[i * dims + d] - b[(long long)j * dims + d]);
  y[i * m + j] = sum;
}
