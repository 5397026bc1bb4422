/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["sm_count"]
block  = [256]
args   = ["x", "y", "n"]
*/
// Two warps for each scheduler. A thread has CHAINS elements at a time, each a chain of steps that wait for one
// another; the next ones are asked for before.

#define CHAINS 1

extern "C" __global__ void __launch_bounds__(256)
    smooth(const float* __restrict__ x, float* __restrict__ y, long long n) {
  const long long threads = gridDim.x * 256LL;
  long long i = blockIdx.x * 256LL + threadIdx.x;
  float next[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; ++c) next[c] = i + c * threads < n ? x[i + c * threads] : 0.0f;
  for (; i < n; i += CHAINS * threads) {
    float v[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) {
      v[c] = next[c];
      next[c] = i + (CHAINS + c) * threads < n ? x[i + (CHAINS + c) * threads] : 0.0f;
    }
#pragma unroll 64
    for (int step = 0; step < 128; ++step)
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) v[c] = 0.9921875f * v[c] + 0.015625f;
#pragma unroll
    for (int c = 0; c < CHAINS; ++c)
      if (i + c * threads < n) y[i + c * threads] = v[c];
  }
}
