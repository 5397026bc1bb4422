/* hone 1
[[launch]]
kernel = "patches"
grid   = ["ceil_div(batch * channels * down * across * side * side, 3 * 256)"]
block  = [256]
args   = ["x", "y", "batch * channels * down * across * side * side", "channels", "down", "across", "side"]
*/
// A block has 768 elements of the whole batch, and every thread works out where each of its own comes from.

extern "C" __global__ void __launch_bounds__(256)
    patches(const float* __restrict__ x, float* __restrict__ y, int n, int channels, int down, int across, int side) {
#pragma unroll
  for (int e = 0; e < 3; ++e) {
    const int at = (blockIdx.x * 3 + e) * 256 + threadIdx.x;
    const int j = at % side, i = at / side % side, c = at / (side * side) % channels;
    const int patch = at / (side * side * channels), u = patch % across, v = patch / across % down;
    const int b = patch / (across * down);
    if (at < n) y[at] = x[(((long long)b * channels + c) * down * side + v * side + i) * across * side + u * side + j];
  }
}
