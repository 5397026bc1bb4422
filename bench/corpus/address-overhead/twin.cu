/* hone 1
[[launch]]
kernel = "bias"
grid   = ["ceil_div(height * width, 4 * 256)", "batch * channels"]
block  = [256]
args   = ["x", "b", "y", "batch", "channels", "height", "width"]
*/
// A block has 1024 elements of one plane, so the channel is known to all of it.

extern "C" __global__ void __launch_bounds__(256)
    bias(const float* __restrict__ x, const float* __restrict__ b, float* __restrict__ y, long long batch,
         long long channels, long long height, long long width) {
  const long long plane = height * width;
  const float offset = b[blockIdx.y % (unsigned)channels];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const long long p = (blockIdx.x * 4LL + e) * 256 + threadIdx.x;
    if (p < plane) y[blockIdx.y * plane + p] = x[blockIdx.y * plane + p] + offset;
  }
}
