/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, 128)", "ceil_div(height, 4)"]
block  = [128, 4]
args   = ["x", "y", "depth", "height", "width", "own", "other"]
*/
// A thread has the cells of one column, and goes down through the layers with the last three of its own in registers.

extern "C" __global__ void __launch_bounds__(512) stencil(const float* __restrict__ x, float* __restrict__ y, int depth,
                                                          int height, int width, float own, float other) {
  const int c = blockIdx.x * 128 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y;
  if (c >= width || r >= height) return;
  const long long layer = (long long)height * width;
  long long at = (long long)r * width + c;
  float above = 0.0f, here = x[at];
#pragma unroll 1
  for (int d = 0; d < depth; ++d) {
    const float below = d + 1 < depth ? x[at + layer] : 0.0f;
    const float left = c > 0 ? x[at - 1] : 0.0f, right = c + 1 < width ? x[at + 1] : 0.0f;
    const float up = r > 0 ? x[at - width] : 0.0f, down = r + 1 < height ? x[at + width] : 0.0f;
    y[at] = own * here + other * (left + right + up + down + above + below);
    above = here;
    here = below;
    at += layer;
  }
}
