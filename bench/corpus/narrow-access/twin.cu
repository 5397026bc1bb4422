/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 8 * 256)"]
block  = [256]
args   = ["x", "y", "n", "a", "b"]
*/
// A thread has 8 elements: 16 bytes, in as few pieces as WIDTH allows.
#include <cuda_bf16.h>

#define WIDTH 8  // elements of one load or store

struct alignas(2 * WIDTH) Piece {
  __nv_bfloat16 e[WIDTH];
};

extern "C" __global__ void __launch_bounds__(256)
    affine(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y, long long n, float a, float b) {
  const long long first = blockIdx.x * 8LL * 256;
#pragma unroll 1
  for (int turn = 0; turn < 8 / WIDTH; ++turn) {
    const long long i = first + (turn * 256 + threadIdx.x) * WIDTH;
    if (i + WIDTH <= n) {
      Piece p = *(const Piece*)(x + i);
#pragma unroll
      for (int v = 0; v < WIDTH; ++v) p.e[v] = __float2bfloat16(a * __bfloat162float(p.e[v]) + b);
      *(Piece*)(y + i) = p;
    } else {
      for (long long j = i; j < n; ++j) y[j] = __float2bfloat16(a * __bfloat162float(x[j]) + b);
    }
  }
}
