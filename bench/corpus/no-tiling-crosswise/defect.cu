/* hone 1
[[launch]]
kernel = "crosswise"
grid   = ["ceil_div(n, 32)", "ceil_div(m, 32)"]
block  = [256]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes 32 x 32 distances, a thread four in a column. Every thread reads its four rows and its column from
// global memory.

extern "C" __global__ void __launch_bounds__(256)
    crosswise(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int m, int n, int k) {
  const int row = threadIdx.x / 32 * 4, col = threadIdx.x % 32;
  const int i0 = blockIdx.y * 32 + row, j = blockIdx.x * 32 + col;
  if (j >= n) return;
  const float* rows[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) rows[i] = a + (long long)min(i0 + i, m - 1) * k;
  float sum[4] = {};
#pragma unroll 4
  for (int l = 0; l < k; ++l) {
    const float q = b[(long long)l * n + j];
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] += fabsf(rows[i][l] - q);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i0 + i < m) y[(long long)(i0 + i) * n + j] = sum[i];
}
