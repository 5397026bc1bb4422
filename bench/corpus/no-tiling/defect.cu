/* hone 1
[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 32)", "ceil_div(m, 32)"]
block  = [256]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes 32 x 32 elements of y, a thread four in a column. Every factor is read from global memory where it
// is needed.

extern "C" __global__ void __launch_bounds__(256)
    matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int m, int n, int k) {
  const int row = threadIdx.x / 32 * 4, col = threadIdx.x % 32;
  const int i0 = blockIdx.y * 32 + row, j = blockIdx.x * 32 + col;
  float sum[4] = {};
#pragma unroll 4
  for (int l = 0; l < k; ++l) {
    const float q = j < n ? b[(long long)l * n + j] : 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] += (i0 + i < m ? a[(long long)(i0 + i) * k + l] : 0.0f) * q;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i0 + i < m && j < n) y[(long long)(i0 + i) * n + j] = sum[i];
}
