/* hone 1
[[launch]]
kernel = "gradient"
grid   = ["ceil_div(n, 16)", "ceil_div(m, 16)", "experts"]
block  = [16, 16]
args   = ["dy", "x", "ends", "y", "m", "n"]
*/
// One thread per element; tiles of 16 x 16 pass through shared memory. Products of bfloat16 are
// exact in single precision.
#include <cuda_bf16.h>

#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void gradient(const __nv_bfloat16* dy, const __nv_bfloat16* x,
                                    const long long* ends, HONE_REAL* y, long long m, long long n) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long long e = blockIdx.z, i0 = blockIdx.y * 16LL, j0 = blockIdx.x * 16LL;
  const long long begin = e == 0 ? 0 : ends[e - 1], end = ends[e];
  HONE_REAL sum = 0;
  for (long long r = begin; r < end; r += 16) {
    const bool row = r + ty < end;
    left[ty][tx] = row && i0 + tx < m ? __bfloat162float(dy[(r + ty) * m + i0 + tx]) : 0.0f;
    right[ty][tx] = row && j0 + tx < n ? __bfloat162float(x[(r + ty) * n + j0 + tx]) : 0.0f;
    __syncthreads();
    for (int d = 0; d < 16; ++d) sum += (HONE_REAL)(left[d][ty] * right[d][tx]);
    __syncthreads();
  }
  if (i0 + ty < m && j0 + tx < n) y[(e * m + i0 + ty) * n + j0 + tx] = sum;
}
