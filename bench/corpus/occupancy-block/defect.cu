/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 16 * 32)"]
block  = [32]
args   = ["x", "y", "n", "a", "b"]
*/
// A block has 16 elements for each of its threads, and takes them one after the other.

#define THREADS 32

extern "C" __global__ void __launch_bounds__(THREADS)
    affine(const float* __restrict__ x, float* __restrict__ y, long long n, float a, float b) {
  const long long first = blockIdx.x * 16LL * THREADS + threadIdx.x;
#pragma unroll 1
  for (int turn = 0; turn < 16; ++turn) {
    const long long i = first + turn * THREADS;
    if (i < n) y[i] = a * x[i] + b;
  }
}
