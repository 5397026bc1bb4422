/* hone 1
[[launch]]
kernel = "conv"
grid   = ["batch * height * width"]
block  = [128]
args   = ["x", "w", "y", "height", "width"]
*/
#include <cuda_fp16.h>

#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void conv(const __half* x, const __half* w, HONE_REAL* y, int height, int width) {
  const int c = blockIdx.x % width, r = blockIdx.x / width % height, b = blockIdx.x / width / height;
  HONE_REAL sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int from = r + i - 1, at = c + j - 1;
      if (from < 0 || from >= height || at < 0 || at >= width) continue;
      const __half* in = x + ((b * height + from) * (long long)width + at) * 128;
      for (int k = 0; k < 128; ++k)
        sum += (HONE_REAL)__half2float(in[k]) * (HONE_REAL)__half2float(w[((i * 3 + j) * 128 + k) * 128 + threadIdx.x]);
    }
  y[blockIdx.x * 128LL + threadIdx.x] = sum;
}
