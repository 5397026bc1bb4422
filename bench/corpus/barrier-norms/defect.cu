/* hone 1
[[launch]]
kernel = "norms"
grid   = ["ceil_div(rows, 32)"]
block  = [1024]
args   = ["x", "y", "rows", "cols"]
*/
// A block has 32 rows. All its threads take one row after the other, and add up their sums in shared memory by halves.

extern "C" __global__ void __launch_bounds__(1024, 2)
    norms(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  __shared__ float sums[1024];
  const int t = threadIdx.x, first = blockIdx.x * 32;
  for (int r = first; r < rows && r < first + 32; ++r) {
    const float* row = x + (long long)r * cols;
    float sum = 0.0f;
    for (int c = t; c < cols; c += 1024) sum += row[c] * row[c];
    sums[t] = sum;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
      if (t < half) sums[t] += sums[t + half];
      __syncthreads();
    }
    if (t == 0) y[r] = sqrtf(sums[0]);
    __syncthreads();
  }
}
