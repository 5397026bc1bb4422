/* hone 1
[[launch]]
kernel = "morton"
grid   = ["ceil_div(n, 2 * 256)"]
block  = [256]
args   = ["x", "y", "z", "code", "n"]
*/
// Two points for each thread. How their bits are woven is the matter.

// Bit b of v at place 3 b: halves move apart, then their halves, and so on.
__device__ unsigned long long apart(unsigned v) {
  unsigned long long bits = v;
  bits = (bits | bits << 32) & 0x001f00000000ffffULL;
  bits = (bits | bits << 16) & 0x001f0000ff0000ffULL;
  bits = (bits | bits << 8) & 0x100f00f00f00f00fULL;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3ULL;
  bits = (bits | bits << 2) & 0x1249249249249249ULL;
  return bits;
}

__device__ long long woven(unsigned x, unsigned y, unsigned z) { return apart(x) << 2 | apart(y) << 1 | apart(z); }

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
