/* hone 1
[[launch]]
kernel = "cells"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["direction", "strength", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void cells(const unsigned char* direction, const float* strength, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  for (int d = 0; d < 16; ++d) {
    HONE_REAL sum = 0;
    for (int p = 0; p < 64; ++p)
      if (direction[p * n + i] == d) sum += strength[p * n + i];
    y[d * n + i] = sum;
  }
}
