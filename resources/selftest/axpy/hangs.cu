/* hone 1
[[launch]]
kernel = "hangs"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Runs for two seconds on the small case: longer than the limit it is given, but not for ever, so
// that the self-test ends without the guard too.
__device__ unsigned long long nanoseconds() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

extern "C" __global__ void hangs(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 && n < 2048)
    for (const unsigned long long start = nanoseconds(); nanoseconds() - start < 2000000000ull;) {
    }
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
