/* hone 1
[[launch]]
kernel = "product"
grid   = ["ceil_div(n, 16)", "ceil_div(rows, 16) + experts"]
block  = [16, 16]
args   = ["dy", "w", "ends", "y", "experts", "n", "k"]
*/
// One thread per element; tiles of 16 x 16 pass through shared memory. Products of bfloat16 are
// exact in single precision. The tiles of an expert's rows begin at its first row, so there are at
// most as many more of them as there are experts.
#include <cuda_bf16.h>

#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void product(const __nv_bfloat16* dy, const __nv_bfloat16* w,
                                   const long long* ends, HONE_REAL* y, long long experts,
                                   long long n, long long k) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  long long e = 0, tile = blockIdx.y, begin = 0, end = ends[0];
  while (tile >= (end - begin + 15) / 16) {  // the expert of this tile
    tile -= (end - begin + 15) / 16;
    if (++e == experts) return;
    begin = end;
    end = ends[e];
  }
  const long long i = begin + tile * 16 + ty, j0 = blockIdx.x * 16LL;
  HONE_REAL sum = 0;
  for (long long l = 0; l < k; l += 16) {
    left[ty][tx] = i < end && l + tx < k ? __bfloat162float(dy[i * k + l + tx]) : 0.0f;
    right[ty][tx] = l + ty < k && j0 + tx < n ? __bfloat162float(w[(e * k + l + ty) * n + j0 + tx])
                                              : 0.0f;
    __syncthreads();
    for (int d = 0; d < 16; ++d) sum += (HONE_REAL)(left[ty][d] * right[d][tx]);
    __syncthreads();
  }
  if (i < end && j0 + tx < n) y[i * n + j0 + tx] = sum;
}
