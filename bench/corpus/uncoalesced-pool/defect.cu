/* hone 1
[[launch]]
kernel = "pool"
grid   = ["ceil_div(width, 64)", "ceil_div(channels, 4)", "batch * height"]
block  = [64, 4]
args   = ["x", "y", "width", "channels"]
*/
// A block has 64 x 4 of the elements of a line: 64 pixels, of which neighbouring threads have neighbouring ones, and 4
// channels.

extern "C" __global__ void __launch_bounds__(256)
    pool(const float* __restrict__ x, float* __restrict__ y, int width, int channels) {
  const int c = blockIdx.x * 64 + threadIdx.x, k = blockIdx.y * 4 + threadIdx.y;
  if (c >= width || k >= channels) return;
  const long long line = blockIdx.z;
  const float* at = x + (line * 4 * width + c * 2) * channels + k;
  const long long down = 2LL * width * channels;
  y[(line * width + c) * channels + k] = fmaxf(fmaxf(at[0], at[channels]), fmaxf(at[down], at[down + channels]));
}
