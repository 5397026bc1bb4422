/* hone 1
[[launch]]
kernel = "patches"
grid   = ["down", "batch"]
block  = ["side", "side"]
args   = ["x", "y", "channels", "down", "across", "side"]
*/
// A block has a line of patches, and every thread one pixel of each of them in all channels: nothing is divided.

extern "C" __global__ void __launch_bounds__(256)
    patches(const float* __restrict__ x, float* __restrict__ y, int channels, int down, int across, int side) {
  const int j = threadIdx.x, i = threadIdx.y, v = blockIdx.x, b = blockIdx.y;
  const int area = side * side, plane = down * across * area;
  x += (long long)b * channels * plane + (v * side + i) * across * side + j;
  y += ((long long)b * down + v) * across * channels * area + i * side + j;
  for (int u = 0; u < across; ++u) {
#pragma unroll 3
    for (int c = 0; c < channels; ++c) y[c * area] = x[c * plane];
    x += side;
    y += channels * area;
  }
}
