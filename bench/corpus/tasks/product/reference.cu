/* hone 1
[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
block  = [16, 16]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// One thread per element of the product; tiles of 16 x 16 pass through shared memory. Products of bfloat16 are exact
// in single precision.
#include <cuda_bf16.h>

#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void matmul(const __nv_bfloat16* a, const __nv_bfloat16* b, HONE_REAL* y, long long m,
                                  long long n, long long k) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long long i = blockIdx.y * 16LL + ty, j = blockIdx.x * 16LL + tx;
  HONE_REAL sum = 0;
  for (long long l = 0; l < k; l += 16) {
    left[ty][tx] = i < m && l + tx < k ? __bfloat162float(a[i * k + l + tx]) : 0.0f;
    right[ty][tx] = l + ty < k && j < n ? __bfloat162float(b[(l + ty) * n + j]) : 0.0f;
    __syncthreads();
    for (int d = 0; d < 16; ++d) sum += (HONE_REAL)(left[ty][d] * right[d][tx]);
    __syncthreads();
  }
  if (i < m && j < n) y[i * n + j] = sum;
}
