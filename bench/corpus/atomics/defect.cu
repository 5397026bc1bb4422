/* hone 1
[[launch]]
kernel = "zero"
grid   = [1]
block  = [256]
args   = ["y"]

[[launch]]
kernel = "count"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "y", "n"]
*/
// Every element is added to the common counts at once.

extern "C" __global__ void zero(int* y) { y[threadIdx.x] = 0; }

extern "C" __global__ void __launch_bounds__(256) count(const int* __restrict__ x, int* y, long long n) {
#pragma unroll 4
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) atomicAdd(&y[x[i]], 1);
}
