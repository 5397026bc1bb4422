/* hone 1
[[launch]]
kernel = "conv"
grid   = ["ceil_div(batch * height * width, 64)"]
block  = [256]
args   = ["x", "w", "y", "batch * height * width", "height", "width"]
*/
// A block has 64 pixels and all 128 channels of the result. For each of the nine places round them it takes 32 channels
// at a time through shared memory. A thread has 4 pixels and 8 channels, summed in single precision.
#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(256) conv(const __half* __restrict__ x, const __half* __restrict__ w,
                                                       __half* __restrict__ y, int pixels, int height, int width) {
  __shared__ __align__(32) __half in[64][40], weights[32][136];
  __shared__ __align__(32) float sums[64][132];
  const int t = threadIdx.x, first = blockIdx.x * 64;
  const int mine = first + t / 4, c = mine % width,
            r = mine / width % height;  // the pixel that this thread fetches for
  const int row = t / 16 * 4, col = t % 16 * 8;
  float sum[4][8] = {};
#pragma unroll 1
  for (int place = 0; place < 9; ++place) {
    const int down = place / 3 - 1, along = place % 3 - 1;
    const bool inside = mine < pixels && r + down >= 0 && r + down < height && c + along >= 0 && c + along < width;
    const __half* from = x + ((long long)mine + down * width + along) * 128 + t % 4 * 8;
#pragma unroll 1
    for (int k0 = 0; k0 < 128; k0 += 32) {
      *(uint4*)&in[t / 4][t % 4 * 8] = inside ? *(const uint4*)(from + k0) : make_uint4(0, 0, 0, 0);
#pragma unroll
      for (int e = t; e < 512; e += 256)
        *(uint4*)&weights[e / 16][e % 16 * 8] = *(const uint4*)(w + ((place * 128 + k0 + e / 16) * 128 + e % 16 * 8));
      __syncthreads();
#pragma unroll 4
      for (int k = 0; k < 32; ++k) {
        float left[4], right[8];
        const uint4 packed = *(const uint4*)&weights[k][col];
        const __half2* pairs = (const __half2*)&packed;
#pragma unroll
        for (int i = 0; i < 4; ++i) left[i] = __half2float(in[row + i][k]);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float2 two = __half22float2(pairs[j]);
          right[2 * j] = two.x;
          right[2 * j + 1] = two.y;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
      }
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sums[row + i][col + j] = sum[i][j];
  __syncthreads();
#pragma unroll
  for (int e = t; e < 64 * 64; e += 256)
    if (first + e / 64 < pixels)
      *(__half2*)(y + (first + e / 64) * 128LL + e % 64 * 2) =
          __floats2half2_rn(sums[e / 64][e % 64 * 2], sums[e / 64][e % 64 * 2 + 1]);
}
