/* hone 1
[[launch]]
kernel = "norms"
grid   = ["ceil_div(rows, 32)"]
block  = [1024]
args   = ["x", "y", "rows", "cols"]
*/
// A block has 32 rows. Every warp takes one of them, and adds up its sums by shuffles.

extern "C" __global__ void __launch_bounds__(1024, 2)
    norms(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  const int lane = threadIdx.x % 32, r = blockIdx.x * 32 + threadIdx.x / 32;
  if (r >= rows) return;
  const float* row = x + (long long)r * cols;
  float sum = 0.0f;
#pragma unroll 8
  for (int c = lane; c < cols; c += 32) sum += row[c] * row[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (lane == 0) y[r] = sqrtf(sum);
}
