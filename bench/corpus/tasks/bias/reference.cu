/* hone 1
[[launch]]
kernel = "bias"
grid   = ["ceil_div(height * width, 256)", "batch * channels"]
block  = [256]
args   = ["x", "b", "y", "channels", "height * width"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void bias(const float* x, const float* b, HONE_REAL* y, long long channels, long long plane) {
  const long long p = blockIdx.x * 256LL + threadIdx.x;
  if (p < plane) y[blockIdx.y * plane + p] = (HONE_REAL)x[blockIdx.y * plane + p] + b[blockIdx.y % channels];
}
