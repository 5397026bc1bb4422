/* hone 1
[[launch]]
kernel = "crosswise"
grid   = ["ceil_div(n, 128)", "m"]
block  = [128]
args   = ["a", "b", "y", "n", "k"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void crosswise(const float* a, const float* b, HONE_REAL* y, int n, int k) {
  const int j = blockIdx.x * 128 + threadIdx.x;
  const long long i = blockIdx.y;
  if (j >= n) return;
  HONE_REAL sum = 0;
  for (int l = 0; l < k; ++l) sum += fabs((HONE_REAL)a[i * k + l] - b[(long long)l * n + j]);
  y[i * n + j] = sum;
}
