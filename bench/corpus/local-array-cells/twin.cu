/* hone 1
[[launch]]
kernel = "cells"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["direction", "strength", "y", "n"]
*/
// A thread has a cell, and its sums in a column of its own of shared memory.

#define AT(d) ((d)*256 + threadIdx.x)

extern "C" __global__ void __launch_bounds__(256)
    cells(const unsigned char* __restrict__ direction, const float* __restrict__ strength, float* __restrict__ y,
          long long n) {
  __shared__ float sums[16 * 256];
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  for (int d = 0; d < 16; ++d) sums[AT(d)] = 0.0f;
#pragma unroll 8
  for (int p = 0; p < 64; ++p) sums[AT(direction[p * n + i])] += strength[p * n + i];
  for (int d = 0; d < 16; ++d) y[d * n + i] = sums[AT(d)];
}
