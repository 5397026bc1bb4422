/* hone 1
[[launch]]
kernel = "gradient"
grid   = ["ceil_div(n, 64)", "ceil_div(m, 64)", "experts"]
block  = [128]
args   = ["dy", "x", "ends", "y", "m", "n"]
*/
// A block computes a tile of 64 x 64 with the tensor cores, 16 x 16 x 16 at a time, from tiles in
// shared memory. What lies outside is read as 0 and not written.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;
typedef __nv_bfloat16 bf16;

#define TILE 64
#define DEPTH 32
#define PAD 8

// ROWS x COLS elements of a matrix with rows of `width`, from (row, col) on, 0 outside of
// `height` x `width`.
template <int ROWS, int COLS>
__device__ void load_tile(bf16 (*tile)[COLS + PAD], const bf16* from, long long row, long long col,
                          long long height, long long width) {
  for (int e = threadIdx.x; e < ROWS * COLS; e += 128) {
    const int r = e / COLS, c = e % COLS;
    const bool inside = row + r < height && col + c < width;
    tile[r][c] = inside ? from[(row + r) * width + col + c] : __float2bfloat16(0.0f);
  }
}

typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;

// The tile to y, of which rows have `width` elements.
__device__ void store_tile(Sum (&sum)[4], bf16* y, long long row, long long col, long long height,
                           long long width) {
  __shared__ __align__(128) float square[4][16][16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int j = 0; j < 4; ++j) {
    wmma::store_matrix_sync(&square[warp][0][0], sum[j], 16, wmma::mem_row_major);
    __syncwarp();
    for (int e = lane; e < 256; e += 32) {
      const long long r = row + warp * 16 + e / 16, c = col + j * 16 + e % 16;
      if (r < height && c < width) y[r * width + c] = __float2bfloat16(square[warp][e / 16][e % 16]);
    }
    __syncwarp();
  }
}

extern "C" __global__ void __launch_bounds__(128)
    gradient(const bf16* dy, const bf16* x, const long long* ends, bf16* y, long long m,
             long long n) {
  __shared__ __align__(128) bf16 left[DEPTH][TILE + PAD], right[DEPTH][TILE + PAD];
  const long long e = blockIdx.z, i0 = blockIdx.y * 64LL, j0 = blockIdx.x * 64LL;
  const long long end = ends[e];
  const int warp = threadIdx.x / 32;
  Sum sum[4];
  for (int j = 0; j < 4; ++j) wmma::fill_fragment(sum[j], 0.0f);
  for (long long r = e == 0 ? 0 : ends[e - 1]; r < end; r += DEPTH) {
    load_tile<DEPTH, TILE>(left, dy, r, i0, end, m);
    load_tile<DEPTH, TILE>(right, x, r, j0, end, n);
    __syncthreads();
    for (int l = 0; l < DEPTH; l += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::col_major> p;
      wmma::load_matrix_sync(p, &left[l][warp * 16], TILE + PAD);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> q;
        wmma::load_matrix_sync(q, &right[l][j * 16], TILE + PAD);
        wmma::mma_sync(sum[j], p, q, sum[j]);
      }
    }
    __syncthreads();
  }
  store_tile(sum, y + e * m * n, i0, j0, m, n);
}
