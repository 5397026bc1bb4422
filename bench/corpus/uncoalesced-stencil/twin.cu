/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, 32)", "ceil_div(height, 32)"]
block  = [1024]
args   = ["x", "w", "y", "height", "width"]
*/
// One thread for each element; a block has 32 rows of 32. Which way its threads are counted is the matter.

extern "C" __global__ void __launch_bounds__(1024)
    stencil(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int height, int width) {
  const int i = blockIdx.y * 32 + threadIdx.x / 32, j = blockIdx.x * 32 + threadIdx.x % 32;
  if (i >= height || j >= width) return;
  float sum = 0.0f;
#pragma unroll
  for (int u = 0; u < 5; ++u)
#pragma unroll
    for (int v = 0; v < 5; ++v) {
      const int r = i + u - 2, c = j + v - 2;
      if (r >= 0 && r < height && c >= 0 && c < width) sum += w[u * 5 + v] * x[(long long)r * width + c];
    }
  y[(long long)i * width + j] = sum;
}
