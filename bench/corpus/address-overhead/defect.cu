/* hone 1
[[launch]]
kernel = "bias"
grid   = ["ceil_div(batch * channels * height * width, 4 * 256)"]
block  = [256]
args   = ["x", "b", "y", "batch", "channels", "height", "width"]
*/
// A block has 1024 elements of the whole batch, and every thread works out where each of its own lies.

extern "C" __global__ void __launch_bounds__(256)
    bias(const float* __restrict__ x, const float* __restrict__ b, float* __restrict__ y, long long batch,
         long long channels, long long height, long long width) {
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const long long at = (blockIdx.x * 4LL + e) * 256 + threadIdx.x;
    const long long j = at % width, i = at / width % height, c = at / (width * height) % channels,
                    image = at / (width * height * channels);
    const long long same = ((image * channels + c) * height + i) * width + j;
    if (image < batch) y[same] = x[same] + b[c];
  }
}
