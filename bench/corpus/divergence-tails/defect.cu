/* hone 1
[[launch]]
kernel = "tails"
grid   = ["ceil_div(n, 4096)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// A block has 4096 elements. Whoever meets one that lies far out works it out at once.

__device__ float fraction(float a) {
  float f = a;
#pragma unroll 4
  for (int level = 32; level > 0; --level) f = a + level / f;
  return f;
}

extern "C" __global__ void __launch_bounds__(256)
    tails(const float* __restrict__ x, float* __restrict__ y, long long n) {
  const long long first = blockIdx.x * 4096LL;
#pragma unroll 1
  for (int e = threadIdx.x; e < 4096 && first + e < n; e += 256) {
    const float v = x[first + e], a = fabsf(v);
    if (a <= 2.0f)
      y[first + e] = v;
    else
      y[first + e] = fraction(a);
  }
}
