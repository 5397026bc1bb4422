/* hone 1
[[launch]]
kernel = "blend"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["a", "b", "y", "n", "w"]
*/
// A pixel for each thread.

__device__ unsigned mixed(unsigned a, unsigned b, int w) { return (a * w + b * (256 - w) + 128) >> 8; }

extern "C" __global__ void __launch_bounds__(256)
    blend(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, unsigned char* __restrict__ y,
          long long n, int w) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = mixed(a[i], b[i], w);
}
