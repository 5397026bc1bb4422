/* hone 1
[[launch]]
kernel = "graded"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "degree", "c", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void graded(const float* x, const int* degree, const float* c, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (int k = degree[blockIdx.x]; k >= 0; --k) sum = sum * x[i] + c[k];
  y[i] = sum;
}
