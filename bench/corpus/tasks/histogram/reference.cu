/* hone 1
[[launch]]
kernel = "zero"
grid   = [1]
block  = [256]
args   = ["y"]

[[launch]]
kernel = "count"
grid   = [264]
block  = [256]
args   = ["x", "y", "n"]
*/
extern "C" __global__ void zero(long long* y) { y[threadIdx.x] = 0; }

extern "C" __global__ void count(const int* x, long long* y, long long n) {
  __shared__ unsigned here[256];
  here[threadIdx.x] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) atomicAdd(&here[x[i]], 1u);
  __syncthreads();
  atomicAdd((unsigned long long*)&y[threadIdx.x], (unsigned long long)here[threadIdx.x]);
}
