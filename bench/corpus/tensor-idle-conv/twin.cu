/* hone 1
[[launch]]
kernel = "conv"
grid   = ["ceil_div(batch * height * width, 64)"]
block  = [256]
args   = ["x", "w", "y", "batch * height * width", "height", "width"]
*/
// A block has 64 pixels and all 128 channels of the result. For each of the nine places round them it takes 32 channels
// at a time through shared memory. A warp has 16 pixels and 64 channels, on the tensor cores.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(256) conv(const __half* __restrict__ x, const __half* __restrict__ w,
                                                       __half* __restrict__ y, int pixels, int height, int width) {
  __shared__ __align__(32) __half in[64][40], weights[32][136];
  __shared__ __align__(32) float sums[64][132];
  const int t = threadIdx.x, first = blockIdx.x * 64;
  const int mine = first + t / 4, c = mine % width,
            r = mine / width % height;  // the pixel that this thread fetches for
  const int row = t / 64 * 16, col = t / 32 % 2 * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) wmma::fill_fragment(sum[j], 0.0f);
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
#pragma unroll
      for (int k = 0; k < 32; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
        wmma::load_matrix_sync(left, &in[row][k], 40);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
          wmma::load_matrix_sync(right, &weights[k][col + 16 * j], 136);
          wmma::mma_sync(sum[j], left, right, sum[j]);
        }
      }
      __syncthreads();
    }
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) wmma::store_matrix_sync(&sums[row][col + 16 * j], sum[j], 132, wmma::mem_row_major);
  __syncthreads();
#pragma unroll
  for (int e = t; e < 64 * 64; e += 256)
    if (first + e / 64 < pixels)
      *(__half2*)(y + (first + e / 64) * 128LL + e % 64 * 2) =
          __floats2half2_rn(sums[e / 64][e % 64 * 2], sums[e / 64][e % 64 * 2 + 1]);
}
