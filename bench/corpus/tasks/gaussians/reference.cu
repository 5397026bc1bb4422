/* hone 1
[[launch]]
kernel = "gaussians"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "w", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void gaussians(const float* x, const float* w, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL square = (HONE_REAL)x[i] * x[i];
  HONE_REAL sum = 0;
  for (int k = 0; k < 64; ++k) sum += w[k] * exp(-(HONE_REAL)(k + 1) * square);
  y[i] = sum;
}
