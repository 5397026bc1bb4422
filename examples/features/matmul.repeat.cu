/* hone 1
[[launch]]
kernel = "add_panel"
repeat = "ceil_div(k, 256)"
grid   = ["ceil_div(n, 32)", "ceil_div(m, 32)"]
block  = [32, 8]
args   = ["a", "b", "y", "m", "n", "k", "256 * iteration", "min(k, 256 * (iteration + 1))"]
*/
// Shows `repeat` and `iteration`: a launch for every 256 columns of a. The first sets y, the others add to it.

extern "C" __global__ void add_panel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y,
                                     long long m, long long n, long long k, long long from, long long to) {
  __shared__ float left[32][32], right[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long long i0 = blockIdx.y * 32LL, j = blockIdx.x * 32LL + tx;
  float sum[4];
  for (int r = 0; r < 4; ++r) {
    const long long i = i0 + ty + 8 * r;
    sum[r] = from > 0 && i < m && j < n ? y[i * n + j] : 0.0f;
  }
  for (long long l = from; l < to; l += 32) {
    for (int r = ty; r < 32; r += 8) {
      left[r][tx] = i0 + r < m && l + tx < to ? a[(i0 + r) * k + l + tx] : 0.0f;
      right[r][tx] = l + r < to && j < n ? b[(l + r) * n + j] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < 32; ++d)
      for (int r = 0; r < 4; ++r) sum[r] += left[ty + 8 * r][d] * right[d][tx];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    const long long i = i0 + ty + 8 * r;
    if (i < m && j < n) y[i * n + j] = sum[r];
  }
}
