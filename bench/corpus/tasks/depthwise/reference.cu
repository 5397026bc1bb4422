/* hone 1
[[launch]]
kernel = "depthwise"
grid   = ["ceil_div(width, 128)", "height", "planes"]
block  = [128]
args   = ["x", "w", "y", "height", "width"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void depthwise(const float* x, const float* w, HONE_REAL* y, int height, int width) {
  const int c = blockIdx.x * 128 + threadIdx.x, r = blockIdx.y;
  const long long p = blockIdx.z;
  if (c >= width) return;
  HONE_REAL sum = 0;
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 13; ++j) {
      const int from = r + i - 6, at = c + j - 6;
      if (from >= 0 && from < height && at >= 0 && at < width)
        sum += (HONE_REAL)w[p * 169 + i * 13 + j] * (HONE_REAL)x[(p * height + from) * width + at];
    }
  y[(p * height + r) * width + c] = sum;
}
