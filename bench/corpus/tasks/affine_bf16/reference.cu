/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n", "a", "b"]
*/
#include <cuda_bf16.h>

#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void affine(const __nv_bfloat16* x, HONE_REAL* y, long long n, float a, float b) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = (HONE_REAL)a * __bfloat162float(x[i]) + (HONE_REAL)b;
}
