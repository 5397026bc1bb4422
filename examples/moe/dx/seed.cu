/* hone 1
[[launch]]
kernel = "product"
grid   = ["ceil_div(n, 64)", "ceil_div(rows, 64) + experts"]
block  = [128]
args   = ["dy", "w", "ends", "y", "experts", "n", "k"]
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
    product(const bf16* dy, const bf16* w, const long long* ends, bf16* y, long long experts,
            long long n, long long k) {
  __shared__ __align__(128) bf16 left[TILE][DEPTH + PAD], right[DEPTH][TILE + PAD];
  // The expert of this tile of rows: an expert's tiles begin at its first row.
  long long e = 0, tile = blockIdx.y, begin = 0, end = ends[0];
  while (tile >= (end - begin + 63) / 64) {
    tile -= (end - begin + 63) / 64;
    if (++e == experts) return;
    begin = end;
    end = ends[e];
  }
  const long long i0 = begin + tile * 64, j0 = blockIdx.x * 64LL;
  const int warp = threadIdx.x / 32;
  Sum sum[4];
  for (int j = 0; j < 4; ++j) wmma::fill_fragment(sum[j], 0.0f);
  for (long long l0 = 0; l0 < k; l0 += DEPTH) {
    load_tile<TILE, DEPTH>(left, dy, i0, l0, end, k);
    load_tile<DEPTH, TILE>(right, w + e * k * n, l0, j0, k, n);
    __syncthreads();
    for (int l = 0; l < DEPTH; l += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> p;
      wmma::load_matrix_sync(p, &left[warp * 16][l], DEPTH + PAD);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> q;
        wmma::load_matrix_sync(q, &right[l][j * 16], TILE + PAD);
        wmma::mma_sync(sum[j], p, q, sum[j]);
      }
    }
    __syncthreads();
  }
  store_tile(sum, y, i0, j0, end, n);
}
