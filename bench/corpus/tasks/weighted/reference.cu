/* hone 1
[[launch]]
kernel = "weighted"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "w", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void weighted(const float* x, const float* w, HONE_REAL* y, long long n) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= n) return;
  HONE_REAL scale = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) {
      HONE_REAL sum = 0;
      for (int k = 0; k < 16; ++k) sum += (HONE_REAL)w[k * 9 + i] * w[k * 9 + 4 + j];
      scale += sum * sum;
    }
  y[at] = scale * x[at];
}
