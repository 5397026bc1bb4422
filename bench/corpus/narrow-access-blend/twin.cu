/* hone 1
[[launch]]
kernel = "blend"
grid   = ["ceil_div(n, 16 * 256)"]
block  = [256]
args   = ["a", "b", "y", "n", "w"]
*/
// Sixteen pixels for each thread, in one piece.

__device__ unsigned mixed(unsigned a, unsigned b, int w) { return (a * w + b * (256 - w) + 128) >> 8; }

// Four pixels in a word.
__device__ unsigned mixed_four(unsigned a, unsigned b, int w) {
  unsigned four = 0;
#pragma unroll
  for (int bit = 0; bit < 32; bit += 8) four |= mixed(a >> bit & 255u, b >> bit & 255u, w) << bit;
  return four;
}

extern "C" __global__ void __launch_bounds__(256)
    blend(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, unsigned char* __restrict__ y,
          long long n, int w) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 16;
  if (i + 16 <= n) {
    const uint4 p = *(const uint4*)(a + i), q = *(const uint4*)(b + i);
    *(uint4*)(y + i) =
        make_uint4(mixed_four(p.x, q.x, w), mixed_four(p.y, q.y, w), mixed_four(p.z, q.z, w), mixed_four(p.w, q.w, w));
  } else {
    for (long long j = i; j < n; ++j) y[j] = mixed(a[j], b[j], w);
  }
}
