/* hone 1
[[launch]]
kernel = "crosswise"
grid   = ["ceil_div(n, 32)", "ceil_div(m, 32)"]
block  = [256]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes 32 x 32 distances, a thread four in a column. Rows and columns pass through shared memory in tiles,
// so that each number is read from global memory once for 32 uses.

extern "C" __global__ void __launch_bounds__(256)
    crosswise(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int m, int n, int k) {
  __shared__ __align__(16) float left[32][32], right[32][32];
  const int row = threadIdx.x / 32 * 4, col = threadIdx.x % 32;
  const int i0 = blockIdx.y * 32 + row, j = blockIdx.x * 32 + col;
  float sum[4] = {};
  for (int l0 = 0; l0 < k; l0 += 32) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      left[row + i][col] = i0 + i < m && l0 + col < k ? a[(long long)(i0 + i) * k + l0 + col] : 0.0f;
      right[row + i][col] = l0 + row + i < k && j < n ? b[(long long)(l0 + row + i) * n + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < 32; ++l) {
      const float q = right[l][col];
#pragma unroll
      for (int i = 0; i < 4; ++i) sum[i] += fabsf(left[row + i][l] - q);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i0 + i < m && j < n) y[(long long)(i0 + i) * n + j] = sum[i];
}
