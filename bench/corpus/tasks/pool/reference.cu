/* hone 1
[[launch]]
kernel = "pool"
grid   = ["ceil_div(batch * height * width * channels, 256)"]
block  = [256]
args   = ["x", "y", "batch * height * width * channels", "width", "channels"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void pool(const float* x, HONE_REAL* y, long long n, int width, int channels) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const long long pixel = i / channels, line = pixel / width;
  const float* at = x + (line * 4 * width + pixel % width * 2) * channels + i % channels;
  const long long down = 2LL * width * channels;
  y[i] = fmaxf(fmaxf(at[0], at[channels]), fmaxf(at[down], at[down + channels]));
}
