/* hone 1
[[launch]]
kernel = "depthwise"
grid   = ["ceil_div(width, 32)", "ceil_div(height, 32)", "planes"]
block  = [32, 4]
args   = ["x", "w", "y", "height", "width"]
*/
// A block has 32 x 32 pixels of a plane, and what they need in shared memory; a thread has 8 of a column. It takes
// its pixels at once, so that what is read from there serves all that need it.

extern "C" __global__ void __launch_bounds__(128)
    depthwise(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int height, int width) {
  __shared__ float in[44][45], taps[13][13];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const long long plane = (long long)blockIdx.z * height * width;
  const int top = blockIdx.y * 32 - 6, left = blockIdx.x * 32 - 6;
  for (int e = t; e < 44 * 44; e += 128) {
    const int r = top + e / 44, c = left + e % 44;
    in[e / 44][e % 44] = r >= 0 && r < height && c >= 0 && c < width ? x[plane + (long long)r * width + c] : 0.0f;
  }
  for (int e = t; e < 169; e += 128) taps[e / 13][e % 13] = w[blockIdx.z * 169LL + e];
  __syncthreads();
  const int first = threadIdx.y * 8, c = left + 6 + threadIdx.x;
  float sum[8] = {};
#pragma unroll 1
  for (int j = 0; j < 13; ++j) {
    float column[20];
#pragma unroll
    for (int i = 0; i < 20; ++i) column[i] = in[first + i][threadIdx.x + j];
#pragma unroll
    for (int i = 0; i < 13; ++i) {
      const float tap = taps[i][j];
#pragma unroll
      for (int o = 0; o < 8; ++o) sum[o] += tap * column[o + i];
    }
  }
#pragma unroll
  for (int o = 0; o < 8; ++o) {
    const int r = top + 6 + first + o;
    if (r < height && c < width) y[plane + (long long)r * width + c] = sum[o];
  }
}
