/* hone 1
[[launch]]
kernel = "rotations"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["g", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void rotations(const float* g, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL u = g[i], v = g[n + i], w = g[2 * n + i], s = 2 / (1 + u * u + v * v + w * w);
  const HONE_REAL of[9] = {1 - s * (v * v + w * w), s * (u * v - w),         s * (u * w + v),
                           s * (u * v + w),         1 - s * (u * u + w * w), s * (v * w - u),
                           s * (u * w - v),         s * (v * w + u),         1 - s * (u * u + v * v)};
  for (int e = 0; e < 9; ++e) y[i * 9 + e] = of[e];
}
