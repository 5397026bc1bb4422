/* hone 1
where = ["WARPS_M * WARPS_N >= 4", "WARPS_M * WARPS_N <= 8", "BM / WARPS_M * (BN / WARPS_N) <= 4096"]

[tune]
BM      = { values = [64, 128], default = 64 }    # rows of y that a block computes
BN      = { values = [64, 128], default = 64 }    # and columns
BK      = { values = [16, 32, 64], default = 16 } # depth of one step
WARPS_M = { values = [1, 2, 4], default = 2 }     # warps of a block, one below the other
WARPS_N = { values = [1, 2, 4], default = 2 }     # and side by side

[[launch]]
kernel = "matmul"
when   = "n % 8 == 0 and k % 8 == 0"
grid   = ["ceil_div(n, BN)", "ceil_div(m, BM)"]
block  = ["32 * WARPS_M * WARPS_N"]
args   = ["a", "b", "y", "m", "n", "k"]

[[launch]]
kernel = "matmul_any"
when   = "n % 8 != 0 or k % 8 != 0"
grid   = ["ceil_div(n, BN)", "ceil_div(m, BM)"]
block  = ["32 * WARPS_M * WARPS_N"]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes a tile of y with the tensor cores, 16 x 16 x 16 at a time, from tiles of a and b in shared memory.
// What lies outside the matrices is read as 0 and not written.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;
typedef __nv_bfloat16 bf16;

#define WARPS (WARPS_M * WARPS_N)
#define THREADS (32 * WARPS)
#define DOWN (BM / WARPS_M / 16)  // squares of 16 x 16 that a warp computes
#define ACROSS (BN / WARPS_N / 16)
#define PAD 8  // elements between the rows of a tile, against bank conflicts

// Copies rows x cols elements at (row0, col0) of a matrix into shared memory, V elements at a time.
template <int ROWS, int COLS, int V>
__device__ void load_tile(bf16 (*tile)[COLS + PAD], const bf16* __restrict__ from, long long row0, long long col0,
                          long long height, long long width) {
  struct alignas(2 * V) Part {
    bf16 e[V];
  };
#pragma unroll 4
  for (int e = threadIdx.x; e < ROWS * COLS / V; e += THREADS) {
    const int r = e / (COLS / V), c = e % (COLS / V) * V;
    Part part;
    for (int i = 0; i < V; ++i) part.e[i] = __float2bfloat16(0.0f);
    if (row0 + r < height && col0 + c < width) part = *(const Part*)(from + (row0 + r) * width + col0 + c);
    *(Part*)&tile[r][c] = part;
  }
}

template <int V>
__device__ void multiply(const bf16* a, const bf16* b, bf16* y, long long m, long long n, long long k) {
  __shared__ __align__(128) bf16 left[BM][BK + PAD];
  __shared__ __align__(128) bf16 right[BK][BN + PAD];
  __shared__ __align__(128) float square[WARPS][16][16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / WARPS_N * (BM / WARPS_M), col = warp % WARPS_N * (BN / WARPS_N);
  const long long i0 = (long long)blockIdx.y * BM, j0 = (long long)blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[DOWN][ACROSS];
#pragma unroll
  for (int i = 0; i < DOWN; ++i)
#pragma unroll
    for (int j = 0; j < ACROSS; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

  for (long long l0 = 0; l0 < k; l0 += BK) {
    load_tile<BM, BK, V>(left, a, i0, l0, m, k);
    load_tile<BK, BN, V>(right, b, l0, j0, k, n);
    __syncthreads();
#pragma unroll
    for (int l = 0; l < BK; l += 16) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> q[ACROSS];
#pragma unroll
      for (int j = 0; j < ACROSS; ++j) wmma::load_matrix_sync(q[j], &right[l][col + j * 16], BN + PAD);
#pragma unroll
      for (int i = 0; i < DOWN; ++i) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> p;
        wmma::load_matrix_sync(p, &left[row + i * 16][l], BK + PAD);
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) wmma::mma_sync(sum[i][j], p, q[j], sum[i][j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < DOWN; ++i)
#pragma unroll
    for (int j = 0; j < ACROSS; ++j) {
      wmma::store_matrix_sync(&square[warp][0][0], sum[i][j], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 256; e += 32) {
        const long long r = i0 + row + i * 16 + e / 16, c = j0 + col + j * 16 + e % 16;
        if (r < m && c < n) y[r * n + c] = __float2bfloat16(square[warp][e / 16][e % 16]);
      }
      __syncwarp();
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const bf16* a, const bf16* b, bf16* y, long long m, long long n, long long k) {
  multiply<8>(a, b, y, m, n, k);  // rows begin at multiples of 16 bytes
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul_any(const bf16* a, const bf16* b, bf16* y, long long m, long long n, long long k) {
  multiply<1>(a, b, y, m, n, k);
}
