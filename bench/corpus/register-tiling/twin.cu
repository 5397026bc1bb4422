/* hone 1
[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 64)", "ceil_div(m, 64)"]
block  = [64]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes a tile of y from tiles of a and b in shared memory, a thread a small tile of it in registers. How
// small is the matter. What lies outside the matrices is read as 0 and not written.

#define BM 64  // rows of y that a block computes
#define BN 64  // and columns
#define BK 8   // depth of one step
#define TM 8   // rows that a thread computes
#define TN 8   // and columns
#define THREADS (BM / TM * (BN / TN))

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int m, int n, int k) {
  __shared__ __align__(16) float left[BK][BM + 4];  // transposed, so that a thread's rows lie side by side; 4 words
  __shared__ __align__(16) float right[BK][BN];     // of padding spread the transposing stores over the banks
  const int t = threadIdx.x, row = t / (BN / TN) * TM, col = t % (BN / TN) * TN;
  const long long i0 = (long long)blockIdx.y * BM, j0 = (long long)blockIdx.x * BN;
  float sum[TM][TN] = {};
  for (long long l0 = 0; l0 < k; l0 += BK) {
    for (int e = t; e < BM * BK; e += THREADS) {
      const int i = e / BK, l = e % BK;
      left[l][i] = i0 + i < m && l0 + l < k ? a[(i0 + i) * k + l0 + l] : 0.0f;
    }
    for (int e = t; e < BK * BN; e += THREADS) {
      const int l = e / BN, j = e % BN;
      right[l][j] = l0 + l < k && j0 + j < n ? b[(l0 + l) * n + j0 + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < BK; ++l) {
      float p[TM], q[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) p[i] = left[l][row + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) q[j] = right[l][col + j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += p[i] * q[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j)
      if (i0 + row + i < m && j0 + col + j < n) y[(i0 + row + i) * n + j0 + col + j] = sum[i][j];
}
