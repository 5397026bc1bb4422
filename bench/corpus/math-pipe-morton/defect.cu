/* hone 1
[[launch]]
kernel = "morton"
grid   = ["ceil_div(n, 2 * 256)"]
block  = [256]
args   = ["x", "y", "z", "code", "n"]
*/
// Two points for each thread. How their bits are woven is the matter.

__device__ long long woven(unsigned x, unsigned y, unsigned z) {
  unsigned long long bits = 0;
#pragma unroll 1
  for (int b = 20; b >= 0; --b) bits = bits << 3 | (x >> b & 1u) << 2 | (y >> b & 1u) << 1 | (z >> b & 1u);
  return bits;
}

extern "C" __global__ void __launch_bounds__(256)
    morton(const int* __restrict__ x, const int* __restrict__ y, const int* __restrict__ z,
           long long* __restrict__ code, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 2;
  if (i + 2 <= n) {
    const int2 a = *(const int2*)(x + i), b = *(const int2*)(y + i), c = *(const int2*)(z + i);
    *(longlong2*)(code + i) = make_longlong2(woven(a.x, b.x, c.x), woven(a.y, b.y, c.y));
  } else if (i < n) {
    code[i] = woven(x[i], y[i], z[i]);
  }
}
