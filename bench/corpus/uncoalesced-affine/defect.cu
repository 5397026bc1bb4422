/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 32 * 256)"]
block  = [256]
args   = ["x", "y", "n", "a", "b"]
*/
// A block has 32 elements for each of its threads. Which of them a thread takes is the matter.

#define STEPS 32

extern "C" __global__ void __launch_bounds__(256)
    affine(const float* __restrict__ x, float* __restrict__ y, long long n, float a, float b) {
  const long long first = blockIdx.x * STEPS * 256LL;
#pragma unroll 4
  for (int s = 0; s < STEPS; ++s) {
    const long long i = first + threadIdx.x * STEPS + s;
    if (i < n) y[i] = a * x[i] + b;
  }
}
